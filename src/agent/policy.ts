import type { Effect, Field } from '../tools/contract.js'
import type { PolicyRule } from './policy-rules.js'

/** What the host does with a call: run it, ask the owner first, or refuse it. */
export type Decision = 'allow' | 'ask' | 'deny'

/** One line of the policy table. `any` matches both values. */
export interface PolicyRow {
  readonly effect: Effect
  readonly egress: 'none' | 'out' | 'any'
  readonly provenance: 'clean' | 'tainted' | 'any'
  readonly decision: Decision
  readonly why: string
}

/** The default table: the first row that matches decides. It covers every combination. */
export const DEFAULT_POLICY: readonly PolicyRow[] = [
  { effect: 'irreversible', egress: 'any', provenance: 'any', decision: 'ask', why: 'it cannot be undone' },
  { effect: 'write', egress: 'out', provenance: 'any', decision: 'ask', why: 'something leaves this device' },
  { effect: 'write', egress: 'none', provenance: 'tainted', decision: 'ask', why: 'outside text may have caused it' },
  { effect: 'write', egress: 'none', provenance: 'clean', decision: 'allow', why: 'it can be undone' },
  { effect: 'read', egress: 'out', provenance: 'tainted', decision: 'ask', why: 'outside text may leave in it' },
  { effect: 'read', egress: 'out', provenance: 'clean', decision: 'allow', why: 'only your own words leave' },
  { effect: 'read', egress: 'none', provenance: 'any', decision: 'allow', why: 'it only looks' },
]

/** What the policy knows of a call. */
export interface PolicyCase {
  readonly tool: string
  readonly field: Field
  readonly effect: Effect
  /** Recipients of what leaves the device; undefined when nothing does. */
  readonly recipients: readonly string[] | undefined
  /** The addresses that the recipients stand for, when the tool can tell: what a rule's `to` is about. */
  readonly addresses?: readonly string[]
  readonly provenance: 'clean' | 'tainted'
}

/** A decision with what it rests on, for the journal and the owner. */
export interface PolicyVerdict {
  readonly decision: Decision
  /** `table:…`, `rule:…` or `approve:…`. */
  readonly rule: string
  readonly why: string
}

/**
 * Decides on a call. Order: the table; then the owner's rules, of which the last that matches counts; then `--approve`.
 * A rule may narrow everything and widen everything except an ask that provenance demands; `--approve` turns an ask into
 * an allow only where nothing irreversible, nothing outgoing and no taint is involved.
 */
export function decide(
  subject: PolicyCase,
  rules: readonly PolicyRule[] = [],
  approved: readonly string[] = [],
  table: readonly PolicyRow[] = DEFAULT_POLICY,
): PolicyVerdict {
  const out = subject.recipients !== undefined
  const tainted = subject.provenance === 'tainted'
  const row = table.find(
    (candidate) =>
      candidate.effect === subject.effect &&
      (candidate.egress === 'any' || (candidate.egress === 'out') === out) &&
      (candidate.provenance === 'any' || (candidate.provenance === 'tainted') === tainted),
  )
  let verdict: PolicyVerdict = row
    ? { decision: row.decision, rule: `table:${row.effect}/${row.egress}/${row.provenance}`, why: row.why }
    : { decision: 'ask', rule: 'table:none', why: 'the policy table has no row for it' }

  const demanded = tainted && (subject.effect !== 'read' || out)
  rules.forEach((rule, index) => {
    if (!matches(rule, subject)) return
    if (rule.decision === 'allow' && demanded) return
    verdict = { decision: rule.decision, rule: `rule:${index + 1}`, why: rule.why ?? `your rule ${index + 1} says so` }
  })

  if (verdict.decision === 'ask' && subject.effect !== 'irreversible' && !out && !demanded) {
    const kind = approved.find((name) => name === subject.effect || name === subject.field || name === subject.tool)
    if (kind) verdict = { decision: 'allow', rule: `approve:${kind}`, why: `--approve ${kind}` }
  }
  return verdict
}

function matches(rule: PolicyRule, subject: PolicyCase): boolean {
  if (rule.tool !== undefined && !wildcard(rule.tool, subject.tool)) return false
  if (rule.field !== undefined && rule.field !== subject.field) return false
  if (rule.effect !== undefined && rule.effect !== subject.effect) return false
  if (rule.to === undefined) return true
  const said = subject.recipients ?? []
  const addresses = subject.addresses ?? []
  const wanted = rule.to
  // To widen, every recipient must be covered, by its address where that is known: a name can be given to anybody. To
  // narrow, one is enough, however it is called.
  if (rule.decision !== 'allow') return [...said, ...addresses].some((recipient) => wildcard(wanted, recipient))
  const counted = addresses.length > 0 ? addresses : said
  return counted.length > 0 && counted.every((recipient) => wildcard(wanted, recipient))
}

function wildcard(pattern: string, text: string): boolean {
  const parts = pattern.toLowerCase().split('*')
  const value = text.trim().toLowerCase()
  if (parts.length === 1) return value === parts[0]
  let at = 0
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!
    const found = i === parts.length - 1 ? value.lastIndexOf(part) : value.indexOf(part, at)
    if (found < at || (i === 0 && found !== 0)) return false
    if (i === parts.length - 1 && found + part.length !== value.length) return false
    at = found + part.length
  }
  return true
}
