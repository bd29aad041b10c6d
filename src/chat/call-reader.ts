import type { MalformedKind, ParserEvent } from './events.js'
import type { JsonObject, ToolSpec } from './types.js'

/** Where a reader stands: more input needed; block finished; finished with a fault, the rest up to the closing tag is
 * to be skipped; no call after all. */
export type ReaderState = 'more' | 'done' | 'skip' | 'text'

/** A fault found by a reader. */
export interface Fault {
  readonly kind: MalformedKind
  readonly message: string
}

/** What readers report to. */
export interface CallSink {
  /** Registered tools by name. */
  readonly tools: ReadonlyMap<string, ToolSpec>
  emit(event: ParserEvent): void
  /** Announces a call; returns its index. */
  start(name: string): number
  /** Completes the call of this index. */
  complete(index: number, name: string, args: JsonObject): void
}

/** Reads one call block, from after its opening tag, in pieces. */
export interface CallReader {
  /** Set when the block is faulty; then no call comes of it. */
  readonly fault: Fault | undefined
  /** How far the last `read` came. */
  readonly at: number
  /** Reads on from `at`; `final` when no more input will come. */
  read(buffer: string, at: number, final: boolean): ReaderState
}

/** The first index at or after `at` that is no white space. */
export function skipSpace(text: string, at: number): number {
  let i = at
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code !== 0x20 && (code < 9 || code > 13)) break
  }
  return i
}

/** How `tag` stands at `at`: wholly, so far as the text goes, or not. */
export function tagAt(text: string, at: number, tag: string): 'yes' | 'part' | 'no' {
  if (text.startsWith(tag, at)) return 'yes'
  return text.length - at < tag.length && tag.startsWith(text.slice(at)) ? 'part' : 'no'
}

/** Longest run of white space, or of a name, that is waited for before a decision. */
export const PATIENCE = 512
