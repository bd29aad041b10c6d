import type { JsonValue } from '../chat/types.js'
import type { Wording } from './wording.js'

/** Words with which people ask for the usual choices of a schema. */
const SAID: { readonly [choice: string]: string } = {
  on: 'start enable activate',
  off: 'kill shut disable stop',
  up: 'brighter louder higher raise raised increase more warmer lighter lighten boost brighten bright loud high',
  down: 'dim dimmer dimmed darker quieter softer lower lowered reduce decrease less cooler soften darken',
  lock: 'locked secure',
  mute: 'muted quiet silent silence hush sleep shush sound',
  unmute: 'unmuted',
  unlock: 'unlocked open',
  close: 'shut closed',
  like: 'liked love loved great good favorite favourite best awesome five',
  dislike: 'hate bad awful worst',
}

/** All the words that ask for one of the usual choices. */
export const CHOICE_WORDS: ReadonlySet<string> = new Set(Object.values(SAID).flatMap((words) => words.split(' ')))

/**
 * Does the owner's wording ask for this one of the values that a schema lists? Its own name must be there and no other's,
 * or a usual word for it and neither name nor word of another.
 */
export function meansChoice(value: JsonValue, choices: readonly JsonValue[], words: Wording): boolean {
  const own = strength(value, words)
  return own > 0 && choices.every((other) => other === value || strength(other, words) < own)
}

function strength(choice: JsonValue, words: Wording): number {
  if (typeof choice !== 'string' && typeof choice !== 'number') return 0
  const name = String(choice).toLowerCase()
  // "set" is the verb of most requests; as a choice it yields to any other.
  if (words.says(name, true) && (name !== 'on' || switchesOn(words.text))) return name === 'set' ? 0.5 : 2
  return (SAID[name] ?? '').split(' ').some((word) => word !== '' && words.words.has(word)) ? 1 : 0
}

/** "on" is also a preposition ("turn off the lamp on the desk"): beside an "off" it counts only behind its verb or at the end. */
function switchesOn(text: string): boolean {
  return !/\boff\b/.test(text) || /\b(?:turn|switch|put|flip|power)(?:ed|ing)? on\b|\bon[\s.!]*$/.test(text)
}
