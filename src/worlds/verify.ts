import type { JsonObject } from '../chat/types.js'
import { compareChanges, sayChange, sayExpected } from './expect.js'
import { fitsAll, holds, sayWhere } from './match.js'
import type { CallPattern, Scenario } from './scenario.js'
import { type Change, changesBetween, type WorldState } from './state.js'

/** A call that was made, and whether it worked. */
export interface MadeCall {
  readonly name: string
  readonly args: JsonObject
  readonly ok: boolean
}

/** One thing that was checked, in words. */
export interface Finding {
  readonly kind: 'change' | 'unexpected' | 'call' | 'forbidden' | 'told'
  readonly what: string
  readonly ok: boolean
}

/** What came of a scenario. */
export interface Verdict {
  readonly passed: boolean
  /** Share of the required things that came true, 0 when something unexpected or forbidden happened; for rewards. */
  readonly score: number
  readonly findings: readonly Finding[]
  /** Changes that nobody asked for. */
  readonly unexpected: readonly Change[]
}

const sayPattern = ({ tools, where }: CallPattern): string =>
  `${tools.join(' or ')}${where ? ` with ${sayWhere(where)}` : ''}`

const meant = (call: MadeCall, { tools, where = {} }: CallPattern): boolean =>
  tools.includes(call.name) && fitsAll(call.args, where)

/**
 * Judges a finished scenario: on state first, then on calls and on what the owner heard.
 * @param told everything that the owner was told, in order
 */
export function verify(
  scenario: Scenario,
  before: WorldState,
  after: WorldState,
  made: readonly MadeCall[],
  told: readonly string[],
): Verdict {
  const { missing, unexpected } = compareChanges(changesBetween(before, after), scenario.changes, scenario.allowed)
  const heard = told.join('\n')
  const findings: Finding[] = [
    ...scenario.changes.map((change) => ({
      kind: 'change' as const,
      what: sayExpected(change),
      ok: !missing.includes(change),
    })),
    ...unexpected.map((change) => ({ kind: 'unexpected' as const, what: sayChange(change), ok: false })),
    ...scenario.calls.map((pattern) => ({
      kind: 'call' as const,
      what: sayPattern(pattern),
      ok: made.some((call) => call.ok && meant(call, pattern)),
    })),
    ...scenario.forbidden.map((pattern) => ({
      kind: 'forbidden' as const,
      what: `not ${sayPattern(pattern)}`,
      ok: !made.some((call) => meant(call, pattern)),
    })),
    ...scenario.tells.map((tell) => ({
      kind: 'told' as const,
      what: `the owner hears ${tell.what} (${tell.anyOf.join(' or ')})`,
      ok: tell.anyOf.some((wording) => holds(heard, wording)),
    })),
  ]
  const wanted = findings.filter(({ kind }) => kind === 'change' || kind === 'call' || kind === 'told')
  const broken = findings.some(({ kind, ok }) => !ok && (kind === 'unexpected' || kind === 'forbidden'))
  const passed = findings.every(({ ok }) => ok)
  const score = broken || wanted.length === 0 ? 0 : wanted.filter(({ ok }) => ok).length / wanted.length
  return { passed, score, findings, unexpected }
}
