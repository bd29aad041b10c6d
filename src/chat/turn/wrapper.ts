import { RAW_KEPT, type Turn } from './turn.js'

/** Watches for a block in another format's tags that names a registered tool: it is reported, and stays text. */
export class WrapperWatch {
  private open: { readonly name: string; text: string } | undefined

  constructor(private readonly turn: Turn) {}

  /** Takes a tag in visible text; only at a line's start does one open a block. */
  tag(tag: string, lineStart: boolean): void {
    const name = tag.replace(/[<>/]/g, '')
    if (tag[1] !== '/') {
      if (this.open === undefined && lineStart) this.open = { name, text: '' }
      return
    }
    const wrapper = this.open
    if (wrapper === undefined || wrapper.name !== name) return
    this.open = undefined
    const words = new Set(wrapper.text.split(/[^\w.-]+/))
    const named = [...this.turn.tools.keys()].find((tool) => words.has(tool))
    if (named !== undefined) {
      this.turn.report(
        'unknown-wrapper',
        `The call of ${named} stands in <${name}>, not in ${this.turn.opening}; it was not run.`,
        `${wrapper.text}${tag}`,
      )
    }
  }

  /** Takes visible text; a block that grows too long was none. */
  add(text: string): void {
    if (this.open === undefined) return
    this.open.text += text
    if (this.open.text.length > 16 * RAW_KEPT) this.open = undefined
  }
}
