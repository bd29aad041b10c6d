import { closeSync, copyFileSync, openSync, readdirSync, readSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

/** Folders and files of the home that are made again or belong to this machine alone. */
const STAYS =
  /^(?:locks|cache|models|logs?|\.trash|credentials\.json|\.import-pending\.json|import-conflicts.*|.*\.backup|.*\.tmp|.*-(?:wal|shm|journal))$/i

const walk = (root: string, stays: RegExp, at = ''): readonly string[] =>
  readdirSync(join(root, at), { withFileTypes: true }).flatMap((entry) => {
    const path = at === '' ? entry.name : `${at}/${entry.name}`
    if (stays.test(entry.name) || (at === '' && stays === STAYS && entry.name === 'files')) return []
    return entry.isDirectory() ? walk(root, stays, path) : entry.isFile() ? [path] : []
  })

/** Files of a data folder that belong to the owner, without the files folder; paths with forward slashes, sorted, no links. */
export function homeEntries(root: string): readonly string[] {
  return [...walk(root, STAYS)].sort()
}

/** Files of the owner's files folder; half-written ones and links are left out. */
export function filesEntries(root: string): readonly string[] {
  return [...walk(root, /^\.[0-9a-f]{12}\.tmp$/)].sort()
}

/** True for a SQLite database, by its first bytes (https://www.sqlite.org/fileformat.html). */
export function isDatabase(file: string): boolean {
  const handle = openSync(file, 'r')
  try {
    const head = Buffer.alloc(16)
    return readSync(handle, head, 0, 16, 0) === 16 && head.toString('latin1') === 'SQLite format 3\0'
  } finally {
    closeSync(handle)
  }
}

/** Copies a file with its time of change, by which files and mails are sorted. */
export function copyWithTime(source: string, target: string): void {
  copyFileSync(source, target)
  const { atime, mtime } = statSync(source)
  utimesSync(target, atime, mtime)
}
