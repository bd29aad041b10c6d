import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import type { Implementation } from '../implement.js'
import { done, failed } from '../result.js'
import { type Records, StoreError } from '../store/index.js'
import { type FilesStore, TRASH } from './files-store.js'

const planSchema = z.object({
  op: z.enum(['write', 'move', 'trash']),
  path: z.string(),
  /** Where a move or a trashing puts the file. */
  to: z.string().nullable(),
  /** Copy of what a write replaces, null when there was nothing. */
  saved: z.string().nullable(),
  /** SHA-256 of the content afterwards; '' for folders. */
  after: z.string(),
  content: z.string(),
})

/** What one file effect does; kept before it starts, so that a crash can be settled by looking at the files. */
export type FilePlan = z.infer<typeof planSchema>

/** SHA-256 of bytes in hex. */
export function digest(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The hidden place where this effect keeps what it removes or replaces. */
export function trashPlace(key: string, path: string): string {
  return `${TRASH}/${digest(key).slice(0, 16)}/${path.split('/').at(-1) ?? 'file'}`
}

const contentHash = (files: FilesStore, path: string): string | undefined => {
  const entry = files.folder.stat(path)
  if (entry === undefined) return undefined
  return entry.kind === 'folder' ? '' : digest(files.folder.read(path) ?? new Uint8Array())
}

const happened = (files: FilesStore, plan: FilePlan): boolean => {
  if (plan.op === 'write') return contentHash(files, plan.path) === plan.after
  return plan.to !== null && contentHash(files, plan.path) === undefined && contentHash(files, plan.to) === plan.after
}

const resultOf = (plan: FilePlan): ToolResult =>
  done(plan.content, {
    data: { path: plan.to ?? plan.path },
    undo: { op: plan.op, path: plan.path, to: plan.to, saved: plan.saved, after: plan.after },
  })

/**
 * An effect on files, once per key: planned durably, done by renames, remembered. `prepare` says what to do (or why
 * not); `data` is the new content of a write.
 */
export function fileEffect(
  files: FilesStore,
  records: Records,
  tool: string,
  prepare: (
    args: JsonObject,
    context: ToolContext,
  ) => ToolResult | { readonly plan: FilePlan; readonly data?: Uint8Array },
): Implementation {
  const settled = (key: string): ToolResult | undefined => {
    const known = records.done(key)
    if (known) return known
    const plan = records.get('file-plans', digest(key), planSchema)
    if (plan === undefined || !happened(files, plan)) return undefined
    const result = resultOf(plan)
    records.remember(key, tool, result)
    return result
  }
  return {
    run: (args, context) =>
      files.folder.locked(() => {
        const key = context.idempotencyKey
        const known = settled(key)
        if (known) return known
        const prepared = prepare(args, context)
        if ('ok' in prepared) return prepared
        const { plan, data } = prepared
        if (plan.saved !== null) {
          const old = files.folder.read(plan.path)
          if (old !== undefined) files.folder.write(plan.saved, old)
        }
        records.put('file-plans', digest(key), plan)
        if (plan.op === 'write') files.folder.write(plan.path, data ?? new Uint8Array())
        else files.folder.move(plan.path, plan.to as string)
        const result = resultOf(plan)
        try {
          records.remember(key, tool, result)
          records.remove('file-plans', digest(key))
        } catch (error) {
          // It has happened, whatever the disk says now; the plan, which is kept, proves it when the key comes again.
          if (!(error instanceof StoreError)) throw error
        }
        return result
      }),
    reconcile: (key) => files.folder.locked(() => settled(key)),
    revert: (undo) => files.folder.locked(() => revertFile(files, undo)),
  }
}

function revertFile(files: FilesStore, undo: JsonObject): ToolResult {
  const parsed = planSchema.omit({ content: true }).safeParse(undo)
  if (!parsed.success) return failed('That cannot be taken back: its record is unreadable.')
  const { op, path, to, saved, after } = parsed.data
  const taken = done(`Done, ${path} is as it was.`)
  if (op !== 'write') {
    if (to === null) return failed('That cannot be taken back: its record is unreadable.')
    if (files.folder.stat(to) === undefined)
      return files.folder.stat(path) === undefined
        ? failed(`${path} cannot be brought back; it is gone from the trash.`)
        : done('That was taken back already.')
    if (files.folder.stat(path) !== undefined)
      return failed(`${path} exists again, so the old one was not brought back over it.`)
    files.folder.move(to, path)
    return taken
  }
  const current = contentHash(files, path)
  const before = saved === null ? undefined : contentHash(files, saved)
  if (current === before) return done('That was taken back already.')
  if (current !== after) return failed(`${path} was changed again since, so it was left as it is.`)
  if (saved === null) files.folder.remove(path)
  else {
    const old = files.folder.read(saved)
    if (old === undefined) return failed(`The earlier version of ${path} is gone.`)
    files.folder.write(path, old)
  }
  return taken
}
