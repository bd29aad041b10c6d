import { sharedLength } from './template.js'

/** What of a new prompt a cache already holds. */
export interface Growth {
  /** Elements that both share from the start. */
  readonly kept: number
  /** True when the new one merely continues the old one. */
  readonly extension: boolean
}

/** Compares the text that was evaluated with the text to evaluate next. `kept` counts UTF-16 units. */
export function textGrowth(before: string, after: string): Growth {
  const kept = sharedLength(before, after)
  return { kept, extension: kept === before.length }
}

/** The same over token ids: `kept` tokens stay in the cache, the rest of `after` is to be evaluated. */
export function tokenGrowth(before: ArrayLike<number>, after: ArrayLike<number>): Growth {
  const most = Math.min(before.length, after.length)
  let kept = 0
  while (kept < most && before[kept] === after[kept]) kept++
  return { kept, extension: kept === before.length }
}
