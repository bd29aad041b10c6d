import type { JsonObject } from '../../chat/types.js'
import { argumentEquals } from './compare.js'
import { ruleFor } from './compare-rules.js'
import type { Expectation, ExpectedCall } from './mapping.js'
import { callEquals } from './mapping.js'

/** What the agent did with one request, up to the point where an effect would start. */
export interface ObservedStep {
  /** Calls of the first turn that made any, in order; empty when the model answered in words. */
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[]
  /** Visible text of the model. */
  readonly text: string
  /** Tokens that the model wrote. */
  readonly outputTokens: number
  /** Wall time from the request to the complete first turn, milliseconds. */
  readonly latencyMs: number
  /** Whether the expected tool was among those shown. */
  readonly shown?: boolean
}

/** One scored request. */
export interface RequestScore {
  readonly kind: 'tool' | 'noTool' | 'quirky'
  /** The first call names the expected tool, or a question stands for a call that lacks a required value. */
  readonly toolRight: boolean
  /** Exactly one call, with the expected tool, every expected argument and no other. */
  readonly exact: boolean
  /** The request lacks a value that the tool requires. */
  readonly lacksValue: boolean
  readonly calledAny: boolean
  /** Arguments that were expected and given; given but not expected so; expected but not given so. */
  readonly slots: { readonly right: number; readonly wrong: number; readonly missed: number }
}

/**
 * Scores one request. Where the request lacks a value that the tool requires, a question in words and a call that leaves
 * the value out (which the host turns into a question) both count as right.
 *
 * @param resolveWhen - canonical text of a time phrase, where code can resolve it.
 */
export function scoreRequest(
  expected: Expectation,
  observed: ObservedStep,
  resolveWhen?: (phrase: string) => string | undefined,
): RequestScore {
  const calledAny = observed.calls.length > 0
  const none = { right: 0, wrong: 0, missed: 0 }
  if (!('tool' in expected)) {
    const kind = 'quirky' in expected ? 'quirky' : 'noTool'
    return { kind, toolRight: !calledAny, exact: !calledAny, lacksValue: false, calledAny, slots: none }
  }
  const lacksValue = expected.missing.length > 0
  const first = observed.calls[0]
  if (!first) {
    const asked = lacksValue && observed.text.includes('?')
    const missed = asked ? 0 : Object.keys(expected.arguments).length
    return { kind: 'tool', toolRight: asked, exact: asked, lacksValue, calledAny, slots: { ...none, missed } }
  }
  return {
    kind: 'tool',
    toolRight: first.name === expected.tool,
    exact: observed.calls.length === 1 && callEquals(expected, first, resolveWhen),
    lacksValue,
    calledAny,
    slots:
      first.name === expected.tool
        ? compareSlots(expected, first.arguments, resolveWhen)
        : wrongTool(expected, first.arguments),
  }
}

function compareSlots(expected: ExpectedCall, given: JsonObject, resolveWhen?: (phrase: string) => string | undefined) {
  let right = 0
  let wrong = 0
  let missed = 0
  for (const parameter of new Set([...Object.keys(expected.arguments), ...Object.keys(given)])) {
    const rule = expected.rules[parameter] ?? ruleFor(expected.tool, parameter)
    const has = expected.arguments[parameter] !== undefined
    const got = given[parameter] !== undefined
    if (argumentEquals(expected.arguments[parameter], given[parameter], rule, resolveWhen)) {
      if (has) right++
      continue
    }
    if (has) missed++
    if (got) wrong++
  }
  return { right, wrong, missed }
}

function wrongTool(expected: ExpectedCall, given: JsonObject) {
  return { right: 0, wrong: Object.keys(given).length, missed: Object.keys(expected.arguments).length }
}
