import type { ToolCall } from './types.js'

/** Why the text ended: the end-of-turn token, the token limit, a stop text, the caller's abort. */
export type EndReason = 'end' | 'length' | 'stop' | 'abort'

/** What was wrong with what the model wrote. */
export type MalformedKind =
  /** A call stands only in the hidden reasoning. */
  | 'call-in-think'
  /** The text ended inside a call. */
  | 'unfinished-call'
  /** The call's own form is broken: tags, names, JSON. */
  | 'bad-call'
  /** `</parameter>` stands twice. */
  | 'doubled-closing'
  /** The same parameter or key stands twice. */
  | 'duplicate-parameter'
  /** The block has no `<tool_call>` before it. */
  | 'missing-opening'
  /** The call is wrapped in tags of another format. */
  | 'unknown-wrapper'
  /** NUL characters or lone surrogates in a name or value. */
  | 'refused-characters'
  /** Visible text after a call; it is left out of the message. */
  | 'text-after-call'
  /** The model wrote a tool's answer itself; what follows it is not run. */
  | 'invented-result'

/** A report on text that is no proper turn. */
export interface Malformed {
  readonly kind: MalformedKind
  /** Fit to be fed back to the model: what was wrong, what happened, what to write instead. */
  readonly message: string
  /** The text in question, shortened. */
  readonly raw: string
  /** True when the calls stand in spite of it; false when something that looks like a call was not run. */
  readonly recovered: boolean
}

/** What a parser says. Only `call.end` may lead to a run; `call.start` and `argument` are for display. */
export type ParserEvent =
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call.start'; readonly index: number; readonly name: string }
  /** A piece of an argument's raw text; `key` is empty where a dialect writes all arguments in one value. */
  | { readonly type: 'argument'; readonly index: number; readonly key: string; readonly text: string }
  | { readonly type: 'call.end'; readonly index: number; readonly call: ToolCall }
  | ({ readonly type: 'malformed' } & Malformed)
