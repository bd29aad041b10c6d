/** Turns token ids into text; `previous` are the ids before them (some vocabularies drop a leading space at a start). */
export type Decode = (ids: readonly number[], previous: readonly number[]) => string

/** Ids held while their bytes do not yet make a whole character; more than this is not one character any more. */
const LONGEST_CHARACTER = 8

/**
 * Text of a growing token sequence: withholds incomplete UTF-8 characters and whatever could be the beginning of a stop
 * text, so that nothing has to be taken back later.
 */
export class TextStream {
  private pending: number[] = []
  private previous: number[] = []
  private held = ''

  constructor(
    private readonly decode: Decode,
    private readonly stopTexts: readonly string[] = [],
  ) {}

  /**
   * Takes the next token and returns the text that became certain with it. `stopped` tells that a stop text is
   * complete; the text then ends right before it.
   */
  push(id: number): { readonly text: string; readonly stopped: boolean } {
    this.pending.push(id)
    const text = this.decode(this.pending, this.previous)
    if (text.endsWith('\uFFFD') && this.pending.length < LONGEST_CHARACTER) return { text: '', stopped: false }
    this.previous = this.pending.slice(-4)
    this.pending = []
    return this.release(text)
  }

  /** What was still withheld; to be called when generation ended by anything but a stop text. */
  flush(): string {
    const text = this.held + (this.pending.length > 0 ? this.decode(this.pending, this.previous) : '')
    this.held = ''
    this.pending = []
    return text
  }

  private release(text: string): { readonly text: string; readonly stopped: boolean } {
    if (this.stopTexts.length === 0) return { text, stopped: false }
    const all = this.held + text
    let end = -1
    for (const stop of this.stopTexts) {
      const at = all.indexOf(stop)
      if (at >= 0 && (end < 0 || at < end)) end = at
    }
    if (end >= 0) {
      this.held = ''
      return { text: all.slice(0, end), stopped: true }
    }
    const keep = Math.max(...this.stopTexts.map((stop) => overlap(all, stop)))
    this.held = all.slice(all.length - keep)
    return { text: all.slice(0, all.length - keep), stopped: false }
  }
}

/** Length of the longest end of `text` that is a proper beginning of `stop`. */
export function overlap(text: string, stop: string): number {
  for (let n = Math.min(text.length, stop.length - 1); n > 0; n--) if (text.endsWith(stop.slice(0, n))) return n
  return 0
}
