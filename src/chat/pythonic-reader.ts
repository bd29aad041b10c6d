import type { CallReader, CallSink, Fault, ReaderState } from './call-reader.js'
import { coerceObject, hasRefusedCharacters } from './coerce.js'
import { readPythonCalls } from './python-literal.js'
import { TextBuilder } from './text-builder.js'

const CALL_END = '<|tool_call_end|>'
const FORM = 'Write <|tool_call_start|>[NAME(key=value, …)]<|tool_call_end|> with Python literals as values.'

/** Reads a block of calls in the LFM2 format, a Python list of calls between two markers; markers inside strings end nothing. */
export class PythonicCallReader implements CallReader {
  fault: Fault | undefined
  at = 0
  private readonly source = new TextBuilder()
  private quote = 0
  private escaped = false

  constructor(private readonly sink: CallSink) {}

  read(buffer: string, at: number): ReaderState {
    let i = at
    for (; i < buffer.length; i++) {
      const code = buffer.charCodeAt(i)
      if (this.quote !== 0) {
        if (this.escaped) this.escaped = false
        else if (code === 0x5c) this.escaped = true
        else if (code === this.quote) this.quote = 0
      } else if (code === 0x22 || code === 0x27) this.quote = code
      else if (code === 0x3c) {
        if (buffer.startsWith(CALL_END, i)) {
          this.source.append(buffer.slice(at, i))
          this.at = i + CALL_END.length
          this.decode()
          return 'done'
        }
        if (buffer.length - i < CALL_END.length && CALL_END.startsWith(buffer.slice(i))) break
      }
    }
    this.source.append(buffer.slice(at, i))
    this.at = i
    return 'more'
  }

  private decode(): void {
    const read = readPythonCalls(this.source.toString())
    if (!read.ok) {
      const kind = read.duplicate === true ? 'duplicate-parameter' : 'bad-call'
      this.fault = { kind, message: `The calls cannot be read: ${read.reason}. ${FORM}` }
      return
    }
    if (read.value.some((call) => hasRefusedCharacters(call.arguments))) {
      this.fault = { kind: 'refused-characters', message: 'The call holds characters that no text may hold.' }
      return
    }
    for (const call of read.value) {
      const index = this.sink.start(call.name)
      this.sink.emit({ type: 'argument', index, key: '', text: JSON.stringify(call.arguments) })
      this.sink.complete(index, call.name, coerceObject(call.arguments, this.sink.tools.get(call.name)))
    }
  }
}
