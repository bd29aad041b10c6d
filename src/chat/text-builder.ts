/**
 * Collects a text from very many small pieces. Plain concatenation would keep every piece alive in a tree; here the tree
 * is flattened as it grows, so that the pieces are garbage at once.
 */
export class TextBuilder {
  private done: string[] = []
  private open = ''
  length = 0

  append(text: string): void {
    this.open += text
    this.length += text.length
    if (this.open.length < 4096) return
    // Reading one code unit makes V8 flatten the string.
    this.open.charCodeAt(0)
    this.done.push(this.open)
    this.open = ''
  }

  toString(): string {
    if (this.done.length === 0) return this.open
    this.done.push(this.open)
    this.done = [this.done.join('')]
    this.open = ''
    return this.done[0]!
  }
}
