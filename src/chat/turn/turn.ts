import type { CallSink } from '../call-reader.js'
import { callOpening } from '../dialect.js'
import type { Malformed, MalformedKind, ParserEvent } from '../events.js'
import type { ParserOptions } from '../parser.js'
import type { Dialect, JsonObject, ToolSpec } from '../types.js'

/** What the text being read is part of; each of these but `over` has a reader of its own. */
export type Mode = 'reasoning' | 'text' | 'call' | 'quote' | 'over'

/** Most characters of a faulty text that a report quotes. */
export const RAW_KEPT = 4096

/** Text that is looked at again only to find a call in it is kept up to this length. */
export const LOOKED_AT = 65_536

const DEFAULT_END_TEXTS = ['<|im_end|>', '<|endoftext|>']

/** One assistant turn while it is read: the text not read yet, the mode, and what was found so far. */
export class Turn implements CallSink {
  /** Text that came and is not read yet. */
  buffer = ''
  mode: Mode
  readonly tools: ReadonlyMap<string, ToolSpec>
  /** Text that opens a call; undefined where the dialect has none. */
  readonly opening: string | undefined
  /** Text that closes a call. */
  readonly closing: string
  readonly endTexts: readonly string[]
  /** Calls announced, calls completed, and reports of calls that were not run. */
  started = 0
  completed = 0
  failed = 0
  /** The model wrote a tool's answer itself: calls after it are not run. */
  invented = false
  private readonly newId: (index: number) => string
  private events: ParserEvent[] = []

  constructor(
    readonly dialect: Dialect,
    options: ParserOptions,
  ) {
    this.tools = toolsByName(options.tools)
    this.newId = options.newId ?? ((index) => `call_${index + 1}`)
    this.endTexts = options.endTexts ?? DEFAULT_END_TEXTS
    this.mode = options.thinkState === 'open' ? 'reasoning' : 'text'
    this.opening = callOpening(dialect)
    this.closing = dialect === 'pythonic' ? '<|tool_call_end|>' : '</tool_call>'
  }

  emit(event: ParserEvent): void {
    this.events.push(event)
  }

  start(name: string): number {
    this.events.push({ type: 'call.start', index: this.started, name })
    return this.started++
  }

  complete(index: number, name: string, args: JsonObject): void {
    if (this.invented) {
      this.report(
        'invented-result',
        `The call of ${name} follows a result that no tool gave; it was not run. Wait for results.`,
        '',
      )
      return
    }
    this.completed++
    this.events.push({ type: 'call.end', index, call: { id: this.newId(index), name, arguments: args } })
  }

  /** Reports what was wrong; `recovered` when every call stands in spite of it. */
  report(kind: MalformedKind, message: string, raw: string, recovered = false): void {
    if (!recovered) this.failed++
    const short: Malformed = { kind, message, raw: raw.slice(0, RAW_KEPT), recovered }
    this.events.push({ type: 'malformed', ...short })
  }

  /** The events since the last time. */
  take(): ParserEvent[] {
    const events = this.events
    this.events = []
    return events
  }
}

const namesByTools = new WeakMap<readonly ToolSpec[], ReadonlyMap<string, ToolSpec>>()

/** The same list serves many turns: its names are gathered once. */
function toolsByName(tools: readonly ToolSpec[] | undefined): ReadonlyMap<string, ToolSpec> {
  if (tools === undefined) return new Map()
  let names = namesByTools.get(tools)
  if (names === undefined || names.size !== tools.length) {
    names = new Map(tools.map((tool) => [tool.name, tool]))
    namesByTools.set(tools, names)
  }
  return names
}
