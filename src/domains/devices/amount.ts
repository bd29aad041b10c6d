import { parseNumber } from '../words/numbers.js'

/** A level that was said: an absolute one, or a step. */
export interface Amount {
  readonly mode: 'set' | 'step'
  /** Percent. */
  readonly value: number
}

const clamp = (n: number): number => Math.min(100, Math.max(0, Math.round(n)))

/**
 * Reads "to half", "by twenty percent", "a bit", "maximum", "seven", "full power". A bare number sets the level.
 * Undefined when nothing of the kind was said.
 */
export function parseAmount(phrase: string | undefined): Amount | undefined {
  if (phrase === undefined) return undefined
  const s = phrase.toLowerCase().replace(/%/g, ' percent ').replace(/\s+/g, ' ').trim()
  if (/\b(?:max(?:imum)?|full|loudest|brightest|highest|all the way(?: up)?|hundred percent)\b/.test(s))
    return { mode: 'set', value: 100 }
  if (/\b(?:min(?:imum)?|lowest|dimmest|quietest|softest)\b/.test(s)) return { mode: 'set', value: 5 }
  if (/\b(?:zero|off|nothing|mute)\b/.test(s)) return { mode: 'set', value: 0 }
  const step = /\bby\b|\bmore\b|\bless\b|\blevels?\b|\bsteps?\b|\bnotch(?:es)?\b/.test(s)
  const words = s
    .replace(
      /\b(?:to|by|at|around|about|the|level|levels|steps?|notch(?:es)?|percent|of|volume|brightness|power|points?|more|less|a|set|up|down)\b/g,
      ' ',
    )
    .replace(/\s+/g, ' ')
    .trim()
  const named: { readonly [word: string]: number } = {
    half: 50,
    halfway: 50,
    quarter: 25,
    low: 20,
    medium: 50,
    middle: 50,
    high: 80,
    lower: 20,
    third: 33,
  }
  const value = Object.hasOwn(named, words) ? named[words] : parseNumber(words)
  if (value !== undefined && Number.isFinite(value)) {
    const unit = /\b(?:levels?|steps?|notch(?:es)?)\b/.test(s) && value <= 10 && step ? 10 : 1
    return { mode: step ? 'step' : 'set', value: clamp(value * unit) }
  }
  if (/\b(?:little|bit|slight(?:ly)?|tad|somewhat|touch)\b/.test(s)) return { mode: 'step', value: 10 }
  if (/\b(?:lot|much|way)\b/.test(s)) return { mode: 'step', value: 40 }
  return undefined
}

/** The new level after an amount in a direction; without an amount one step of 20. */
export function applyAmount(current: number, amount: Amount | undefined, direction: 'up' | 'down'): number {
  if (amount?.mode === 'set') return amount.value
  const step = amount?.value ?? 20
  return clamp(current + (direction === 'up' ? step : -step))
}
