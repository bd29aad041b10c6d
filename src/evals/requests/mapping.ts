import { allContracts } from '../../domains/contracts.js'
import type { CompareRule } from './compare.js'
import { argumentEquals } from './compare.js'
import { ruleFor } from './compare-rules.js'
import { MAPPING_RULES } from './mapping-rules.js'
import type { PlacedSlot, RequestLine } from './mapping-spans.js'
import { joinSlots, placeSlots } from './mapping-spans.js'
import { COMMON_SLOTS, FROM_TO, INTENT_TABLE } from './mapping-table.js'

/** The call that serves a request. */
export interface ExpectedCall {
  readonly tool: string
  /** The owner's own words, spelled as in the text. */
  readonly arguments: { readonly [parameter: string]: string }
  /** How each argument is compared; parameters that are not expected follow `ruleFor`. */
  readonly rules: { readonly [parameter: string]: CompareRule }
  /** Parameters that the tool needs and the request lacks: a question about them is as right as the call. */
  readonly missing: readonly string[]
}

/** What should be done about one line of a corpus. */
export type Expectation = ExpectedCall | { readonly noTool: true } | { readonly quirky: true }

/** An intent that the table does not know. */
export class UnknownIntentError extends Error {
  override readonly name = 'UnknownIntentError'
  readonly code = 'unknown_intent'
  constructor(readonly intent: string) {
    super(`No row for intent "${intent}" in mapping-table.ts; add one that names a tool.`)
  }
}

const contracts = new Map(allContracts.map((contract) => [contract.name, contract]))

interface MappedLine {
  readonly expectation: Expectation
  /** For each slot: whether its words stand in an argument. */
  readonly carried: readonly boolean[]
}

/**
 * The call that a line of HWU64, SLURP, Snips or xSID asks for; `noTool` for what is answered in words, `quirky` for
 * `general_quirky`.
 *
 * @throws UnknownIntentError
 */
export function expectedCall(line: RequestLine): Expectation {
  return mapLine(line).expectation
}

/** Like `expectedCall`, and says of each slot whether an argument carries it. */
export function mapLine(line: RequestLine): MappedLine {
  if (line.intent === 'general_quirky') return { expectation: { quirky: true }, carried: [] }
  if (line.intent.startsWith('general_')) return { expectation: { noTool: true }, carried: [] }
  const row = INTENT_TABLE[line.intent]
  if (!row) throw new UnknownIntentError(line.intent)
  const slots = placeSlots(line)
  let tool = row.tool
  const has = (parameter: string) => contracts.get(tool)?.parameters.shape[parameter] !== undefined
  const targets = slots.map((slot) => {
    const own = row.slots?.[slot.name]
    if (own) return own
    return COMMON_SLOTS[slot.name]?.find(has) ?? ''
  })
  splitFromTo(line.text, slots, targets)

  const fromRules: { [parameter: string]: string } = {}
  const claimed: { start: number; end: number }[] = []
  for (const name of row.rules ?? []) {
    const result = MAPPING_RULES[name]?.(line.text, slots, targets)
    if (result?.tool) tool = result.tool
    for (const [parameter, found] of Object.entries(result?.arguments ?? {})) {
      if (!has(parameter)) continue
      fromRules[parameter] = found.value
      if (found.start >= 0) claimed.push({ start: found.start, end: found.start + found.value.length })
    }
    for (const [index, parameter] of result?.slotParameters ?? []) targets[index] = parameter
  }

  const inside = slots.map((slot) =>
    claimed.some((span) => slot.start >= span.start && slot.end <= span.end && slot.start >= 0),
  )
  const collected: { [parameter: string]: string } = {}
  const carried = slots.map((_, index) => inside[index] === true)
  for (const parameter of new Set(targets)) {
    if (!has(parameter) || fromRules[parameter] !== undefined) continue
    const own = slots.filter((_, index) => targets[index] === parameter && !inside[index])
    if (own.length === 0) continue
    const others = slots.filter((slot, index) => targets[index] !== parameter && slot.start >= 0)
    const value = tidy(joinSlots(line.text, own, others, parameter === 'rating' ? 5 : 0), parameter)
    if (value === '') continue
    collected[parameter] = value
    for (const [index] of slots.entries()) if (targets[index] === parameter && !inside[index]) carried[index] = true
  }
  const found: { [parameter: string]: string } = { ...row.fixed, ...collected, ...fromRules }
  const ordered: { [parameter: string]: string } = {}
  for (const parameter of Object.keys(contracts.get(tool)?.parameters.shape ?? {})) {
    const value = found[parameter]
    if (value !== undefined) ordered[parameter] = value
  }
  const rules = Object.fromEntries(Object.keys(ordered).map((parameter) => [parameter, ruleFor(tool, parameter)]))
  const missing = Object.keys(contracts.get(tool)?.asks ?? {}).filter((parameter) => ordered[parameter] === undefined)
  return { expectation: { tool, arguments: ordered, rules, missing }, carried }
}

const PEOPLE_AND_TIMES = new Set(['when', 'people', 'to', 'from', 'name', 'place', 'time'])

function tidy(value: string, parameter: string): string {
  return PEOPLE_AND_TIMES.has(parameter) ? value.replace(/['’]s?$/i, '').trim() : value
}

/** Decides for places and zones whether they are where something starts or where it ends. */
function splitFromTo(text: string, slots: readonly PlacedSlot[], targets: string[]): void {
  const places = slots.map((slot, index) => ({ slot, index })).filter(({ index }) => targets[index] === FROM_TO)
  let previous: { end: number; target: string } | undefined
  let sawBetween = false
  for (const { slot, index } of places) {
    const before = slot.start < 0 ? '' : text.slice(previous ? previous.end : 0, slot.start).toLowerCase()
    const gap = before.split(/[\s,]+/).filter(Boolean)
    let target = 'to'
    if (previous && gap.length === 0) target = previous.target
    else if (previous && sawBetween && gap.includes('and')) target = 'to'
    else {
      gap.reverse()
      const cue = gap.find((word) =>
        /^(from|leaving|departing|between|to|for|towards|into|at|outside|if|it's|its|is)$/.test(word),
      )
      if (cue === 'between') sawBetween = true
      const alone = cue === 'between' && places.length === 1 && gap[0] === 'and'
      if (alone) target = 'to'
      else if (cue === 'from' || cue === 'leaving' || cue === 'departing' || cue === 'between') target = 'from'
      else if (
        (cue === 'at' || cue === 'outside') &&
        /\bpick\b.*\bup\b|\bget me\b|\bcollect\b/.test(text.toLowerCase())
      )
        target = 'from'
    }
    targets[index] = target
    previous = { end: slot.end, target }
  }
  if (places.length === 0 || !slots.some((slot) => slot.name === 'time' || slot.name === 'time_zone')) return
  splitZones(text.toLowerCase(), places, targets)
}

/** "When it is nine in the east, what time is it in the west": the asked-for zone is the target. */
function splitZones(text: string, places: readonly { slot: PlacedSlot; index: number }[], targets: string[]): void {
  if (places.length < 2) return
  const first = places[0]
  const last = places.at(-1)
  if (!first || !last || targets[first.index] === 'from' || first.slot.start < 0) return
  const asked = text.search(/\bwhat(?:'s|s)?\s+(?:is\s+)?(?:the\s+)?time\b|\btime\s+is\s+it\b/)
  const given = text.search(/\b(?:when|if|given|it's|it is)\b/)
  const firstIsAsked = asked >= 0 && asked < first.slot.start && given > first.slot.end
  targets[first.index] = firstIsAsked ? 'to' : 'from'
  targets[last.index] = firstIsAsked ? 'from' : 'to'
}

/** Whether a call is the expected one: the tool, every expected argument and no other. */
export function callEquals(
  expected: ExpectedCall,
  call: { readonly name: string; readonly arguments: { readonly [parameter: string]: unknown } },
  resolveWhen?: (phrase: string) => string | undefined,
): boolean {
  if (call.name !== expected.tool) return false
  const parameters = new Set([...Object.keys(expected.arguments), ...Object.keys(call.arguments)])
  return [...parameters].every((parameter) =>
    argumentEquals(
      expected.arguments[parameter],
      call.arguments[parameter],
      expected.rules[parameter] ?? ruleFor(expected.tool, parameter),
      resolveWhen,
    ),
  )
}

/** How many slot occurrences of a file the mapping carries into arguments. */
export interface MappingShare {
  readonly lines: number
  readonly slots: number
  readonly carried: number
  readonly share: number
  /** Slots left out, by `intent.slot`, most frequent first. */
  readonly dropped: readonly { readonly slot: string; readonly count: number }[]
}

/** Measures the share of slot occurrences that arguments carry (tool intents only; `general_*` have no tool). */
export function mappingShare(lines: Iterable<RequestLine>): MappingShare {
  let count = 0
  let slots = 0
  let carried = 0
  const dropped = new Map<string, number>()
  for (const line of lines) {
    count++
    const mapped = mapLine(line)
    if (!('tool' in mapped.expectation)) continue
    for (const [index, slot] of line.slots.entries()) {
      slots++
      if (mapped.carried[index]) carried++
      else dropped.set(`${line.intent}.${slot.name}`, (dropped.get(`${line.intent}.${slot.name}`) ?? 0) + 1)
    }
  }
  return {
    lines: count,
    slots,
    carried,
    share: slots === 0 ? 1 : carried / slots,
    dropped: [...dropped].map(([slot, n]) => ({ slot, count: n })).sort((a, b) => b.count - a.count),
  }
}
