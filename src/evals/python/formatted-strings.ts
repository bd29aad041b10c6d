import type { Expression, FormattedPart } from './ast.js'
import { PyError } from './errors.js'
import { unescapeString } from './string-literals.js'

/**
 * Takes the text of an f-string apart into text and fields.
 * @param parse reads the expression of a field.
 * @throws PyError SyntaxError
 */
export function parseFormatted(body: string, raw: boolean, parse: (source: string) => Expression): FormattedPart[] {
  let at = 0
  const read = (text: string): string => (raw ? text : unescapeString(text))

  function parts(nested: boolean): FormattedPart[] {
    const found: FormattedPart[] = []
    let text = ''
    while (at < body.length) {
      const character = body[at]!
      if (character === '{' && body[at + 1] === '{' && !nested) {
        text += '{'
        at += 2
      } else if (character === '}') {
        if (nested) break
        if (body[at + 1] !== '}') throw new PyError('SyntaxError', "f-string: single '}' is not allowed")
        text += '}'
        at += 2
      } else if (character === '{') {
        if (text !== '') found.push(read(text))
        text = ''
        found.push(field())
      } else if (character === '\\' && !raw) {
        text += body.slice(at, at + 2)
        at += 2
      } else {
        text += character
        at += 1
      }
    }
    if (text !== '') found.push(read(text))
    return found
  }

  function field(): FormattedPart {
    at += 1
    const start = at
    at = expressionEnd(body, at)
    let source = body.slice(start, at)
    let conversion = ''
    const documented = /^([\s\S]*[^=!<>\s]\s*)=\s*$/.exec(source)
    if (documented) {
      source = documented[1]!
      conversion = '='
    }
    if (source.trim() === '') throw new PyError('SyntaxError', 'f-string: empty expression not allowed')
    if (source.includes('\\')) throw new PyError('SyntaxError', 'f-string expression part cannot include a backslash')
    if (source.includes('#')) throw new PyError('SyntaxError', "f-string expression part cannot include '#'")
    const value = parse(source)
    if (body[at] === '!') {
      conversion += body.slice(at, at + 2)
      if (!/![rsa]$/.test(conversion)) throw new PyError('SyntaxError', 'f-string: invalid conversion character')
      at += 2
    }
    let format: FormattedPart[] | null = null
    if (body[at] === ':') {
      at += 1
      format = parts(true)
    }
    if (body[at] !== '}') throw new PyError('SyntaxError', "f-string: expecting '}'")
    at += 1
    return { value, conversion, format }
  }

  return parts(false)
}

/** Where the expression of a field ends: at `!`, `:` or `}` outside of brackets and strings. */
function expressionEnd(body: string, from: number): number {
  const open: string[] = []
  let at = from
  while (at < body.length) {
    const character = body[at]!
    if (character === "'" || character === '"') {
      const quote = body.startsWith(character.repeat(3), at) ? character.repeat(3) : character
      const end = body.indexOf(quote, at + quote.length)
      if (end === -1) throw new PyError('SyntaxError', 'f-string: unterminated string')
      at = end + quote.length
      continue
    }
    if (character === '(' || character === '[' || character === '{') open.push(character)
    else if (open.length > 0 && (character === ')' || character === ']' || character === '}')) open.pop()
    else if (open.length === 0) {
      if (character === '}' || character === ':') return at
      if (character === '!' && body[at + 1] !== '=') return at
    }
    at += 1
  }
  throw new PyError('SyntaxError', "f-string: expecting '}'")
}
