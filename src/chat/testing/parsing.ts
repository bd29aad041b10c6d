import type { EndReason, ParserEvent } from '../events.js'
import { type ParsedTurn, parseAll } from '../parse-all.js'
import type { ParserOptions } from '../parser.js'
import type { Dialect } from '../types.js'
import { tools } from './generate.js'

/** Parser options, how the text ended, and its dialect. */
export type ParseOptions = ParserOptions & { readonly reason?: EndReason; readonly dialect?: Dialect }

/** A whole text parsed with the tools of the tests; Qwen3.5's dialect and a closed think block unless told. */
export function parse(text: string, options: ParseOptions = {}): ParsedTurn {
  return parseAll(text, { dialect: 'qwen3.5', tools, thinkState: 'closed', ...options })
}

/** A call of set_light with these parameters as raw text. */
export function block(parameters: { readonly [key: string]: string }, name = 'set_light'): string {
  const body = Object.entries(parameters).map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`)
  return `<tool_call>\n<function=${name}>\n${body.join('')}</function>\n</tool_call>`
}
/** A call that switches Otto on, as text. */
export const on = block({ name: 'Otto', on: 'True' })
/** The same call, read. */
export const onCall = { id: 'call_1', name: 'set_light', arguments: { name: 'Otto', on: true } }
/** What events say, in one text. */
export const collectText = (events: readonly ParserEvent[]) =>
  events.map((event) => ('text' in event ? event.text : event.type)).join('')
/** The kinds of the reports, in order. */
export const kinds = (parsed: {
  readonly malformed: readonly { readonly kind: string; readonly recovered: boolean }[]
}) => parsed.malformed.map((report) => `${report.kind}${report.recovered ? ' (recovered)' : ''}`)
