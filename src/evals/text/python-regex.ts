import { PY_CLASS } from './unicode.js'

/** A pattern of Python's `re` that has no counterpart here, or that Python refuses. */
export class PythonPatternError extends Error {
  override readonly name = 'PythonPatternError'
  readonly code = 'python-pattern'
  constructor(
    readonly pattern: string,
    /** Offset in UTF-16 units. */
    readonly at: number,
    reason: string,
  ) {
    super(`the pattern ${JSON.stringify(pattern)} cannot be used: ${reason} at ${at}`)
  }
}

/** Flags of Python's `re`: i = IGNORECASE, m = MULTILINE, s = DOTALL. */
export type PythonFlags = '' | 'i' | 'm' | 's' | 'im' | 'is' | 'ms' | 'ims'

const cache = new Map<string, RegExp>()

/**
 * The JavaScript expression that matches what this pattern of Python's `re` matches in a str: Unicode `\w \d \s \b`,
 * `.` that stops at line feeds only, `$` that also matches before a final line feed, dotless i equal to i when case is
 * ignored. Possessive quantifiers, atomic and conditional groups are not supported. The expression has the flags
 * g and v and is shared: this call sets its lastIndex to 0.
 * @throws PythonPatternError
 */
export function pyRegex(pattern: string, flags: PythonFlags = ''): RegExp {
  const key = `${flags}/${pattern}`
  let regex = cache.get(key)
  if (regex === undefined) {
    regex = new Translator(pattern, flags).translate()
    cache.set(key, regex)
  }
  regex.lastIndex = 0
  return regex
}

/** `[m.group(0) for m in re.finditer(pattern, text)]` of Python. */
export function findAll(pattern: string, text: string, flags: PythonFlags = ''): string[] {
  return Array.from(text.matchAll(pyRegex(pattern, flags)), (match) => match[0])
}

/** `re.search(pattern, text) is not None` of Python. */
export function searches(pattern: string, text: string, flags: PythonFlags = ''): boolean {
  return pyRegex(pattern, flags).test(text)
}

/** `re.match(pattern, text)` of Python: the match at the start, or undefined. */
export function matchesStart(pattern: string, text: string, flags: PythonFlags = ''): RegExpExecArray | undefined {
  return pyRegex(`\\A(?:${pattern})`, flags).exec(text) ?? undefined
}

/** `re.escape(text)` of Python, for use inside a pattern. */
export function pyEscape(text: string): string {
  return text.replace(/[\t\n\v\f\r !#$&()*+\-.?[\\\]^{|}~]/g, '\\$&')
}

const SIMPLE: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, f: 12, v: 11, a: 7 }
const CATEGORIES: Readonly<Record<string, string>> = {
  w: `[${PY_CLASS.word}]`,
  W: `[^${PY_CLASS.word}]`,
  d: `[${PY_CLASS.digit}]`,
  D: `[^${PY_CLASS.digit}]`,
  s: `[${PY_CLASS.space}]`,
  S: `[^${PY_CLASS.space}]`,
}
const WORD = CATEGORIES['w']!
const BOUNDARY = `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`
const NO_BOUNDARY = `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`
// What Python takes for equal to i when case is ignored and JavaScript does not.
const I_FAMILY = '\\u{49}\\u{69}\\u{130}\\u{131}'
const I_POINTS = [0x49, 0x69, 0x130, 0x131]

class Translator {
  #at = 0
  readonly #ignoreCase: boolean
  readonly #multiline: boolean
  readonly #dotAll: boolean
  readonly #source: string

  constructor(
    readonly pattern: string,
    flags: PythonFlags,
  ) {
    const inline = /^\(\?([imsu]+)\)/.exec(pattern)
    const all = flags + (inline?.[1] ?? '')
    this.#ignoreCase = all.includes('i')
    this.#multiline = all.includes('m')
    this.#dotAll = all.includes('s')
    this.#source = inline ? pattern.slice(inline[0].length) : pattern
  }

  translate(): RegExp {
    let out = ''
    while (this.#at < this.#source.length) out += this.#piece()
    try {
      return new RegExp(out, this.#ignoreCase ? 'giv' : 'gv')
    } catch (error) {
      throw this.#error(error instanceof Error ? error.message : 'not a pattern')
    }
  }

  #error(reason: string): PythonPatternError {
    return new PythonPatternError(this.pattern, this.#at, reason)
  }

  #next(): string {
    const point = this.#source.codePointAt(this.#at)
    if (point === undefined) throw this.#error('unexpected end')
    const character = String.fromCodePoint(point)
    this.#at += character.length
    return character
  }

  #piece(): string {
    const character = this.#next()
    switch (character) {
      case '\\':
        return this.#escape()
      case '[':
        return this.#set()
      case '(':
        return this.#open()
      case '.':
        return this.#dotAll ? '[^]' : '[^\\n]'
      case '^':
        return this.#multiline ? '(?<![^\\n])' : '(?<![^])'
      case '$':
        return this.#multiline ? '(?![^\\n])' : '(?=\\n?(?![^]))'
      case ')':
      case '|':
        return character
      case '*':
      case '+':
      case '?':
        return this.#quantified(character)
      case '{':
        return this.#braces()
      default:
        return this.#literal(character.codePointAt(0)!)
    }
  }

  #literal(point: number): string {
    if (this.#ignoreCase && I_POINTS.includes(point)) return `[${I_FAMILY}]`
    return `\\u{${point.toString(16)}}`
  }

  #quantified(quantifier: string): string {
    const after = this.#source[this.#at]
    if (after === '?') {
      this.#at += 1
      return `${quantifier}?`
    }
    if (after === '+') throw this.#error('possessive quantifiers are not supported')
    return quantifier
  }

  #braces(): string {
    const bounds = /^(\d*)(,?)(\d*)\}/.exec(this.#source.slice(this.#at))
    if (bounds === null || (bounds[1] === '' && bounds[3] === '')) return this.#literal(0x7b)
    this.#at += bounds[0].length
    return this.#quantified(`{${bounds[1] || '0'}${bounds[2]}${bounds[3]}}`)
  }

  #open(): string {
    if (this.#source[this.#at] !== '?') return '('
    const rest = this.#source.slice(this.#at)
    const comment = /^\?#[^)]*\)/.exec(rest)
    if (comment) {
      this.#at += comment[0].length
      return ''
    }
    const back = /^\?P=([A-Za-z_][A-Za-z0-9_]*)\)/.exec(rest)
    if (back) {
      this.#at += back[0].length
      return `\\k<${back[1]}>`
    }
    const named = /^\?P<([A-Za-z_][A-Za-z0-9_]*)>/.exec(rest)
    if (named) {
      this.#at += named[0].length
      return `(?<${named[1]}>`
    }
    const plain = /^\?(?::|=|!|<=|<!)/.exec(rest)
    if (plain) {
      this.#at += plain[0].length
      return `(${plain[0]}`
    }
    throw this.#error('this kind of group is not supported')
  }

  #escape(): string {
    const character = this.#next()
    if (character === 'A') return '(?<![^])'
    if (character === 'Z') return '(?![^])'
    if (character === 'b') return BOUNDARY
    if (character === 'B') return NO_BOUNDARY
    const category = CATEGORIES[character]
    if (category !== undefined) return category
    if (/[1-9]/.test(character)) {
      const more = /^[0-9]/.exec(this.#source.slice(this.#at))
      if (more) this.#at += 1
      return `(?:\\${character}${more?.[0] ?? ''})`
    }
    return this.#literal(this.#escapedPoint(character))
  }

  #escapedPoint(character: string): number {
    const simple = SIMPLE[character]
    if (simple !== undefined) return simple
    const digits = { x: 2, u: 4, U: 8 }[character]
    if (digits !== undefined) {
      const hex = this.#source.slice(this.#at, this.#at + digits)
      if (hex.length !== digits || !/^[0-9a-fA-F]+$/.test(hex)) throw this.#error('incomplete escape')
      this.#at += digits
      return Number.parseInt(hex, 16)
    }
    if (character === '0') {
      const octal = /^[0-7]{0,2}/.exec(this.#source.slice(this.#at))![0]
      this.#at += octal.length
      return Number.parseInt(`0${octal}`, 8)
    }
    if (/[A-Za-z0-9]/.test(character)) throw this.#error(`bad escape \\${character}`)
    return character.codePointAt(0)!
  }

  #set(): string {
    const negated = this.#source[this.#at] === '^'
    if (negated) this.#at += 1
    let out = ''
    let first = true
    for (;;) {
      const character = this.#next()
      if (character === ']' && !first) break
      first = false
      const low = this.#member(character)
      if (typeof low === 'string') {
        out += low
        continue
      }
      if (this.#source[this.#at] === '-' && this.#source[this.#at + 1] !== ']') {
        this.#at += 1
        const high = this.#member(this.#next())
        if (typeof high === 'string') {
          out += `${point(low)}\\-${high}`
          continue
        }
        if (high < low) throw this.#error('bad character range')
        out += `${point(low)}-${point(high)}`
        if (this.#ignoreCase && I_POINTS.some((one) => one >= low && one <= high)) out += I_FAMILY
        continue
      }
      out += this.#ignoreCase && I_POINTS.includes(low) ? I_FAMILY : point(low)
    }
    return `[${negated ? '^' : ''}${out}]`
  }

  #member(character: string): string | number {
    if (character !== '\\') return character.codePointAt(0)!
    const escaped = this.#next()
    const category = CATEGORIES[escaped]
    if (category !== undefined) return category
    if (escaped === 'b') return 8
    return this.#escapedPoint(escaped)
  }
}

function point(value: number): string {
  return `\\u{${value.toString(16)}}`
}
