import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { filesEntries } from './home-entries.js'
import { ArchiveError } from './manifest.js'

/** In a home that was just brought in: what is left to do. */
const PENDING = '.import-pending.json'

const pendingSchema = z.strictObject({ backup: z.string(), carry: z.array(z.string()) })

const ready = (root: string): string => `${root}.importing`

/**
 * Puts a finished folder in the place of a data folder, which stays as a backup beside it. A crash at any point leaves
 * either the old one or enough for {@link finishSwap} to go on.
 * @param staged the new data folder, complete and on disk, beside `root`
 * @param carry names of folders that move from the old one to the new one when the new one has none
 * @returns the backup's path, undefined when there was nothing to back up
 * @throws ArchiveError `cannot-swap`; then the old folder is where it was
 */
export function swapHome(root: string, staged: string, carry: readonly string[], now: Date): string | undefined {
  const stamp = now.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-')
  let backup = `${root}.before-import-${stamp}`
  for (let n = 2; existsSync(backup); n++) backup = `${root}.before-import-${stamp}-${n}`
  const had = existsSync(root) && readdirSync(root).length > 0
  writeFileSync(join(staged, PENDING), JSON.stringify({ backup, carry }), { mode: 0o600, flush: true })
  try {
    renameSync(staged, ready(root))
    finishSwap(root)
  } catch (error) {
    if (existsSync(root)) rmSync(ready(root), { recursive: true, force: true })
    const text = error instanceof Error ? error.message : String(error)
    throw new ArchiveError(
      'cannot-swap',
      root,
      `${root} cannot be replaced (${text}). Its parent folder must be writable and on the same disk; nothing was changed.`,
      { cause: error },
    )
  }
  // An empty data folder that was only just made is no backup.
  if (existsSync(backup) && filesEntries(backup).length === 0) rmSync(backup, { recursive: true, force: true })
  return had && existsSync(backup) ? backup : undefined
}

/** Finishes an import that was cut off. Called whenever a data folder is opened; does nothing almost always. */
export function finishSwap(root: string): void {
  if (existsSync(ready(root))) {
    const { backup } = read(join(ready(root), PENDING))
    if (existsSync(root)) {
      if (readdirSync(root).length === 0 && !lstatSync(root).isSymbolicLink()) rmdirSync(root)
      else renameSync(root, backup)
    }
    renameSync(ready(root), root)
  }
  const pending = join(root, PENDING)
  if (!existsSync(pending)) return
  const { backup, carry } = read(pending)
  for (const name of carry) {
    const [from, to] = [join(backup, name), join(root, name)]
    if (!existsSync(from)) continue
    if (existsSync(to)) {
      if (readdirSync(to).length > 0) continue
      rmdirSync(to)
    }
    renameSync(from, to)
  }
  rmSync(pending, { force: true })
}

function read(file: string): z.infer<typeof pendingSchema> {
  return pendingSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
}
