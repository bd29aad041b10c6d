/** How much of a line's beginning is kept; a fence's marks stand there. */
const HEAD = 120

const OPENING_MARK = /["'`“„«‘‹]/

/**
 * Follows visible text to tell whether something written next is an example (in a code fence, in a code span, quoted) or
 * meant. Fences follow CommonMark, except that any indentation may stand before them.
 */
export class TextContext {
  /** Beginning of the current line. */
  private head = ''
  private last = ''
  /** An odd number of backticks on the current line so far: a code span is open. */
  private span = false
  private fence: { readonly char: string; readonly length: number } | undefined

  /** Takes the next piece of text; pieces may end anywhere. */
  add(text: string): void {
    const last = text.lastIndexOf('\n')
    if (last < 0) {
      this.grow(text)
      return
    }
    const first = text.indexOf('\n')
    this.grow(text.slice(0, first))
    this.endLine(this.head)
    if (last > first) this.endLines(text.slice(first + 1, last))
    this.head = ''
    this.last = ''
    this.span = false
    this.grow(text.slice(last + 1))
  }

  /** True inside an open code fence, the line that opens one included. */
  get fenced(): boolean {
    return this.fence !== undefined || /^[ \t]*(?:`{3,}[^`]*|~{3,}.*)$/s.test(this.head)
  }

  /** True when nothing but white space stands before on this line, fewer than four columns of it (else it is code). */
  get lineStart(): boolean {
    return /^ {0,3}$/.test(this.head)
  }

  /** True when what comes next is inside a fence, a code span or a block quote, follows a quotation mark, or is indented code. */
  get example(): boolean {
    if (this.fenced) return true
    const head = this.head
    if (head === '') return false
    return /^\s*>/.test(head) || /^(?: {4}|\t)\s*$/.test(head) || this.quoted
  }

  /** True behind an opening quotation mark or inside a code span: what comes may run over several lines. */
  get quoted(): boolean {
    return this.span || OPENING_MARK.test(this.last)
  }

  private grow(text: string): void {
    if (text === '') return
    if (this.head.length < HEAD) this.head += text.length > HEAD ? text.slice(0, HEAD) : text
    this.last = text[text.length - 1]!
    for (let i = text.indexOf('`'); i >= 0; i = text.indexOf('`', i + 1)) this.span = !this.span
  }

  /** Complete lines only; most text has no fence at all, which one search tells. */
  private endLines(lines: string): void {
    if (!lines.includes('```') && !lines.includes('~~~')) return
    for (const line of lines.split('\n')) this.endLine(line)
  }

  private endLine(line: string): void {
    const match = /^[ \t]*(`{3,}|~{3,})([^\n]*)/.exec(line)
    if (match === null) return
    const [, marks, info] = match as unknown as [string, string, string]
    const char = marks[0]!
    if (this.fence === undefined) {
      if (char === '~' || !info.includes('`')) this.fence = { char, length: marks.length }
    } else if (char === this.fence.char && marks.length >= this.fence.length && info.trim() === '') {
      this.fence = undefined
    }
  }
}
