/** The little of a DOM that is used here; linkedom's types are wider than what it does. */
export interface Node {
  readonly nodeType: number
  readonly childNodes: Iterable<Node>
  readonly textContent: string | null
  remove(): void
}

/** An element of a parsed page. */
export interface Element extends Node {
  readonly tagName: string
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  querySelectorAll(selector: string): Iterable<Element>
  querySelector(selector: string): Element | null
}

const STYLE =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)|font-size\s*:\s*[01](?:px|pt|em|rem|%)?\s*(?:;|!|$)|(?:left|top|text-indent|margin-left)\s*:\s*-\d{3,}|clip\s*:\s*rect\(\s*0|clip-path\s*:\s*inset\(\s*(?:100|50)%|transform\s*:\s*scale\(\s*0\s*\)|(?:max-)?(?:height|width)\s*:\s*0(?:px)?\s*(?:;|!|$)|color\s*:\s*transparent)/i

/** White on white and the like, where one style names both. */
function sameColours(style: string): boolean {
  const text = /(?:^|;)\s*color\s*:\s*([^;!]+)/i.exec(style)?.[1]
  const ground = /(?:^|;)\s*background(?:-color)?\s*:\s*([^;!]+)/i.exec(style)?.[1]
  return text !== undefined && ground !== undefined && text.trim().toLowerCase() === ground.trim().toLowerCase()
}

const hides = (style: string): boolean => STYLE.test(style) || sameColours(style)

/** Selectors by which a page's own style sheets hide something, outside of media queries. */
function hidingSelectors(sheets: readonly string[]): readonly string[] {
  const found: string[] = []
  for (const sheet of sheets) {
    const plain = sheet.slice(0, 200_000).replace(/\/\*[\s\S]*?\*\//g, '')
    let depth = 0
    let begin = 0
    let selector = ''
    for (let i = 0; i < plain.length && found.length < 200; i++) {
      const c = plain[i]
      if (c === '{') {
        if (depth++ === 0) selector = plain.slice(begin, i).trim()
        begin = i + 1
      } else if (c === '}') {
        if (depth === 1 && !selector.startsWith('@') && hides(plain.slice(begin, i))) found.push(selector)
        depth = Math.max(0, depth - 1)
        begin = i + 1
      }
    }
  }
  // What hides everything until a script shows it would leave nothing to read; states are not the usual look.
  return found.filter((s) => s.length < 300 && !/(?:^|[\s,])(?:html|body|main|article|\*)(?:$|[\s,.:#[])|:/.test(s))
}

const NEVER_TEXT =
  'title, script, style, noscript, template, iframe, object, embed, svg, canvas, video, audio, input, select, textarea, button, dialog, link, meta, [hidden], [aria-hidden="true"]'

/**
 * Removes from a document what a reader does not see: comments, scripts, what attributes, styles or the page's own style
 * sheets hide. Pages are read by a model, and what only a model sees is the usual way to give it orders. No full CSS: a
 * page that hides by script or by a style sheet of its own file is not seen through, which is why its text never counts
 * as trusted.
 */
export function removeHidden(root: Element): void {
  const sheets = [...root.querySelectorAll('style')].map((s) => s.textContent ?? '')
  const selectors = hidingSelectors(sheets)
  for (const element of [...root.querySelectorAll('[style]')])
    if (hides(element.getAttribute('style') ?? '')) element.remove()
  for (const selector of selectors) {
    try {
      for (const element of [...root.querySelectorAll(selector)]) element.remove()
    } catch {
      // A selector that the parser does not know hides nothing here.
    }
  }
  for (const element of [...root.querySelectorAll(NEVER_TEXT)]) element.remove()
  const stack: Node[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop())
    for (const child of [...node.childNodes]) {
      if (child.nodeType === 8 || child.nodeType === 7) child.remove()
      else if (child.nodeType === 1) stack.push(child)
    }
}

/** Characters that nobody sees: zero width, directions, tags, controls. Joiners stay, since scripts need them. */
export const visibleText = (text: string): string =>
  text.replace(
    /\u034f|[\u180b-\u180f]|[\ufe00-\ufe0e]|[\u{e0000}-\u{e0fff}]|[\u115f\u1160]|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufff8]/gu,
    '',
  )
