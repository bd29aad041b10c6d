import { domainToUnicode } from 'node:url'
import type { JsonObject, JsonValue } from '../chat/types.js'

/**
 * Letters that look like Latin ones, after the confusables of Unicode UTS 39, kept to what ordinary fonts cannot tell
 * apart; and ASCII pairs that small print cannot.
 */
const LOOKS: { readonly [char: string]: string } = {
  а: 'a', е: 'e', о: 'o', р: 'p', с: 'c', у: 'y', х: 'x', і: 'i', ј: 'j', ѕ: 's', ԁ: 'd', һ: 'h', ԛ: 'q', ԝ: 'w', в: 'b',
  к: 'k', м: 'm', н: 'h', т: 't', г: 'r', п: 'n', ӏ: 'l', α: 'a', ο: 'o', ρ: 'p', ν: 'v', τ: 't', ι: 'i', κ: 'k', υ: 'u',
  ε: 'e', η: 'n', ω: 'w', γ: 'y', χ: 'x', ս: 'u', օ: 'o', հ: 'h', ո: 'n', ց: 'g', ı: 'i', ɡ: 'g', ɑ: 'a', ʏ: 'y', '0': 'o',
  '1': 'l', '5': 's', '|': 'l', i: 'l',
} // biome-ignore format: a table

const OTHER_LETTERS = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u

/** What a text looks like: equal for texts that a reader can hardly tell apart. */
export function skeleton(text: string): string {
  const bare = text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]+/gu, '')
    .toLowerCase()
  return [...bare]
    .map((char) => LOOKS[char] ?? char)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
}

/**
 * True when a word mixes scripts that hold look-alike letters, as in an address made to be mistaken for another (Unicode
 * UTS 39 calls these mixed-script confusables), or stands among Latin ones and is made of look-alikes alone ("арр.com").
 */
export function hasLookAlikes(text: string): boolean {
  for (const token of text.split(/[\s,;<>()]+/u)) {
    if (!OTHER_LETTERS.test(token)) continue
    if (/\p{Script=Latin}/u.test(token)) return true
    const letters = [...token.toLowerCase()].filter((char) => /\p{L}/u.test(char))
    if (/[@.:/\d]/.test(token) && letters.every((char) => LOOKS[char] !== undefined)) return true
  }
  return false
}

/**
 * What is wrong with how a value looks, for the owner who is to approve it, or undefined: mixed alphabets, letters of
 * unusual forms, an encoded international address, or a likeness with something known that is not the same.
 *
 * @param known names and addresses from the owner's words and trusted data
 */
export function lookAlikeWarning(text: string, known: readonly string[] = []): string | undefined {
  if (hasLookAlikes(text)) return 'mixes alphabets that look alike'
  const compatible = text.normalize('NFKC')
  if (compatible !== text.normalize('NFC') && /[\p{L}\p{N}]/u.test(compatible)) {
    if ([...text].some((char) => /[\p{L}\p{Nd}]/u.test(char) && char.normalize('NFKC') !== char.normalize('NFC')))
      return `uses letters of an unusual form for "${compatible.slice(0, 80)}"`
  }
  for (const host of text.match(/(?:[\p{L}\p{N}-]+\.)*xn--[\p{L}\p{N}.-]+/giu) ?? []) {
    const shown = domainToUnicode(host)
    if (shown !== '' && shown !== host) return `the address ${host} reads ${shown}`
  }
  for (const token of addressLike(text)) {
    const like = known.find((other) => other !== token && skeleton(other) === skeleton(token))
    if (like !== undefined) return `looks like ${like}, but is not the same`
  }
  return undefined
}

/** Warnings by argument, for those that have one. */
export function warningsOf(args: JsonObject, texts: readonly string[]): ReadonlyMap<string, string> {
  const known = texts.flatMap(addressLike)
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries(args)) {
    const warning = stringsIn(value)
      .map((text) => lookAlikeWarning(text, known))
      .find((said) => said !== undefined)
    if (warning !== undefined) found.set(name, warning)
  }
  return found
}

/** Tokens whose exact letters matter: addresses, hosts, and names with a capital. */
function addressLike(text: string): string[] {
  return (text.match(/[^\s"'<>()[\],;]+/gu) ?? [])
    .map((token) => token.replace(/[.:!?]+$/u, ''))
    .filter((token) => /[@/\\]|\w\.\w/u.test(token) && token.length > 4)
    .map((token) => token.toLowerCase())
}

function stringsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}
