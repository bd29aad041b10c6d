import type { Element, Node } from './hidden.js'

const BLOCK = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE CAPTION DD DETAILS DIV DL DT FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN NAV OL P PRE SECTION SUMMARY TABLE TBODY TFOOT THEAD TR UL'.split(
    ' ',
  ),
)

const isElement = (node: Node): node is Element => node.nodeType === 1

/**
 * Text of a document in reading order: paragraphs apart, headings with `#`, list items with `-`, cells of a table row
 * joined by ` | `, preformatted text as it is. Without recursion: nesting is as deep as a page likes.
 */
export function layOut(root: Node): string {
  const out: string[] = []
  let line = ''
  let pre = 0
  const flush = (blank: boolean): void => {
    const text = pre > 0 ? line.trimEnd() : line.replace(/\s+/g, ' ').trim()
    if (text !== '' && !/^[-#| ]+$/.test(text)) out.push(text)
    line = ''
    if (blank && out.length > 0 && out.at(-1) !== '') out.push('')
  }
  type Step = { readonly node: Node; readonly leave: boolean }
  const stack: Step[] = [{ node: root, leave: false }]
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    const { node, leave } = step
    if (node.nodeType === 3) {
      if (pre === 0) line += node.textContent ?? ''
      else {
        const [first = '', ...more] = (node.textContent ?? '').split('\n')
        line += first
        for (const text of more) {
          flush(false)
          line = text
        }
      }
      continue
    }
    const tag = isElement(node) ? node.tagName.toUpperCase() : ''
    const apart = /^(?:P|H[1-6]|PRE|BLOCKQUOTE|TABLE|UL|OL|SECTION|ARTICLE)$/.test(tag)
    if (leave) {
      if (tag === 'TD' || tag === 'TH') line += ' | '
      else if (tag === 'TR') {
        line = line.replace(/[\s|]+$/, '')
        flush(false)
      } else if (BLOCK.has(tag)) flush(apart)
      if (tag === 'PRE') pre--
      continue
    }
    if (tag === 'BR') {
      flush(false)
      continue
    }
    if (BLOCK.has(tag)) flush(apart)
    if (tag === 'PRE') pre++
    if (/^H[1-6]$/.test(tag)) line = `${'#'.repeat(Number(tag[1]))} `
    if (tag === 'LI') line = '- '
    stack.push({ node, leave: true })
    for (const child of [...node.childNodes].reverse()) stack.push({ node: child, leave: false })
  }
  flush(false)
  return out.join('\n').trim()
}
