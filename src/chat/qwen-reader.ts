import {
  type CallReader,
  type CallSink,
  type Fault,
  PATIENCE,
  type ReaderState,
  skipSpace,
  tagAt,
} from './call-reader.js'
import { coerceEntries, hasRefusedCharacters } from './coerce.js'
import type { MalformedKind } from './events.js'
import { TextBuilder } from './text-builder.js'

const FUNCTION = '<function='
const PARAMETER = '<parameter='
const PARAMETER_END = '</parameter>'
const FUNCTION_END = '</function>'
const CALL_END = '</tool_call>'

/** The form of a call, for messages to the model. */
const FORM =
  'Write <tool_call>, <function=NAME>, for each argument <parameter=KEY>, the value, </parameter>, then </function>, </tool_call>, each on its own line.'

/**
 * Reads one call of the Qwen3.5 format (DESIGN section 3). A value ends only where the structure does: at `</parameter>`
 * with the next parameter, or with `</function>` and `</tool_call>`, behind it. Values are passed on as they arrive.
 */
export class QwenCallReader implements CallReader {
  fault: Fault | undefined
  at = 0
  private state: 'opened' | 'name' | 'body' | 'key' | 'lead' | 'value' | 'close'
  private index = -1
  private name = ''
  private key = ''
  private value = new TextBuilder()
  private newline = '\n'
  private readonly entries: [string, string][] = []

  /** `recover`: `<tool_call>` is missing, `<function=` was just read; nothing is announced until the block is closed. */
  constructor(
    private readonly sink: CallSink,
    private readonly recover: boolean,
  ) {
    this.state = recover ? 'name' : 'opened'
  }

  read(buffer: string, at: number, final: boolean): ReaderState {
    this.at = at
    for (;;) {
      const outcome = this.step(buffer, final)
      if (outcome !== 'next') return outcome
    }
  }

  private step(buffer: string, final: boolean): ReaderState | 'next' {
    switch (this.state) {
      case 'opened':
        return this.opened(buffer)
      case 'name':
        return this.named(buffer)
      case 'body':
        return this.body(buffer)
      case 'key':
        return this.keyed(buffer)
      case 'lead':
        return this.lead(buffer)
      case 'value':
        return this.valued(buffer, final)
      case 'close':
        return this.close(buffer)
    }
  }

  private opened(buffer: string): ReaderState | 'next' {
    const i = skipSpace(buffer, this.at)
    if (i === buffer.length) return i - this.at > PATIENCE ? 'text' : 'more'
    const tag = tagAt(buffer, i, FUNCTION)
    if (tag === 'part') return 'more'
    if (tag === 'yes') return this.go('name', i + FUNCTION.length)
    // A tag alone on its line, or before JSON, was meant as a call; in running text it is spoken about.
    if (buffer[i] === '{' || buffer.slice(this.at, i).includes('\n')) {
      return this.fail('bad-call', `The call does not begin with <function=NAME>. ${FORM}`)
    }
    return 'text'
  }

  private named(buffer: string): ReaderState | 'next' {
    const word = this.word(buffer)
    if (word === undefined) return 'more'
    if (word === '' || /[\s"'=<>]/.test(word)) {
      return this.recover ? 'text' : this.fail('bad-call', `<function=NAME> has no proper name. ${FORM}`)
    }
    if (this.recover && !this.sink.tools.has(word)) return 'text'
    this.name = word
    if (!this.recover) this.index = this.sink.start(word)
    return this.go('body', this.at + word.length + 1)
  }

  private body(buffer: string): ReaderState | 'next' {
    const i = skipSpace(buffer, this.at)
    if (i === buffer.length) {
      this.at = this.recover && this.entries.length === 0 ? this.at : i
      return i - this.at > PATIENCE ? this.strayed() : 'more'
    }
    const parameter = tagAt(buffer, i, PARAMETER)
    const end = tagAt(buffer, i, FUNCTION_END)
    if (parameter === 'yes') return this.go('key', i + PARAMETER.length)
    if (end === 'yes') return this.go('close', i + FUNCTION_END.length)
    return parameter === 'part' || end === 'part' ? 'more' : this.strayed()
  }

  /** Something else than a parameter or the end stands in the function block. */
  private strayed(): ReaderState {
    if (this.recover && this.entries.length === 0) return 'text'
    return this.fail('bad-call', `Inside <function=${this.name}> only parameters may stand. ${FORM}`)
  }

  private keyed(buffer: string): ReaderState | 'next' {
    const word = this.word(buffer)
    if (word === undefined) return 'more'
    if (word === '' || /[\n<>]/.test(word)) {
      return this.fail('bad-call', `<parameter=KEY> of ${this.name} has no proper name. ${FORM}`)
    }
    this.key = word
    this.value = new TextBuilder()
    return this.go('lead', this.at + word.length + 1)
  }

  /** Drops the one newline before the value. */
  private lead(buffer: string): ReaderState | 'next' {
    const char = buffer[this.at]
    if (char === undefined) return 'more'
    if (char === '\r' && this.at + 1 === buffer.length) return 'more'
    this.newline = char === '\r' && buffer[this.at + 1] === '\n' ? '\r\n' : '\n'
    return this.go('value', buffer.startsWith(this.newline, this.at) ? this.at + this.newline.length : this.at)
  }

  private valued(buffer: string, final: boolean): ReaderState | 'next' {
    let from = this.at
    for (;;) {
      const end = buffer.indexOf(PARAMETER_END, from)
      if (end < 0) {
        this.pass(buffer, safeEnd(buffer, from))
        return 'more'
      }
      const behind = closes(buffer, end + PARAMETER_END.length, this.recover)
      if (behind === 'part' && !final) {
        this.pass(buffer, beforeNewline(buffer, this.at, end))
        return 'more'
      }
      if (behind === 'yes') {
        const cut = end - this.newline.length
        this.pass(buffer, cut >= this.at && buffer.startsWith(this.newline, cut) ? cut : end)
        return this.finishValue(end + PARAMETER_END.length)
      }
      from = end + PARAMETER_END.length
    }
  }

  private finishValue(at: number): 'next' {
    const { key } = this
    const value = this.value.toString()
    if (/(?:^|\n)<\/parameter>\s*$/.test(value)) {
      this.mark('doubled-closing', `</parameter> stands twice after ${key} of ${this.name}. ${FORM}`)
    } else if (swallowed.test(value)) {
      this.mark('bad-call', `The parameter ${key} of ${this.name} is not closed before the next call. ${FORM}`)
    } else if (hasRefusedCharacters(key) || hasRefusedCharacters(value)) {
      this.mark('refused-characters', `The parameter ${key} of ${this.name} holds characters that no text may hold.`)
    } else if (this.entries.some(([other]) => other === key)) {
      this.mark('duplicate-parameter', `The parameter ${key} of ${this.name} stands twice; give it once.`)
    }
    this.entries.push([key, value])
    return this.go('body', at)
  }

  private close(buffer: string): ReaderState {
    const i = skipSpace(buffer, this.at)
    const tag = tagAt(buffer, i, CALL_END)
    if (tag === 'part' && i - this.at <= PATIENCE) return 'more'
    if (tag !== 'yes') {
      if (this.recover && this.fault === undefined) {
        const foreign = buffer.startsWith('</', i)
        this.mark(
          foreign ? 'unknown-wrapper' : 'missing-opening',
          `The call of ${this.name} is not wrapped in <tool_call> and </tool_call>. ${FORM}`,
        )
      } else this.mark('bad-call', `</tool_call> is missing after </function> of ${this.name}. ${FORM}`)
      return 'done'
    }
    this.at = i + CALL_END.length
    if (this.fault !== undefined) return 'done'
    if (this.recover) {
      this.index = this.sink.start(this.name)
      for (const [key, text] of this.entries) {
        if (text !== '') this.sink.emit({ type: 'argument', index: this.index, key, text })
      }
    }
    this.sink.complete(this.index, this.name, coerceEntries(this.entries, this.sink.tools.get(this.name)))
    return 'done'
  }

  /** The name that `>` ends; with a stray sign in it when it cannot become one; undefined while it may still come. */
  private word(buffer: string): string | undefined {
    const end = buffer.indexOf('>', this.at)
    if (end >= 0) return buffer.slice(this.at, end)
    const so = buffer.slice(this.at, this.at + PATIENCE + 1)
    return so.length > PATIENCE || /[\n<]/.test(so) ? '<' : undefined
  }

  /** Hands on value text up to `to`. */
  private pass(buffer: string, to: number): void {
    if (to <= this.at) return
    const text = buffer.slice(this.at, to)
    this.at = to
    this.value.append(text)
    if (!this.recover) this.sink.emit({ type: 'argument', index: this.index, key: this.key, text })
  }

  private go(state: QwenCallReader['state'], at: number): 'next' {
    this.state = state
    this.at = at
    return 'next'
  }

  private mark(kind: MalformedKind, message: string): void {
    this.fault ??= { kind, message }
  }

  private fail(kind: MalformedKind, message: string): 'skip' {
    this.mark(kind, message)
    return 'skip'
  }
}

/** A value in which another call begins was not closed. */
const swallowed = /<\/function>\s*(?:<\/\w+>\s*)?<tool_call>\s*<function=/

/** Whether the structure goes on behind a `</parameter>` that ends at `at`: then the tag was no part of the value. */
function closes(buffer: string, at: number, recover: boolean): 'yes' | 'part' | 'no' {
  const i = skipSpace(buffer, at)
  if (i === buffer.length) return i - at > PATIENCE ? 'no' : 'part'
  const parameter = tagAt(buffer, i, PARAMETER)
  if (parameter === 'part') return 'part'
  if (parameter === 'yes') {
    const from = i + PARAMETER.length
    const end = buffer.indexOf('>', from)
    const word = buffer.slice(from, end < 0 ? from + PATIENCE + 1 : end)
    if (/[\n<]/.test(word) || word.length > PATIENCE) return 'no'
    return end < 0 ? 'part' : word === '' ? 'no' : 'yes'
  }
  const tag = tagAt(buffer, i, FUNCTION_END)
  // Without its own opening a block may be wrapped in anything; `close` looks at that.
  if (tag !== 'yes' || recover) return tag
  const j = skipSpace(buffer, i + FUNCTION_END.length)
  return j - i > PATIENCE ? 'no' : tagAt(buffer, j, CALL_END)
}

/** How much of the text can be no part of an ending yet to come. */
function safeEnd(buffer: string, from: number): number {
  const earliest = Math.max(from, buffer.length - PARAMETER_END.length + 1)
  for (let i = buffer.indexOf('<', earliest); i >= 0; i = buffer.indexOf('<', i + 1)) {
    if (PARAMETER_END.startsWith(buffer.slice(i))) return beforeNewline(buffer, from, i)
  }
  return beforeNewline(buffer, from, buffer.length)
}

/** `to`, or before the newline in front of it, which may be the one that is dropped. */
function beforeNewline(buffer: string, from: number, to: number): number {
  let end = to
  if (end > from && buffer[end - 1] === '\n') end--
  if (end > from && buffer[end - 1] === '\r') end--
  return end
}
