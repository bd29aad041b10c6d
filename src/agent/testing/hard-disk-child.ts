/**
 * A process on a small disk of its own; nothing-lost.test.ts mounts it. Fills it by every local store in turn until none
 * can write any more, looks what is there, makes room, repeats what failed; then makes the disk read-only and writable
 * again. Prints what it found as JSON.
 *
 * Argument: the folder that the disk is mounted on.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../chat/types.js'
import { createDomains } from '../../domains/domains.js'
import { Journal } from '../journal.js'

const mount = process.argv[2] ?? ''
const home = join(mount, 'home')
const ballast = join(mount, 'ballast')
const filler = 'lorem ipsum '.repeat(120)

const files = (folder: string): string[] =>
  existsSync(join(home, folder))
    ? readdirSync(join(home, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    : []
const times = (texts: readonly string[], mark: RegExp): number =>
  texts.reduce((sum, text) => sum + (text.match(mark)?.length ?? 0), 0)

/** Every local store: how it is written to, and how many whole entries it holds. */
const STORES: readonly {
  readonly name: string
  readonly args: (n: number) => JsonObject
  readonly count: () => Promise<number> | number
}[] = [
  {
    name: 'list_add',
    args: (n) => ({ list: 'things', item: `thing ${n} ${filler}` }),
    count: async () => {
      const shown = await call('list_show', { list: 'things' }, 'show')
      return (shown.data as { items: string[] }[] | undefined)?.[0]?.items.length ?? 0
    },
  },
  {
    name: 'calendar_create',
    args: (n) => ({ title: `meeting ${n} ${filler}`, when: '2026-12-24 at 9' }),
    count: () => times(files('calendar'), /END:VEVENT/g),
  },
  {
    name: 'contact_add',
    args: (n) => ({ name: `Person Number${n}`, detail: filler }),
    count: () => times(files('contacts'), /END:VCARD/g),
  },
  {
    name: 'email_draft',
    args: (n) => ({ to: 'a@example.org', subject: `draft ${n}`, text: filler }),
    count: () => times(files('mail'), /^Subject: draft/gm),
  },
  {
    name: 'file_write',
    args: (n) => ({ path: `paper ${n}.txt`, text: `${filler}end of paper` }),
    count: () => times(files('files'), /end of paper\n/g),
  },
  {
    name: 'memory_tell',
    args: (n) => ({ fact: `fact number ${n} is true: ${filler.slice(0, 400)}` }),
    count: () =>
      times(existsSync(join(home, 'memory.md')) ? [readFileSync(join(home, 'memory.md'), 'utf8')] : [], /^- /gm),
  },
]

let domains = createDomains({ home })
let journal: Journal | undefined

async function call(name: string, args: JsonObject, key: string) {
  const context = { now: () => new Date('2026-12-01T09:00:00Z'), timeZone: 'UTC', request: '', idempotencyKey: key }
  const tool = domains.find((t) => t.name === name)
  if (tool === undefined) throw new Error(name)
  return tool.run(args, context)
}

const log = (n: number): void => {
  journal ??= new Journal(join(home, 'journal.sqlite'))
  const call = { id: `c${n}`, name: 'x', arguments: { filler } }
  journal.append(`run${n}`, { type: 'assistant', content: filler, toolCalls: [call], outputTokens: 1 })
}

writeFileSync(ballast, Buffer.alloc(300_000, 1))
const written: { [store: string]: number } = { journal: 0 }
const failures: { [store: string]: string } = {}
const failedAt: { [store: string]: number } = {}
for (let n = 0; n < 500 && Object.keys(failures).length < STORES.length + 1; n++) {
  for (const { name, args } of STORES) {
    if (failures[name] !== undefined) continue
    const result = await call(name, args(n), `${name}${n}`)
    if (result.ok) written[name] = (written[name] ?? 0) + 1
    else {
      failures[name] = result.content
      failedAt[name] = n
    }
  }
  if (failures.journal !== undefined) continue
  try {
    log(n)
    written.journal = n + 1
  } catch (error) {
    failures.journal = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    failedAt.journal = n
  }
}

const counts = async (): Promise<{ [store: string]: number }> => {
  // As after a restart: nothing is known but what is on the disk.
  domains.close()
  journal?.close()
  domains = createDomains({ home })
  journal = new Journal(join(home, 'journal.sqlite'))
  const out: { [store: string]: number } = {}
  for (const { name, count } of STORES) out[name] = await count()
  out.journal = journal.ofType('assistant', 10_000).length
  return out
}

rmSync(join(mount, 'ballast'))
const kept = await counts()
const repeated: { [store: string]: boolean } = {}
for (const { name, args } of STORES) {
  const n = failedAt[name] ?? 0
  const first = await call(name, args(n), `${name}${n}`)
  const second = await call(name, args(n), `${name}${n}`)
  repeated[name] = first.ok && second.ok
}
log(failedAt.journal ?? 0)
const after = await counts()

/** A disk with files that are open for writing does not become read-only. */
const close = (): void => {
  domains.close()
  journal?.close()
  journal = undefined
}
close()
execFileSync('mount', ['-o', 'remount,ro', mount])
const readOnly: { [store: string]: string } = {}
for (const { name, args } of STORES) {
  const result = await call(name, args(9999), `${name}9999`)
  readOnly[name] = result.ok ? 'written' : result.content
}
try {
  log(9999)
  readOnly.journal = 'written'
} catch (error) {
  readOnly.journal = error instanceof Error ? error.message : String(error)
}
close()
execFileSync('mount', ['-o', 'remount,rw', mount])
const end = await counts()
process.stdout.write(JSON.stringify({ written, failures, kept, repeated, after, readOnly, end }))
