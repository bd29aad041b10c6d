import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Home } from '../../agent/home.js'
import { JOURNAL_VERSION, Journal } from '../../agent/journal.js'
import { loadPolicyRules } from '../../agent/policy-rules.js'
import { parseCards } from '../../domains/messaging/contacts.js'
import { DiskFolder, RECORDS_SCHEMA, readText, walk } from '../../domains/store/index.js'
import { withFileLock } from '../../engine/file-lock.js'
import { type Check, guard, ill, info, well } from './check.js'

/** Less free space than this is reported. */
const LEAST_FREE_MB = 100

/** The data folder and everything in it. Writes one small file and removes it. */
export async function dataChecks(home: Home): Promise<readonly Check[]> {
  return Promise.all([
    guard('data folder', 'Make it writable, or name another one with --data.', () => folder(home.root)),
    guard('permissions', 'Check the rights of the data folder.', () => permissions(home.root)),
    guard('lock', 'Move the data folder to a disk of this machine: locks do not work where it is.', () => lock(home)),
    guard('journal', 'Move the journal away to start a new one, or restore a backup.', () => journal(home)),
    guard('stores', 'Restore domains.db from a backup, or move it away.', () => records(home)),
    guard('calendar and contacts', 'Mend the file, or move it away.', () => texts(home)),
    guard('policy', 'Mend policy.yaml; nothing runs until then.', () => policy(home)),
  ])
}

function folder(root: string): Check {
  const probe = join(root, `.doctor-${randomBytes(4).toString('hex')}.tmp`)
  try {
    const handle = openSync(probe, 'wx', 0o600)
    try {
      writeSync(handle, Buffer.alloc(4096))
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  } finally {
    rmSync(probe, { force: true })
  }
  const { bavail, bsize } = statfsSync(root)
  const free = Math.floor((bavail * bsize) / 1_048_576)
  if (free < LEAST_FREE_MB)
    return ill('data folder', `${root} has only ${free} MB of free space`, 'Free some space on its disk.')
  return well('data folder', `${root} can be written, ${free} MB free`)
}

function permissions(root: string): Check {
  if (process.platform === 'win32') return info('permissions', 'as Windows keeps them for your user')
  const open = ['.', 'journal.sqlite', 'domains.db', 'connections.json', 'credentials.json', 'memory.md', 'policy.yaml']
    .map((name) => join(root, name))
    .filter((path) => existsSync(path))
  const { mode } = statSync(root)
  // Inside a folder that others cannot enter the modes of single files do not matter, except for passwords.
  const shown = open.filter((path) => {
    const others = statSync(path).mode & 0o077
    return others !== 0 && (path.endsWith('credentials.json') || (mode & 0o077) !== 0)
  })
  if (shown.length === 0) return well('permissions', 'only you can read your data')
  return ill(
    'permissions',
    `others on this machine can read ${shown[0]}`,
    (mode & 0o077) !== 0 ? `Run: chmod 700 '${root}'` : `Run: chmod 600 '${shown[0]}'`,
  )
}

async function lock(home: Home): Promise<Check> {
  const file = join(home.root, 'locks', 'doctor.lock')
  const inner = await withFileLock(file, { timeoutMs: 2000 }, async () =>
    withFileLock(file, { timeoutMs: 0 }, async () => 'both').catch((error: Error) => error.name),
  )
  if (inner === 'both')
    return ill('lock', 'two at once got the same lock', 'Move the data folder to a disk of this machine.')
  return well('lock', 'works')
}

/** SQLite's own check of a file, without changing it. @returns its first complaint */
function damage(file: string): string | undefined {
  const db = new Database(file, { readonly: true, timeout: 10_000 })
  try {
    const rows = db.pragma('integrity_check(5)') as { integrity_check: string }[]
    const first = rows[0]?.integrity_check
    return first === 'ok' ? undefined : (first ?? 'no answer')
  } finally {
    db.close()
  }
}

function versionOf(file: string): number {
  const db = new Database(file, { readonly: true, timeout: 10_000 })
  try {
    return Number(db.pragma('user_version', { simple: true }))
  } finally {
    db.close()
  }
}

function journal(home: Home): Check {
  if (!existsSync(home.journal)) return info('journal', 'nothing was asked yet')
  const bad = damage(home.journal)
  if (bad !== undefined) return ill('journal', `${home.journal} is damaged: ${bad}`, 'Restore it, or move it away.')
  const opened = new Journal(home.journal)
  try {
    const open = opened.openRuns().length
    const rest = open === 0 ? '' : `; ${open} unfinished, which the next request goes on with`
    return well('journal', `sound, format ${JOURNAL_VERSION}${rest}`)
  } finally {
    opened.close()
  }
}

function records(home: Home): Check {
  const file = join(home.root, 'domains.db')
  if (!existsSync(file)) return info('stores', 'nothing is kept yet')
  const version = versionOf(file)
  if (version > RECORDS_SCHEMA)
    return ill('stores', `domains.db was written by a newer BotPsy (schema ${version})`, 'Update BotPsy.')
  const bad = damage(file)
  if (bad !== undefined) return ill('stores', `domains.db is damaged: ${bad}`, 'Restore it from a backup.')
  return well('stores', `domains.db is sound, schema ${version}`)
}

async function texts(home: Home): Promise<Check> {
  const { default: ICAL } = await import('ical.js')
  let files = 0
  for (const name of ['calendar', 'contacts']) {
    const store = new DiskFolder(join(home.root, name), join(home.root, 'locks', `${name}.lock`))
    for (const entry of walk(store)) {
      if (!/\.(?:ics|vcf)$/i.test(entry.path)) continue
      files++
      const text = readText(store, entry.path) ?? ''
      try {
        if (entry.path.toLowerCase().endsWith('.vcf') ? parseCards(text).length > 0 : ICAL.parse(text)) continue
      } catch {
        // Reported below.
      }
      return ill('calendar and contacts', `${name}/${entry.path} is damaged`, `Mend it, or move it away.`)
    }
  }
  return well('calendar and contacts', `${files} ${files === 1 ? 'file' : 'files'} can be read`)
}

function policy(home: Home): Check {
  const rules = loadPolicyRules(home.policy)
  return well('policy', rules.length === 0 ? 'no rules of your own' : `${rules.length} rules of your own`)
}
