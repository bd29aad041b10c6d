import { styleText } from 'node:util'
import type { AgentEvent } from '../agent/events.js'
import { makeVisible } from '../agent/visible.js'
import type { JsonValue } from '../chat/types.js'

/** Where and how events are shown. */
export interface ViewOptions {
  readonly write: (text: string) => void
  readonly colour: boolean
  /** Show the model's words as they come; off where the host checks them first. */
  readonly stream: boolean
  /** Show only what the owner is told at the end. */
  readonly quiet?: boolean
  /** Show reasoning as it comes. */
  readonly reasoning?: boolean
}

type Style = Parameters<typeof styleText>[0]

/**
 * Shows a run to a person: calls with their arguments, results, approvals, then the answer. Everything that comes from a
 * model, tool or stranger has its control characters made visible first.
 */
export class TerminalView {
  #streamed = ''
  #atLineStart = true

  constructor(private readonly options: ViewOptions) {}

  /** Shows one event. */
  show(event: AgentEvent): void {
    const { quiet } = this.options
    switch (event.type) {
      case 'run.start':
        this.#streamed = ''
        if (event.resumed && !quiet) this.#line('yellow', `Going on with: ${event.request}`)
        break
      case 'text':
        if (this.options.stream && !quiet) {
          this.#streamed += event.text
          this.#raw(makeVisible(event.text))
        }
        break
      case 'reasoning':
        if (this.options.reasoning && !quiet) this.#raw(this.#paint('dim', makeVisible(event.text)))
        break
      case 'call':
        if (!quiet) this.#line('cyan', `→ ${event.name}${argumentText(event.arguments)}`)
        break
      case 'result':
        if (!quiet) this.#result(event.ok, event.content)
        break
      case 'approval':
        if (!quiet && event.answer !== 'allow') this.#line('yellow', `  not approved (${APPROVAL_WORDS[event.answer]})`)
        break
      case 'malformed':
        if (!quiet) this.#line('yellow', '  (the model wrote a call that could not be read)')
        break
      case 'run.end':
        this.#end(event)
        break
      case 'ask':
        break
    }
  }

  #end(event: Extract<AgentEvent, { type: 'run.end' }>): void {
    const shown = this.#streamed.trim().endsWith(event.text.trim()) && event.text.trim() !== ''
    this.#newLine()
    if (shown && this.options.stream && !this.options.quiet) return
    const style: Style | undefined = event.status === 'failed' ? 'red' : undefined
    const text = makeVisible(event.text)
    this.#raw(`${style ? this.#paint(style, text) : text}\n`)
  }

  #result(ok: boolean, content: string): void {
    const lines = makeVisible(content).split('\n')
    const shown = lines.slice(0, 12)
    if (lines.length > shown.length) shown.push(`… ${lines.length - shown.length} more lines`)
    const mark = ok ? this.#paint('green', '✓') : this.#paint('red', '✗')
    this.#newLine()
    this.#raw(`${mark} ${shown.join('\n  ')}\n`)
  }

  #line(style: Style, text: string): void {
    this.#newLine()
    this.#raw(`${this.#paint(style, makeVisible(text))}\n`)
  }

  #newLine(): void {
    if (!this.#atLineStart) this.#raw('\n')
  }

  #paint(style: Style, text: string): string {
    return this.options.colour ? styleText(style, text) : text
  }

  #raw(text: string): void {
    if (text === '') return
    this.options.write(text)
    this.#atLineStart = text.endsWith('\n')
  }
}

const APPROVAL_WORDS = {
  deny: 'declined',
  nobody: 'nobody could be asked',
  expired: 'too late',
  limit: 'asked too often',
} as const

/** Arguments on one line: `  when: tomorrow · label: gym`. */
export function argumentText(args: { readonly [name: string]: JsonValue }): string {
  const parts = Object.entries(args).map(([name, value]) => `${name}: ${valueText(value)}`)
  return parts.length === 0 ? '' : `  ${parts.join(' · ')}`
}

/** A value as a person writes it. */
export function valueText(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

/** True when a stream is a terminal that shows colours (https://no-color.org). */
export function showsColour(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  return stream.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb'
}
