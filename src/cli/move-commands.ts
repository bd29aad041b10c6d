import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { z } from 'zod'
import { bringsConnections, CONFLICTS, exportHome, type ImportMode, importHome } from '../agent/archive/index.js'
import { openHome } from '../agent/home.js'
import {
  CONNECTION_KINDS,
  type KeptConnections,
  OwnerConnections,
  type SecretPlaces,
} from '../domains/connections/index.js'
import { connectedFolder } from '../domains/files/adapter.js'
import { EXIT, UsageError } from './exit-codes.js'
import { addDataOption } from './options.js'

/** Options of `botpsy export`. */
export interface ExportFlags {
  readonly data?: string
  readonly secrets?: boolean
  readonly files?: boolean
  readonly force?: boolean
}

/** Options of `botpsy import`. */
export interface ImportFlags {
  readonly data?: string
  readonly merge?: boolean
  readonly replace?: boolean
}

/** Adds `export`: everything in one archive. */
export function registerExportCommand(program: Command): void {
  addDataOption(program.command('export'))
    .description('write all your data into one archive, for another machine or as a backup')
    .argument('<file>', 'the archive to make, such as botpsy.tar.gz')
    .option('--files', 'with your files folder')
    .option('--secrets', 'with the passwords of your connections, readable for whoever has the archive')
    .option('--force', 'replace an existing archive')
    .action(async (file: string, flags: ExportFlags) => {
      process.exitCode = await exportCommand(file, flags)
    })
}

/** Adds `import`: an archive of `export` into this machine. */
export function registerImportCommand(program: Command): void {
  addDataOption(program.command('import'))
    .description('bring in an archive that botpsy export made; what is here is kept as a backup')
    .argument('<file>', 'the archive')
    .option('--merge', 'bring in what is missing here')
    .option('--replace', 'put the archive in the place of what is here')
    .action(async (file: string, flags: ImportFlags) => {
      process.exitCode = await importCommand(file, flags)
    })
}

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

/** Exports. @returns the exit code @throws ArchiveError, ConnectionError */
export async function exportCommand(file: string, flags: ExportFlags, places: SecretPlaces = {}): Promise<number> {
  const home = openHome(flags.data)
  const connections = new OwnerConnections(home.root, places)
  const kept = connections.file.read()
  const filesRoot = connectedFolder({ find: (kind) => connectionOf(connections, kept, kind) }) ?? home.files
  const manifest = await exportHome(home.root, file, {
    ...(flags.files ? { filesRoot } : {}),
    ...(flags.secrets ? { secrets: connections } : {}),
    ...(flags.force ? { force: true } : {}),
  })
  const count = Object.keys(manifest.entries).length
  say(
    `${file} holds ${count} files${flags.files ? ', your own files among them' : '; your own files are not in it (--files)'}.`,
  )
  if (flags.secrets)
    say('It holds your passwords: whoever reads it can use your connections. Delete it after the move.')
  else if (Object.values(kept).some((entry) => entry.secret !== 'none'))
    say('Passwords are not in it: on the other machine run botpsy connect for each connection.')
  return EXIT.done
}

const connectionOf = (owner: OwnerConnections, kept: KeptConnections, kind: (typeof CONNECTION_KINDS)[number]) => {
  const entry = kept[kind]
  return entry === undefined ? undefined : owner.connection(kind, entry)
}

/** Imports. @returns the exit code @throws ArchiveError, UsageError */
export async function importCommand(file: string, flags: ImportFlags, places: SecretPlaces = {}): Promise<number> {
  if (flags.merge && flags.replace) throw new UsageError('--merge and --replace exclude each other.')
  if (!existsSync(file)) throw new UsageError(`There is no file ${file}.`)
  const { root } = openHome(flags.data)
  const mode: ImportMode = flags.merge ? 'merge' : flags.replace ? 'replace' : 'fresh'
  const before = new OwnerConnections(root, places)
  const keptBefore = readKept(before)
  const { manifest, backup, conflicts, secrets } = await importHome(root, file, mode)
  openHome(flags.data)
  const after = new OwnerConnections(root, places)
  const notes = await settleConnections(after, keptBefore, secrets, backup, places)
  say(`${file} of ${manifest.made.slice(0, 10)} is in ${root}.`)
  if (backup !== undefined) say(`What was there before is in ${backup}; delete it when all is well.`)
  if (conflicts.length > 0)
    say(
      `These differ and stayed as they were here; the other version is in ${join(root, CONFLICTS)}: ${conflicts.join(', ')}`,
    )
  if (bringsConnections(manifest)) for (const note of notes) say(note)
  say('Check everything with: botpsy doctor')
  return EXIT.done
}

function readKept(owner: OwnerConnections): KeptConnections {
  try {
    return owner.file.read()
  } catch {
    return {}
  }
}

/**
 * Passwords after a move: those of the archive are kept here; those of this machine stay only with the very same
 * connection, so that none ever goes to another server.
 */
async function settleConnections(
  owner: OwnerConnections,
  before: KeptConnections,
  secrets: string | undefined,
  backup: string | undefined,
  places: SecretPlaces,
): Promise<readonly string[]> {
  const notes: string[] = []
  const brought =
    secrets === undefined
      ? {}
      : z.object({ secrets: z.record(z.string(), z.string()) }).parse(JSON.parse(secrets)).secrets
  const old = backup === undefined ? undefined : new OwnerConnections(backup, places)
  for (const kind of CONNECTION_KINDS) {
    const entry = owner.file.read()[kind]
    if (entry === undefined) continue
    const folder = kind === 'files' ? String(entry.settings.folder ?? '') : ''
    if (kind === 'files' && !existsSync(folder)) {
      await owner.drop(kind)
      notes.push(`The files folder ${folder} is not on this machine; the one in ${dirname(owner.file.path)} is used.`)
      continue
    }
    if (entry.secret === 'none') continue
    const same = JSON.stringify(before[kind]?.settings) === JSON.stringify(entry.settings)
    const secret = Object.hasOwn(brought, kind)
      ? brought[kind]
      : same && before[kind]?.secret === 'file'
        ? await old?.credentials.get(kind).catch(() => undefined)
        : undefined
    if (secret !== undefined) await owner.keep(kind, entry.settings, secret)
    else if (!(same && before[kind]?.secret === entry.secret)) {
      await owner.forgetSecret(kind, entry.secret)
      notes.push(`The password for ${kind} did not come along: botpsy connect ${kind}`)
    }
  }
  return notes
}
