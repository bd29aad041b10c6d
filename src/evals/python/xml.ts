import { PyError } from './errors.js'

/** An element as `xml.etree.ElementTree` gives it, without tails. */
export interface XmlElement {
  readonly tag: string
  readonly attributes: ReadonlyMap<string, string>
  /** Text before the first child; null when there is none. */
  readonly text: string | null
  readonly children: readonly XmlElement[]
}

interface OpenElement {
  readonly tag: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: XmlElement[]
  text: string
}

const NAME =
  /[:A-Z_a-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C-\u200D\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}][-.0-9:A-Z_a-z\u00B7\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u037D\u037F-\u1FFF\u200C-\u200D\u203F-\u2040\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}]*/uy
const SPACE = /[ \t\r\n]*/y
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const FORBIDDEN =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/**
 * Parses one well-formed XML element without a document type, as expat does: entities, CDATA, comments, namespaces
 * (`{uri}name`), attribute values with normalized white space.
 *
 * Source: W3C, Extensible Markup Language 1.0, fifth edition, and Namespaces in XML 1.0.
 * @throws PyError ParseError
 */
export function parseXml(source: string): XmlElement {
  const text = source.replace(/\r\n?/g, '\n')
  if (FORBIDDEN.test(text)) fail('not well-formed (invalid token)')
  let at = 0
  const stack: OpenElement[] = []
  const scopes: ReadonlyMap<string, string>[] = [new Map([['xml', 'http://www.w3.org/XML/1998/namespace']])]
  let root: XmlElement | undefined

  const skip = (): boolean => {
    SPACE.lastIndex = at
    SPACE.test(text)
    const moved = SPACE.lastIndex > at
    at = SPACE.lastIndex
    return moved
  }
  const name = (): string => {
    NAME.lastIndex = at
    const found = NAME.exec(text)?.[0]
    if (found === undefined) fail('not well-formed (invalid token)')
    at += found.length
    return found
  }
  const close = (element: OpenElement): void => {
    scopes.pop()
    const done: XmlElement = { ...element, text: element.text === '' ? null : element.text }
    const parent = stack.at(-1)
    if (parent) parent.children.push(done)
    else root = done
  }

  function startTag(): void {
    at += 1
    const tag = name()
    const raw: [string, string][] = []
    for (;;) {
      const spaced = skip()
      if (text[at] === '>' || text.startsWith('/>', at)) break
      if (!spaced) fail('not well-formed (invalid token)')
      const key = name()
      skip()
      if (text[at] !== '=') fail('not well-formed (invalid token)')
      at += 1
      skip()
      const quote = text[at]
      if (quote !== '"' && quote !== "'") fail('not well-formed (invalid token)')
      const end = text.indexOf(quote, at + 1)
      if (end === -1) fail('unclosed token')
      const value = text.slice(at + 1, end)
      if (value.includes('<')) fail('not well-formed (invalid token)')
      if (raw.some(([other]) => other === key)) fail('duplicate attribute')
      raw.push([key, references(value.replace(/[\t\n]/g, ' '))])
      at = end + 1
    }
    const scope = new Map(scopes.at(-1)!)
    for (const [key, value] of raw) {
      if (key === 'xmlns') scope.set('', value)
      else if (key.startsWith('xmlns:')) scope.set(key.slice(6), value)
    }
    scopes.push(scope)
    const attributes = new Map(
      raw
        .filter(([key]) => key !== 'xmlns' && !key.startsWith('xmlns:'))
        .map(([key, value]) => [expand(key, scope, false), value]),
    )
    const element: OpenElement = { tag: expand(tag, scope, true), attributes, children: [], text: '' }
    if (text[at] === '/') {
      at += 2
      close(element)
      return
    }
    at += 1
    open.push(tag)
    stack.push(element)
  }
  const open: string[] = []

  function content(piece: string): void {
    const element = stack.at(-1)
    if (element === undefined) {
      if (/[^ \t\n]/.test(piece)) fail(root ? 'junk after document element' : 'syntax error')
    } else if (element.children.length === 0) element.text += piece
  }

  while (at < text.length) {
    if (text[at] !== '<') {
      const next = text.indexOf('<', at)
      const end = next === -1 ? text.length : next
      const piece = text.slice(at, end)
      if (piece.includes(']]>')) fail('not well-formed (invalid token)')
      content(stack.length === 0 ? piece : references(piece))
      at = end
    } else if (text.startsWith('<!--', at)) {
      const end = text.indexOf('--', at + 4)
      if (end === -1 || text[end + 2] !== '>') fail('not well-formed (invalid token)')
      at = end + 3
    } else if (text.startsWith('<![CDATA[', at) && stack.length > 0) {
      const end = text.indexOf(']]>', at)
      if (end === -1) fail('unclosed CDATA section')
      content(text.slice(at + 9, end))
      at = end + 3
    } else if (text.startsWith('<?', at)) {
      const end = text.indexOf('?>', at)
      const target = /^<\?([^\s?]+)/.exec(text.slice(at, at + 60))?.[1]
      if (end === -1 || target === undefined || (target.toLowerCase() === 'xml' && at > 0))
        fail('not well-formed (invalid token)')
      at = end + 2
    } else if (text.startsWith('</', at)) {
      at += 2
      const tag = name()
      skip()
      if (text[at] !== '>') fail('not well-formed (invalid token)')
      at += 1
      if (open.pop() !== tag) fail('mismatched tag')
      close(stack.pop()!)
    } else {
      if (root) fail('junk after document element')
      startTag()
    }
  }
  if (root === undefined || stack.length > 0) fail('no element found')
  return root
}

function references(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#x([0-9a-fA-F]+);|#([0-9]+);|([^\s&;]+);)?/g,
    (_, hex?: string, decimal?: string, entity?: string) => {
      if (entity !== undefined) return ENTITIES[entity] ?? fail('undefined entity')
      if (hex === undefined && decimal === undefined) return fail('not well-formed (invalid token)')
      const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      const character = point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '\0'
      return FORBIDDEN.test(character) ? fail('reference to invalid character number') : character
    },
  )
}

function expand(name: string, scope: ReadonlyMap<string, string>, element: boolean): string {
  const colon = name.indexOf(':')
  if (colon === -1) {
    const uri = element ? scope.get('') : undefined
    return uri ? `{${uri}}${name}` : name
  }
  const uri = scope.get(name.slice(0, colon))
  return uri === undefined ? fail('unbound prefix') : `{${uri}}${name.slice(colon + 1)}`
}

function fail(message: string): never {
  throw new PyError('ParseError', message)
}
