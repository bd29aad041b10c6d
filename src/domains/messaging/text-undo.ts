import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { JsonObject } from '../../chat/types.js'
import type { ToolResult } from '../../tools/contract.js'
import { done, failed } from '../result.js'
import { type Folder, readText, writeText } from '../store/index.js'

const undoSchema = z.object({ path: z.string(), before: z.string().nullable(), after: z.string() })

const hash = (text: string | undefined): string =>
  text === undefined ? '' : createHash('sha256').update(text).digest('hex').slice(0, 16)

/** How to take back a change of one small text file. */
export function textUndo(path: string, before: string | undefined, after: string): JsonObject {
  return { path, before: before ?? null, after: hash(after) }
}

/** Puts a text file back as it was, unless it was changed again since. */
export function revertText(folder: Folder, undo: JsonObject): ToolResult {
  const parsed = undoSchema.safeParse(undo)
  if (!parsed.success) return failed('That cannot be taken back: its record is unreadable.')
  const { path, before, after } = parsed.data
  const current = readText(folder, path)
  if ((current ?? null) === before) return done('That was taken back already.')
  if (hash(current) !== after) return failed('That cannot be taken back, because it was changed again since.')
  if (before === null) folder.remove(path)
  else writeText(folder, path, before)
  return done('Done, that is taken back.')
}
