/**
 * Follows visible text to tell whether something written next is an example (in a code fence, in a code span, quoted) or
 * meant. Fences follow CommonMark, except that any indentation may stand before them.
 */
export class TextContext {
  /** The current line so far. */
  private line = ''
  private fence: { readonly char: string; readonly length: number } | undefined

  /** Takes the next piece of text; pieces may end anywhere. */
  add(text: string): void {
    const last = text.lastIndexOf('\n')
    if (last < 0) {
      this.line += text
      return
    }
    this.scan(this.line + text.slice(0, last + 1))
    this.line = text.slice(last + 1)
  }

  /** True inside an open code fence. */
  get fenced(): boolean {
    return this.fence !== undefined
  }

  /** True when nothing but white space stands before on this line, fewer than four columns of it (else it is code). */
  get lineStart(): boolean {
    return /^ {0,3}$/.test(this.line)
  }

  /** True when what comes next is inside a fence, a code span or a block quote, follows a quotation mark, or is indented code. */
  get example(): boolean {
    if (this.fenced) return true
    const line = this.line
    if (line === '') return false
    return /^\s*>/.test(line) || /^(?: {4}|\t)\s*$/.test(line) || this.quoted
  }

  /** True behind an opening quotation mark or inside a code span: what comes may run over several lines. */
  get quoted(): boolean {
    return /["'`“„«‘‹]$/.test(this.line) || this.line.split('`').length % 2 === 0
  }

  /** Complete lines only; most text has no fence at all, which one search tells. */
  private scan(lines: string): void {
    if (!lines.includes('```') && !lines.includes('~~~')) return
    for (const match of lines.matchAll(/^[ \t]*(`{3,}|~{3,})([^\n]*)$/gm)) {
      const [, marks, info] = match as unknown as [string, string, string]
      const char = marks[0]!
      if (this.fence === undefined) {
        if (char === '~' || !info.includes('`')) this.fence = { char, length: marks.length }
      } else if (char === this.fence.char && marks.length >= this.fence.length && info.trim() === '') {
        this.fence = undefined
      }
    }
  }
}
