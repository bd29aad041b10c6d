import type { JsonObject, JsonValue } from '../chat/types.js'
import type { ToolResult } from '../tools/contract.js'

/** A success; `lines` after the first are details. */
export function done(
  first: string,
  more: { readonly lines?: readonly string[]; readonly data?: JsonValue; readonly undo?: JsonObject } = {},
): ToolResult {
  return {
    ok: true,
    content: [first, ...(more.lines ?? [])].join('\n'),
    ...(more.data === undefined ? {} : { data: more.data }),
    ...(more.undo === undefined ? {} : { undo: more.undo }),
  }
}

/** A failure that says what to do. */
export function failed(content: string): ToolResult {
  return { ok: false, content }
}

/** No source, shop or server is connected that could do it. */
export function unavailable(content: string): ToolResult {
  return { ok: false, content, unavailable: true }
}

/** A question that the owner must answer first; `content` carries it too. */
export function asked(question: string): ToolResult {
  return { ok: false, content: question, question }
}

/** The beginning of a text on one line, to be told with the first sentence of a result; '' for an empty text. */
export function beginning(text: string, most = 300): string {
  const lines = text
    .slice(0, most * 4)
    .split(/\r?\n/)
    .map((line) => line.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim())
    .filter((line) => line !== '')
  const told = lines.join(' / ')
  return told.length > most || text.length > most * 4 ? `${told.slice(0, most).trimEnd()} …` : told
}
