/** How two values of one argument are compared. */
export type CompareRule =
  /** Letter for letter (enumerations). */
  | { readonly kind: 'exact' }
  /** Words without order, case, punctuation and function words; `ignore` names words that the tool itself implies. */
  | { readonly kind: 'words'; readonly ignore?: readonly string[] }
  /** A time phrase: numbers in words and digits are the same. */
  | { readonly kind: 'when' }
  /** A rating: value, best value and unit. */
  | { readonly kind: 'rating' }
  /** Words that code resolves to one of few meanings; `absent` is the meaning of no argument. */
  | {
      readonly kind: 'choice'
      readonly meanings: { readonly [meaning: string]: readonly string[] }
      readonly absent?: string
    }

const FUNCTION_WORDS = new Set(
  `a an the of in on at for to from by with and or this that these those my our your me i it its is are am was be been
   please s some any called named titled as do does did so just will would can could us we you about into onto off out
   there here's what whats how than then if`
    .split(/\s+/)
    .filter(Boolean),
)

const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS: { readonly [word: string]: number } = {
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
}
const ORDINALS =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'.split(
    ' ',
  )

/**
 * Whether a call's argument says what was expected. An absent argument is the empty string; so an argument of nothing but
 * implied words ("the list") equals an absent one.
 *
 * @param resolve - turns a time phrase into a canonical text where code can; used for rule `when`.
 */
export function argumentEquals(
  expected: unknown,
  actual: unknown,
  rule: CompareRule,
  resolve?: (phrase: string) => string | undefined,
): boolean {
  const left = toText(expected)
  const right = toText(actual)
  if (left === right) return true
  switch (rule.kind) {
    case 'exact':
      return left.toLowerCase().trim() === right.toLowerCase().trim()
    case 'choice':
      return meaning(left, rule) === meaning(right, rule)
    case 'rating':
      return rating(left) === rating(right)
    case 'when': {
      const a = bag(left, [], true)
      if (a === bag(right, [], true)) return true
      if (!resolve || left === '' || right === '') return false
      const resolved = resolve(left)
      return resolved !== undefined && resolved === resolve(right)
    }
    case 'words':
      return bag(left, rule.ignore ?? [], false) === bag(right, rule.ignore ?? [], false)
  }
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Lower-case words of a text without punctuation and possessive endings. */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[’`´]/g, "'")
    .replace(/'s\b/g, '')
    .replace(/(\p{L})\.(?=\s|$|\p{L}\.)/gu, '$1')
    .split(/[^\p{L}\p{N}:@$€£%+*/.-]+/u)
    .map((word) => word.replace(/^[.:/-]+|[.:/-]+$/g, ''))
    .filter(Boolean)
}

function bag(text: string, ignore: readonly string[], numbers: boolean): string {
  let words = wordsOf(text)
  if (numbers) words = digits(words)
  const kept = words.filter((word) => !FUNCTION_WORDS.has(word) && !ignore.includes(word))
  return kept.sort().join(' ')
}

/** Writes number words as digits: "twenty five" is 25, "fifteenth" is 15th, "two hundred" stays two words. */
export function digits(words: readonly string[]): string[] {
  const out: string[] = []
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    const next = words[i + 1] ?? ''
    const unit = UNITS.indexOf(word)
    const ordinal = ORDINALS.indexOf(word)
    const tens = TENS[word]
    if (tens !== undefined) {
      const unitAfter = UNITS.indexOf(next)
      const ordinalAfter = ORDINALS.indexOf(next)
      if (unitAfter > 0 && unitAfter < 10) {
        out.push(String(tens + unitAfter))
        i++
      } else if (ordinalAfter > 0 && ordinalAfter < 10) {
        out.push(`${tens + ordinalAfter}th`)
        i++
      } else out.push(String(tens))
    } else if (unit >= 0) out.push(String(unit))
    else if (ordinal > 0) out.push(`${ordinal}th`)
    else if (word === 'twentieth') out.push('20th')
    else if (word === 'thirtieth') out.push('30th')
    else out.push(word.replace(/^(\d+)(st|nd|rd|th)$/, '$1th').replace(/^0+(\d)/, '$1'))
  }
  return out
}

function rating(text: string): string {
  const words = digits(wordsOf(text))
  const numbers = words.flatMap((word) => (/^\d+$/.test(word) ? [word] : []))
  const unit = words.find((word) => /^(star|point)s?$/.test(word))?.replace(/s$/, '') ?? ''
  return [numbers[0] ?? '', numbers[1] ?? '', unit].join('|')
}

function meaning(text: string, rule: Extract<CompareRule, { kind: 'choice' }>): string {
  const phrase = wordsOf(text).join(' ')
  if (phrase === '') return rule.absent ?? ''
  for (const [name, starts] of Object.entries(rule.meanings)) {
    if (starts.some((start) => phrase === start || phrase.startsWith(`${start} `))) return name
  }
  return bag(phrase, [], false)
}
