import { readFileSync } from 'node:fs'
import { text as readAll } from 'node:stream/consumers'
import type { Command } from 'commander'
import { openHome } from '../agent/home.js'
import { makeVisible } from '../agent/visible.js'
import { ADAPTERS } from '../domains/connections/adapters.js'
import {
  CONNECTION_KINDS,
  type ConnectionAdapter,
  type ConnectionKind,
  checkSettings,
  type Finding,
  OwnerConnections,
  probeConnection,
  type SecretPlaces,
} from '../domains/connections/index.js'
import { askInTerminal } from './ask-connection.js'
import { EXIT, UsageError } from './exit-codes.js'
import { addDataOption } from './options.js'

/** Options of `botpsy connect`. */
export interface ConnectFlags {
  readonly data?: string
  readonly set?: readonly string[]
  readonly secretStdin?: boolean
  readonly secretEnv?: string
  readonly secretFile?: string
  readonly keep?: boolean
  readonly json?: boolean
}

/** What the commands work with; tests put other parts here. */
export interface ConnectParts {
  readonly adapters?: readonly ConnectionAdapter[]
  readonly places?: SecretPlaces
  readonly input?: NodeJS.ReadStream
  readonly output?: NodeJS.WriteStream
  readonly env?: NodeJS.ProcessEnv
}

/** Adds `connect`: lists what is connected, or asks for a server, tries it and keeps it. */
export function registerConnectCommand(program: Command): void {
  addDataOption(program.command('connect'))
    .description('connect a server or folder, or list what is connected')
    .argument('[kind]', CONNECTION_KINDS.join(', '))
    .option('--set <name=value>', 'an answer, for scripts; may be given several times', (value, all: string[]) => [
      ...(all ?? []),
      value,
    ])
    .option('--secret-stdin', 'read the password or token from standard input')
    .option('--secret-env <variable>', 'take the password or token from an environment variable')
    .option('--secret-file <file>', 'read the password or token from a file')
    .option('--keep', 'keep the connection even when trying it fails')
    .option('--json', 'print what is connected, or what was found, as JSON')
    .action(async (kind: string | undefined, flags: ConnectFlags) => {
      process.exitCode = kind === undefined ? listConnections(flags) : await connect(kind, flags)
    })
}

/** Adds `disconnect`: forgets a server and its password. */
export function registerDisconnectCommand(program: Command): void {
  addDataOption(program.command('disconnect'))
    .description('forget a connected server or folder and its password')
    .argument('<kind>', CONNECTION_KINDS.join(', '))
    .action(async (kind: string, flags: ConnectFlags) => {
      process.exitCode = await disconnect(kind, flags)
    })
}

const say = (text: string, output: NodeJS.WritableStream = process.stdout): void => {
  output.write(`${makeVisible(text)}\n`)
}

function kindOf(kind: string): ConnectionKind {
  const known = CONNECTION_KINDS.find((k) => k === kind.toLowerCase())
  if (known === undefined) throw new UsageError(`${kind} cannot be connected. Kinds: ${CONNECTION_KINDS.join(', ')}`)
  return known
}

/** Lists what is connected; settings only. @returns the exit code */
export function listConnections(flags: Pick<ConnectFlags, 'data' | 'json'>, parts: ConnectParts = {}): number {
  const adapters = parts.adapters ?? ADAPTERS
  const kept = new OwnerConnections(openHome(flags.data).root, parts.places).file.read()
  if (flags.json) {
    say(JSON.stringify(kept, null, 2), parts.output)
    return EXIT.done
  }
  const lines = CONNECTION_KINDS.map((kind) => {
    const title = adapters.find((a) => a.kind === kind)?.title ?? kind
    const entry = kept[kind]
    if (entry === undefined) return `${kind.padEnd(14)} not connected   ${title}`
    const settings = Object.entries(entry.settings).map(([name, value]) => `${name} ${String(value)}`)
    const secret = { none: '', keyring: ', password in the keyring', file: ', password in credentials.json' }
    return `${kind.padEnd(14)} ${settings.join(', ')}${secret[entry.secret]}`
  })
  say(`${lines.join('\n')}\n\nConnect one with: botpsy connect KIND. Check all with: botpsy doctor`, parts.output)
  return EXIT.done
}

/** Forgets one. @returns the exit code */
export async function disconnect(
  kind: string,
  flags: Pick<ConnectFlags, 'data'>,
  parts: ConnectParts = {},
): Promise<number> {
  const known = kindOf(kind)
  const gone = await new OwnerConnections(openHome(flags.data).root, parts.places).drop(known)
  say(gone ? `${known} is disconnected; its password is forgotten.` : `${known} was not connected.`, parts.output)
  return gone ? EXIT.done : EXIT.failed
}

/**
 * Asks for what the kind needs, tries it, says what was found, and keeps it when it works or the owner insists.
 * @returns the exit code
 * @throws UsageError when answers are missing and nobody can be asked; ConnectionError `settings`
 */
export async function connect(kind: string, flags: ConnectFlags, parts: ConnectParts = {}): Promise<number> {
  const { input = process.stdin, output = process.stdout, env = process.env } = parts
  const known = kindOf(kind)
  const adapter = (parts.adapters ?? ADAPTERS).find((a) => a.kind === known)
  if (adapter === undefined) throw new UsageError(`${known} cannot be connected by this version.`)
  const connections = new OwnerConnections(openHome(flags.data).root, parts.places)
  const given = readSet(adapter, flags.set ?? [])
  let secret = await readSecret(flags, input, env)
  const missing = adapter.questions.filter(
    (q) => !q.optional && (q.secret ? secret === undefined : given[q.name] === undefined),
  )
  const present = input.isTTY === true && output.isTTY === true && flags.json !== true
  let answers: { readonly [name: string]: string } = given
  if (present && (missing.length > 0 || flags.set === undefined)) {
    const asked = await askInTerminal(adapter, given, secret, connections.file.read()[known]?.settings, input, output)
    if (asked === undefined) return EXIT.aborted
    answers = asked.answers
    secret = asked.secret
  } else if (missing.length > 0) {
    throw new UsageError(
      `${adapter.title}: ${missing.map((q) => (q.secret ? 'the password or token (--secret-stdin, --secret-env or --secret-file)' : `--set ${q.name}=… (${q.prompt})`)).join('; ')} is missing.`,
    )
  }
  const settings = checkSettings(adapter, answers)
  if (present) output.write(`Trying the ${adapter.title} …\n`)
  const tentative = connections.tentative(known, settings, secret)
  const found = await probeConnection(adapter, tentative, (text) => connections.redact(text))
  const works = found[0]?.ok === true
  let keep = works || flags.keep === true
  if (flags.json !== true) say(found.map(findingText).join('\n'), output)
  if (!keep && present) {
    const { confirm, isCancel } = await import('@clack/prompts')
    const answer = await confirm({ message: 'Keep it anyway?', initialValue: false, input, output })
    keep = !isCancel(answer) && answer
  }
  const place = keep ? await connections.keep(known, settings, secret) : undefined
  if (flags.json) say(JSON.stringify({ kind: known, kept: keep, findings: found }, null, 2), output)
  else if (place === undefined) say('It is not kept. Try again, or add --keep to keep it as it is.', output)
  else
    say(
      `${adapter.title} is kept${place === 'none' ? '' : place === 'keyring' ? ", its password in the system's keyring" : `, its password in ${connections.credentials.path}, which only you can read`}.`,
      output,
    )
  return works || keep ? EXIT.done : EXIT.failed
}

/** One finding as the owner reads it. */
export function findingText({ ok, text, todo }: Finding): string {
  return `${ok ? '✓' : '✗'} ${text}${todo === undefined ? '' : `\n  → ${todo}`}`
}

function readSet(adapter: ConnectionAdapter, pairs: readonly string[]): { readonly [name: string]: string } {
  const out = new Map<string, string>()
  const names = [
    ...adapter.questions.filter((q) => !q.secret).map((q) => q.name),
    ...Object.keys(adapter.settings.shape),
  ]
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    const name = at < 0 ? '' : pair.slice(0, at).trim()
    if (adapter.questions.some((q) => q.secret && q.name === name))
      throw new UsageError(
        'A password on the command line can be seen by others. Use --secret-stdin, --secret-env or --secret-file.',
      )
    // The value is not shown: somebody may have put a password there.
    if (!names.includes(name))
      throw new UsageError(`--set needs name=value with one of: ${[...new Set(names)].join(', ')}`)
    out.set(name, pair.slice(at + 1))
  }
  return Object.fromEntries(out)
}

async function readSecret(
  flags: ConnectFlags,
  input: NodeJS.ReadStream,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const line = (text: string): string | undefined => {
    const secret = text.replace(/\r?\n$/, '')
    return secret === '' ? undefined : secret
  }
  if (flags.secretStdin) return line(await readAll(input))
  if (flags.secretEnv !== undefined) {
    const value = env[flags.secretEnv]
    if (value === undefined) throw new UsageError(`The environment variable ${flags.secretEnv} is not set.`)
    return line(value)
  }
  if (flags.secretFile !== undefined) {
    try {
      return line(readFileSync(flags.secretFile, 'utf8'))
    } catch {
      throw new UsageError(`The file ${flags.secretFile} cannot be read.`)
    }
  }
  return undefined
}
