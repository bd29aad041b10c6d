import { type CallReader, type CallSink, PATIENCE, skipSpace, tagAt } from './call-reader.js'
import { coerceObject } from './coerce.js'
import { callOpening } from './dialect.js'
import type { EndReason, Malformed, MalformedKind, ParserEvent } from './events.js'
import { decodeHermesCall, HermesCallReader } from './hermes-reader.js'
import { TextContext } from './markdown.js'
import { isPythonSpace } from './python-text.js'
import { PythonicCallReader } from './pythonic-reader.js'
import { QwenCallReader } from './qwen-reader.js'
import type { ThinkState } from './render.js'
import type { Dialect, JsonObject, ToolSpec } from './types.js'

/** What a parser needs to know before the first piece of text. */
export interface ParserOptions {
  /** The tools that were shown; their schemas decide what values become. */
  readonly tools?: readonly ToolSpec[] | undefined
  /** How the prompt left the think block (`Rendered.thinkState`). Default: absent. */
  readonly thinkState?: ThinkState
  /** Id of the call with this index. Default: `call_1`, `call_2`, … */
  readonly newId?: (index: number) => string
  /** Texts of end-of-turn tokens; dropped when they stand last, should an engine pass one through. */
  readonly endTexts?: readonly string[]
}

/** Turns the text that a model writes into events, in any split. Neither method ever throws on any input. */
export interface Parser {
  /** Takes the next piece of text. */
  push(text: string): ParserEvent[]
  /** Tells that no more will come, and why; later calls do nothing. */
  end(reason: EndReason): ParserEvent[]
}

/** A parser of one assistant turn in this dialect. */
export function createParser(dialect: Dialect, options: ParserOptions = {}): Parser {
  return new TurnParser(dialect, options)
}

/** Wrappers of other formats: a block in them that names a registered tool was meant as a call. */
const WRAPPERS = [
  'function_call',
  'function_calls',
  'tool_calls',
  'tool_use',
  'tool_code',
  'tool_request',
  'invoke',
  'action',
]

const RAW_KEPT = 4096

/** Text that is looked at again only to find a call in it is kept up to this length. */
const LOOKED_AT = 65_536

/** The tags that matter in visible text, by their second and third character. */
interface TagIndex {
  readonly all: readonly string[]
  readonly longest: number
  readonly byStart: ReadonlyMap<string, readonly string[]>
}

const tagIndexes = new Map<string, TagIndex>()

function tagIndexOf(dialect: Dialect, opening: string | undefined, endTexts: readonly string[]): TagIndex {
  const name = JSON.stringify([dialect, endTexts])
  let index = tagIndexes.get(name)
  if (index === undefined) {
    const all = [
      ...(opening === undefined ? [] : [opening]),
      ...(dialect === 'qwen3.5' ? ['<function='] : []),
      ...(dialect === 'hermes' ? ['</tool_call>'] : []),
      ...(dialect === 'plain'
        ? []
        : ['<tool_response>', ...WRAPPERS.flatMap((wrapper) => [`<${wrapper}>`, `</${wrapper}>`])]),
      '<think>',
      '</think>',
      ...endTexts,
    ]
    const byStart = new Map<string, string[]>()
    for (const tag of all) byStart.set(tag.slice(1, 3), [...(byStart.get(tag.slice(1, 3)) ?? []), tag])
    index = { all, longest: Math.max(...all.map((tag) => tag.length)), byStart }
    if (tagIndexes.size < 64) tagIndexes.set(name, index)
  }
  return index
}

const DEFAULT_END_TEXTS = ['<|im_end|>', '<|endoftext|>']

const namesByTools = new WeakMap<readonly ToolSpec[], ReadonlyMap<string, ToolSpec>>()

function namesOf(tools: readonly ToolSpec[] | undefined): ReadonlyMap<string, ToolSpec> {
  if (tools === undefined) return new Map()
  let names = namesByTools.get(tools)
  if (names === undefined || names.size !== tools.length) {
    names = new Map(tools.map((tool) => [tool.name, tool]))
    namesByTools.set(tools, names)
  }
  return names
}

class TurnParser implements Parser, CallSink {
  private buffer = ''
  private events: ParserEvent[] = []
  private mode: 'reasoning' | 'text' | 'call' | 'skip' | 'quote' | 'over'
  readonly tools: ReadonlyMap<string, ToolSpec>
  private readonly newId: (index: number) => string
  private readonly opening: string | undefined
  private readonly endTexts: readonly string[]
  private readonly tags: TagIndex
  private readonly context = new TextContext()
  private reader: CallReader | undefined
  /** Text of the block being read, shortened. */
  private raw = ''
  private closing = ''
  private started = 0
  private completed = 0
  private failed = 0
  private reasoned = false
  private lastReasoned = ''
  /** Reasoning from the first opening of a call on, where there is one. */
  private draft = ''
  private carry = ''
  private spoke = false
  /** An opening of a call was shown as text. */
  private shown = false
  /** Visible text from the first fenced or quoted opening on. */
  private example: string | undefined
  /** Hermes: the last stretch of visible text, where a call without its opening may stand. */
  private recent = ''
  private trailing = ''
  private invented = false
  /** White space (and end-of-turn texts) that is dropped unless something follows. */
  private space = ''
  private wrapper: { readonly name: string; text: string } | undefined

  constructor(
    private readonly dialect: Dialect,
    options: ParserOptions,
  ) {
    this.tools = namesOf(options.tools)
    this.newId = options.newId ?? ((index) => `call_${index + 1}`)
    this.endTexts = options.endTexts ?? DEFAULT_END_TEXTS
    this.mode = options.thinkState === 'open' ? 'reasoning' : 'text'
    this.opening = callOpening(dialect)
    this.tags = tagIndexOf(dialect, this.opening, this.endTexts)
  }

  emit(event: ParserEvent): void {
    this.events.push(event)
  }

  start(name: string): number {
    this.events.push({ type: 'call.start', index: this.started, name })
    return this.started++
  }

  push(text: string): ParserEvent[] {
    if (this.mode === 'over' || text === '') return []
    this.buffer = this.buffer === '' ? text : this.buffer + text
    this.run(false)
    return this.take()
  }

  end(reason: EndReason): ParserEvent[] {
    if (this.mode === 'over') return []
    this.run(true)
    this.close(reason)
    this.mode = 'over'
    this.buffer = ''
    return this.take()
  }

  private take(): ParserEvent[] {
    const events = this.events
    this.events = []
    return events
  }

  /** Works on until more input is needed; each step leaves the rest in `buffer`. */
  private run(final: boolean): void {
    let going = true
    while (going) {
      switch (this.mode) {
        case 'reasoning':
          going = this.readReasoning(final)
          break
        case 'text':
          going = this.readText(final)
          break
        case 'call':
          going = this.readCall(final)
          break
        case 'skip':
          going = this.skipBlock(final)
          break
        case 'quote':
          going = this.readQuote(final)
          break
        case 'over':
          going = false
      }
    }
  }

  // --- hidden reasoning

  private readReasoning(final: boolean): boolean {
    const buffer = this.buffer
    if (!this.reasoned) {
      // White space here is dropped anyway; a model may open the block once more.
      const i = spaceEnd(buffer, 0)
      const again = tagAt(buffer, i, '<think>')
      if (again === 'part' && !final) {
        this.buffer = buffer.slice(i)
        return false
      }
      if (again === 'yes') {
        this.buffer = buffer.slice(i + '<think>'.length)
        return true
      }
    }
    let from = 0
    for (;;) {
      const end = buffer.indexOf('</think>', from)
      if (end < 0) {
        const cut = final ? buffer.length : heldFrom(buffer, from, '</think>')
        this.emitReasoning(buffer.slice(0, cut))
        this.buffer = buffer.slice(cut)
        return false
      }
      const before = end > 0 ? buffer[end - 1]! : this.lastReasoningChar()
      if (before === '`' || before === '"') {
        from = end + 1
        continue
      }
      this.emitReasoning(buffer.slice(0, end))
      this.space = ''
      this.mode = 'text'
      this.buffer = buffer.slice(end + '</think>'.length)
      return true
    }
  }

  private lastReasoningChar(): string {
    return this.space === '' ? this.lastReasoned : ' '
  }

  private emitReasoning(text: string): void {
    if (text === '') return
    const from = this.reasoned ? 0 : spaceEnd(text, 0)
    const to = spaceStart(text)
    if (to <= from) {
      if (this.reasoned) this.space += text
      return
    }
    const said = this.space + text.slice(from, to)
    this.space = text.slice(to)
    this.reasoned = true
    this.lastReasoned = said[said.length - 1]!
    if (this.opening !== undefined) this.keepDraft(said, this.opening)
    this.events.push({ type: 'reasoning', text: said })
  }

  /** Keeps reasoning from the first opening of a call on; before that only what could be the opening's beginning. */
  private keepDraft(said: string, opening: string): void {
    if (this.draft !== '') {
      if (this.draft.length < LOOKED_AT) this.draft += said
      return
    }
    const text = this.carry + said
    const at = text.indexOf(opening)
    if (at >= 0) this.draft = text.slice(at)
    else {
      const held = heldFrom(text, 0, opening)
      this.carry = held < text.length && text[held] === '<' ? text.slice(held) : ''
    }
  }

  // --- visible text

  private readText(final: boolean): boolean {
    const buffer = this.buffer
    let from = 0
    for (let i = buffer.indexOf('<'); i >= 0; i = buffer.indexOf('<', i + 1)) {
      const second = buffer.charCodeAt(i + 1)
      // Letters, `/` and `|` begin our tags; anything else is text without a closer look.
      if (i + 1 < buffer.length && second !== 0x2f && second !== 0x7c && (second < 0x61 || second > 0x7a)) continue
      const tag = this.tagIn(buffer, i)
      if (tag === undefined) continue
      if (tag === '') {
        if (final) continue
        this.emitText(buffer.slice(from, i))
        this.buffer = buffer.slice(i)
        return false
      }
      this.emitText(buffer.slice(from, i))
      from = i
      const end = i + tag.length
      const quoted = tag === this.opening && this.context.quoted && !this.context.fenced
      const example = quoted ? this.exampleAt(buffer, end) : 'no'
      if (example === 'part' && !final) {
        this.buffer = buffer.slice(i)
        return false
      }
      if (example === 'yes') {
        this.quote(tag)
        this.buffer = buffer.slice(end)
        return true
      }
      if (!quoted && this.handleTag(tag)) {
        this.buffer = buffer.slice(end)
        return true
      }
      this.emitText(tag)
      from = end
      i = end - 1
    }
    const cut = final ? buffer.length : holdSurrogate(buffer, from, buffer.length)
    this.emitText(buffer.slice(from, cut))
    this.buffer = buffer.slice(cut)
    return false
  }

  /** The tag that stands at `i`; empty when one may be coming; undefined when none is. */
  private tagIn(buffer: string, i: number): string | undefined {
    if (i + 2 < buffer.length) {
      const tags = this.tags.byStart.get(buffer.slice(i + 1, i + 3))
      if (tags === undefined) return undefined
      for (const tag of tags) if (buffer.startsWith(tag, i)) return tag
    }
    const left = buffer.length - i
    if (left >= this.tags.longest) return undefined
    const rest = buffer.slice(i)
    return this.tags.all.some((tag) => tag.length > left && tag.startsWith(rest)) ? '' : undefined
  }

  /** Acts on a tag in visible text; false when it is text itself. */
  private handleTag(tag: string): boolean {
    if (this.endTexts.includes(tag)) {
      this.space += tag
      return true
    }
    if (tag === '<think>' || tag === '</think>') return this.handleThink(tag)
    if (tag === this.opening && this.context.example) this.shown = true
    if (this.context.fenced) {
      if (tag === this.opening) this.example ??= ''
      return false
    }
    if (this.context.example) return false
    if (tag === this.opening) return this.open(tag)
    if (tag === '<function=') return this.context.lineStart && this.tools.size > 0 && this.open(tag)
    if (tag === '</tool_call>') return this.recoverHermes()
    if (tag === '<tool_response>') {
      if (this.completed > 0) this.invented = true
      return false
    }
    this.handleWrapper(tag)
    return false
  }

  private handleThink(tag: string): boolean {
    if (this.spoke || this.trailing !== '' || this.started > 0) return false
    this.space = ''
    // A block that opens at the very start is reasoning, whatever the prompt promised; a stray end is dropped.
    if (tag === '<think>') {
      this.mode = 'reasoning'
      if (this.reasoned) this.space = '\n\n'
    }
    return true
  }

  private open(tag: string): boolean {
    const recover = tag === '<function='
    this.reader =
      this.dialect === 'qwen3.5'
        ? new QwenCallReader(this, recover)
        : this.dialect === 'hermes'
          ? new HermesCallReader(this)
          : new PythonicCallReader(this)
    this.raw = tag
    this.closing = this.dialect === 'pythonic' ? '<|tool_call_end|>' : '</tool_call>'
    this.mode = 'call'
    return true
  }

  /** Whether a call's body follows a quoted opening; a mere mention of the tag is over at once. */
  private exampleAt(buffer: string, at: number): 'yes' | 'part' | 'no' {
    const i = skipSpace(buffer, at)
    if (i === buffer.length) return i - at > PATIENCE ? 'no' : 'part'
    if (this.dialect === 'qwen3.5') return tagAt(buffer, i, '<function=')
    return buffer[i] === (this.dialect === 'hermes' ? '{' : '[') ? 'yes' : 'no'
  }

  /** A quoted example is text to its end, whatever it holds. */
  private quote(tag: string): void {
    this.shown = true
    this.example ??= ''
    this.emitText(tag)
    this.closing = this.dialect === 'pythonic' ? '<|tool_call_end|>' : '</tool_call>'
    this.mode = 'quote'
  }

  private handleWrapper(tag: string): void {
    const name = tag.replace(/[<>/]/g, '')
    if (tag[1] !== '/') {
      if (this.wrapper === undefined && this.context.lineStart) this.wrapper = { name, text: '' }
      return
    }
    const wrapper = this.wrapper
    if (wrapper === undefined || wrapper.name !== name) return
    this.wrapper = undefined
    const words = new Set(wrapper.text.split(/[^\w.-]+/))
    const named = [...this.tools.keys()].find((tool) => words.has(tool))
    if (named !== undefined) {
      const raw = `${wrapper.text}${tag}`
      this.report(
        'unknown-wrapper',
        `The call of ${named} stands in <${name}>, not in ${this.opening}; it was not run.`,
        raw,
      )
    }
  }

  /** Hermes: a closing tag whose opening is missing. The JSON before it, on a line of its own, is run if it is a call. */
  private recoverHermes(): boolean {
    const text = this.completed > 0 ? this.trailing : this.recent
    const from = [...text.matchAll(/^ {0,3}\{\s*"name"/gm)].at(-1)?.index
    // An end-of-turn text between the two: the tag does not close that JSON.
    if (from === undefined || this.space.trim() !== '') return false
    const raw = text.slice(from).trim()
    const call = decodeHermesCall(raw)
    if (!call.ok || !this.tools.has(call.name)) {
      this.report('missing-opening', 'A closing </tool_call> has no <tool_call> before it; nothing was run.', raw)
      return true
    }
    const index = this.start(call.name)
    this.complete(index, call.name, coerceObject(call.arguments, this.tools.get(call.name)))
    this.report('missing-opening', `<tool_call> is missing before the call of ${call.name}.`, raw, true)
    if (text === this.trailing) this.trailing = ''
    return true
  }

  private emitText(text: string): void {
    if (text === '') return
    if (this.wrapper !== undefined) {
      this.wrapper.text += text
      if (this.wrapper.text.length > 16 * RAW_KEPT) this.wrapper = undefined
    }
    this.context.add(text)
    const after = this.completed > 0 && this.dialect !== 'pythonic'
    const first = after ? this.trailing === '' : !this.spoke
    const from = first ? spaceEnd(text, 0) : 0
    const to = spaceStart(text)
    if (to <= from) {
      if (!first) this.space += text
      return
    }
    const lead = first ? '' : this.space
    const said = lead + text.slice(from, to)
    this.space = text.slice(to)
    if (after) {
      if (this.trailing.length < RAW_KEPT) this.trailing += said
      return
    }
    this.spoke = true
    if (this.example !== undefined && this.example.length < LOOKED_AT) this.example += said
    if (this.dialect === 'hermes') {
      this.recent += said
      if (this.recent.length > 2 * LOOKED_AT) this.recent = this.recent.slice(-LOOKED_AT)
    }
    this.events.push({ type: 'text', text: said })
  }

  // --- calls

  private readCall(final: boolean): boolean {
    const reader = this.reader!
    const buffer = this.buffer
    const state = reader.read(buffer, 0, final)
    this.keepRaw(buffer.slice(0, reader.at))
    this.buffer = buffer.slice(reader.at)
    if (state === 'more') return false
    if (state === 'skip') {
      this.mode = 'skip'
      return true
    }
    this.reader = undefined
    this.mode = 'text'
    if (state === 'text') {
      this.emitText(this.raw)
      return true
    }
    this.afterBlock()
    if (reader.fault !== undefined) this.reportFault(reader.fault.kind, reader.fault.message)
    else if (this.raw.startsWith('<function=')) {
      this.report(
        'missing-opening',
        '<tool_call> is missing before <function=…>; write it on a line of its own.',
        this.raw,
        true,
      )
    }
    return true
  }

  /** Passes over a faulty call to its closing tag. */
  private skipBlock(final: boolean): boolean {
    const buffer = this.buffer
    const end = buffer.indexOf(this.closing)
    const cut = end >= 0 ? end + this.closing.length : final ? buffer.length : heldFrom(buffer, 0, this.closing)
    this.keepRaw(buffer.slice(0, cut))
    this.buffer = buffer.slice(cut)
    if (end < 0) return false
    this.reportFault(this.reader!.fault!.kind, this.reader!.fault!.message)
    this.reader = undefined
    this.afterBlock()
    this.mode = 'text'
    return true
  }

  /**
   * Passes on a quoted example. It ends with the closing tag, unless another example follows at once; an opening on a
   * line of its own before that means that the first was only spoken about.
   */
  private readQuote(final: boolean): boolean {
    const buffer = this.buffer
    const opening = this.opening!
    const stops = [this.closing, opening, ...this.endTexts]
    let at = -1
    let tag = ''
    let held = buffer.length
    for (const stop of stops) {
      const i = buffer.indexOf(stop)
      if (i >= 0 && (at < 0 || i < at)) {
        at = i
        tag = stop
      }
      held = Math.min(held, heldFrom(buffer, 0, stop))
    }
    if (at < 0) {
      const cut = final ? buffer.length : held
      this.emitText(buffer.slice(0, cut))
      this.buffer = buffer.slice(cut)
      return false
    }
    this.emitText(buffer.slice(0, at))
    if (tag === this.closing) {
      const end = at + tag.length
      const next = skipSpace(buffer, end)
      const more = next === buffer.length ? (next - end > PATIENCE ? 'no' : 'part') : tagAt(buffer, next, opening)
      if (more === 'part' && !final) {
        this.buffer = buffer.slice(at)
        return false
      }
      const cut = more === 'yes' ? next + opening.length : end
      this.emitText(buffer.slice(at, cut))
      this.buffer = buffer.slice(cut)
      if (more !== 'yes') this.mode = 'text'
      return true
    }
    if (tag === opening && !this.context.lineStart) {
      this.emitText(tag)
      this.buffer = buffer.slice(at + tag.length)
      return true
    }
    this.buffer = buffer.slice(at)
    this.mode = 'text'
    return true
  }

  /** What follows a block starts anew, apart from the text before it. */
  private afterBlock(): void {
    this.space = '\n\n'
    this.context.add('\n')
  }

  private keepRaw(text: string): void {
    if (this.raw.length < RAW_KEPT) this.raw += text.slice(0, RAW_KEPT)
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

  private reportFault(kind: MalformedKind, message: string): void {
    this.report(kind, `${message} The call was not run.`, this.raw)
  }

  private report(kind: MalformedKind, message: string, raw: string, recovered = false): void {
    if (!recovered) this.failed++
    const short: Malformed = { kind, message, raw: raw.slice(0, RAW_KEPT), recovered }
    this.events.push({ type: 'malformed', ...short })
  }

  // --- the end

  private close(reason: EndReason): void {
    const cut = reason === 'end' ? 'The text ended' : 'The text was cut off'
    if (this.mode === 'skip') this.reportFault(this.reader!.fault!.kind, this.reader!.fault!.message)
    else if (this.mode === 'call') {
      this.keepRaw(this.buffer)
      this.report(
        'unfinished-call',
        `${cut} inside a call, before its closing tags. The call was not run; write it whole.`,
        this.raw,
      )
    }
    if (this.trailing !== '') {
      const invented = this.invented
      const message = invented
        ? 'Only tools give results; the answer you wrote for one was discarded. Stop after your calls and wait.'
        : 'Text after a call is discarded; write text before calls, or after the results.'
      this.report(invented ? 'invented-result' : 'text-after-call', message, this.trailing, true)
    }
    if (reason === 'end' && this.completed === 0 && this.failed === 0) {
      this.context.add('\n')
      const open = this.context.fenced || this.mode === 'quote'
      if (open && this.example !== undefined) this.reportExample(this.example)
      else this.reportDrafts()
    }
  }

  /** A call in a code block or quotation that was never closed may have been meant. */
  private reportExample(text: string): void {
    const draft = findDraft(text, this.dialect, this.tools)
    if (draft === undefined) return
    const message = `The call of ${draft.name} stands in an unclosed code block or quotation and was not run. Write calls outside of them.`
    this.report('bad-call', message, draft.raw)
  }

  /** A call that stands only in the reasoning is reported, unless the visible text shows one as an example. */
  private reportDrafts(): void {
    if (this.draft === '' || this.shown) return
    const draft = findDraft(this.draft, this.dialect, this.tools)
    if (draft !== undefined) {
      this.report(
        'call-in-think',
        `The call of ${draft.name} stands only in your hidden reasoning and was not run. If you mean it, write it after </think>.`,
        draft.raw,
      )
    }
  }
}

/** A whole call of a registered tool in the reasoning; mentions of tags or of unknown names are prose. */
function findDraft(
  reasoning: string,
  dialect: Dialect,
  names: ReadonlyMap<string, ToolSpec>,
): { readonly name: string; readonly raw: string } | undefined {
  const pattern =
    dialect === 'qwen3.5'
      ? /<tool_call>\s*<function=([^\s<>"'=]{1,256})>\s*(?:<parameter=|<\/function>)/g
      : dialect === 'hermes'
        ? /<tool_call>\s*\{\s*"name"\s*:\s*"([^"\\]{1,256})"/g
        : /<\|tool_call_start\|>\s*\[?\s*([A-Za-z_][\w.-]{0,255})\(/g
  for (const match of reasoning.matchAll(pattern)) {
    const name = match[1]!
    if (names.has(name)) return { name, raw: reasoning.slice(match.index, match.index + RAW_KEPT) }
  }
  return undefined
}

/** Index of the first code unit from `at` on that is no white space. */
function spaceEnd(text: string, at: number): number {
  let i = at
  while (i < text.length && isPythonSpace(text.charCodeAt(i))) i++
  return i
}

/** Index where the white space at the text's end begins. */
function spaceStart(text: string): number {
  let i = text.length
  while (i > 0 && isPythonSpace(text.charCodeAt(i - 1))) i--
  return i
}

/** Where the longest suffix that could begin `tag` starts; one character before it is held too, it tells about quoting. */
function heldFrom(text: string, from: number, tag: string): number {
  const earliest = Math.max(from, text.length - tag.length + 1)
  for (let i = text.indexOf('<', earliest); i >= 0; i = text.indexOf('<', i + 1)) {
    if (tag.startsWith(text.slice(i))) return i
  }
  return holdSurrogate(text, from, text.length)
}

/** `to`, or one less when a pair of surrogates would be cut there. */
function holdSurrogate(text: string, from: number, to: number): number {
  if (to <= from || to < text.length) return to
  const code = text.charCodeAt(to - 1)
  return code >= 0xd800 && code <= 0xdbff ? to - 1 : to
}
