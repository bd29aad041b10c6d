import type { JsonObject } from '../../chat/types.js'

/** The text of an argument, trimmed; undefined when it is missing or empty. Numbers and lists become text. */
export function text(args: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(args, name) ? args[name] : undefined
  if (value === undefined || value === null) return undefined
  const said = Array.isArray(value)
    ? value.filter((v) => typeof v === 'string' || typeof v === 'number').join(' and ')
    : typeof value === 'object'
      ? ''
      : String(value)
  const trimmed = said.trim()
  return trimmed === '' ? undefined : trimmed
}

/** Whether a phrase asks for everything: "all", "all of them", "every alarm", "everything". */
export function meansAll(phrase: string | undefined): boolean {
  return phrase !== undefined && /\b(?:all|every|everything|each|both|any)\b/i.test(phrase)
}
