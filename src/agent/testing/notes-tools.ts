import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import type { JsonObject } from '../../chat/types.js'
import type { Tool } from '../../tools/contract.js'

/**
 * Tools over one text file, for tests of loop, journal and resume: `note_add` appends a line under its idempotency key
 * and can be undone and reconciled, `note_read` shows the lines, `note_send` is outgoing, `note_burn` is irreversible,
 * `page_read` gives untrusted text, `sky_read` is not connected to anything.
 *
 * @param file the effects, one line each: `key<TAB>text`
 * @param page what `page_read` says
 */
export function notesTools(file: string, page = 'A page.'): Tool[] {
  const lines = (): string[] => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [])
  const has = (key: string): boolean => lines().some((line) => line.startsWith(`${key}\t`))
  const write = (key: string, text: string): void => {
    if (!has(key)) appendFileSync(file, `${key}\t${text}\n`)
  }
  const text = (args: JsonObject): string => String(args.text)
  const base = { field: 'research' as const, parameters: z.object({ text: z.string() }) }
  return [
    {
      ...base,
      name: 'note_add',
      description: 'Write a note.',
      effect: () => 'write',
      run: async (args, context) => {
        write(context.idempotencyKey, text(args))
        return { ok: true, content: `Noted: ${text(args)}.`, undo: { key: context.idempotencyKey } }
      },
      revert: async (undo, context) => {
        write(context.idempotencyKey, `undo ${String(undo.key)}`)
        return { ok: true, content: 'The note is gone.' }
      },
      reconcile: async (key, args) =>
        has(key)
          ? { ok: true, content: `Noted: ${text(args)}.`, undo: { key } }
          : { ok: false, content: 'It was not written.' },
    },
    {
      name: 'note_read',
      field: 'research',
      description: 'Show all notes.',
      parameters: z.object({}),
      effect: () => 'read',
      run: async () => ({ ok: true, content: `There are ${lines().length} notes.` }),
    },
    {
      ...base,
      name: 'note_send',
      description: 'Send a note to somebody.',
      parameters: z.object({ text: z.string(), to: z.string().optional() }),
      asks: { to: 'Who should get it?' },
      effect: () => 'write',
      egress: (args) => ({ to: [String(args.to)], what: 'the note' }),
      recipients: (args) => [
        String(args.to) === 'Eve' ? 'eve@evil.example' : `${String(args.to).toLowerCase()}@example.org`,
      ],
      run: async (args, context) => {
        write(context.idempotencyKey, `sent ${text(args)} to ${String(args.to)}`)
        return { ok: true, content: `Sent to ${String(args.to)}.` }
      },
    },
    {
      ...base,
      name: 'note_burn',
      description: 'Destroy a note for good.',
      effect: () => 'irreversible',
      preview: async (args) =>
        text(args) === 'which'
          ? { ok: false, content: 'Which note?', question: 'Which note?' }
          : `Burn the note "${text(args)}".`,
      run: async (args, context) => {
        write(context.idempotencyKey, `burnt ${text(args)}`)
        return { ok: true, content: `Burnt ${text(args)}.` }
      },
    },
    {
      name: 'sky_read',
      field: 'web search',
      description: 'Tell the weather.',
      untrusted: true,
      parameters: z.object({}),
      effect: () => 'read',
      run: async () => ({ ok: false, unavailable: true, content: 'No weather service is connected.' }),
    },
    {
      name: 'page_read',
      field: 'web search',
      description: 'Read a web page.',
      parameters: z.object({}),
      effect: () => 'read',
      untrusted: true,
      run: async () => ({ ok: true, content: page }),
    },
  ]
}
