/** The pair of texts that enclose reasoning in the dialects we render. */
export const THINK_OPEN = '<think>'
/** Text that ends hidden reasoning. */
export const THINK_CLOSE = '</think>'
/** Appended when the thinking budget is spent: the close as the dialects write it. */
export const FORCED_CLOSE = `\n${THINK_CLOSE}\n\n`

/** Follows whether generated text is inside a think block, by text, so that it works for every vocabulary. */
export class ThinkTracker {
  private tail = ''
  /** Tokens generated inside the block. */
  tokens = 0

  constructor(public open: boolean) {}

  /** Takes the text of one token. Returns true when the token belongs to the reasoning (its tags included). */
  push(text: string): boolean {
    const before = this.open
    this.tail = (this.tail + text).slice(-4 * THINK_CLOSE.length - text.length)
    const opened = this.tail.lastIndexOf(THINK_OPEN)
    const closed = this.tail.lastIndexOf(THINK_CLOSE)
    if (opened >= 0 || closed >= 0) {
      this.open = opened > closed
      this.tail = this.tail.slice(Math.max(opened + THINK_OPEN.length, closed + THINK_CLOSE.length))
    }
    const inside = before || this.open
    if (inside) this.tokens++
    return inside
  }
}

/** Whether a rendered prompt ends inside an open think block of the turn that is being written. */
export function endsInThink(prompt: string): boolean {
  const opened = prompt.lastIndexOf(THINK_OPEN)
  if (opened < 0 || opened < prompt.lastIndexOf(THINK_CLOSE)) return false
  return !/<\|im_(?:start|end)\|>/.test(prompt.slice(opened))
}
