import { fitsAll, sayWhere, type Where } from './match.js'
import type { Change } from './state.js'

/** One change of state that must (or may) come of a scenario. */
export interface ExpectedChange {
  readonly kind: 'added' | 'changed' | 'removed'
  /** Collection of {@link WorldState}. */
  readonly in: string
  /** What the row was before; for `changed` and `removed`. */
  readonly was: Where
  /** What the row is afterwards; for `added` and `changed`. */
  readonly now: Where
}

/** A row that was not there before. */
export function added(collection: string, now: Where): ExpectedChange {
  return { kind: 'added', in: collection, was: {}, now }
}

/** A row that was there and is different now. */
export function changed(collection: string, was: Where, now: Where): ExpectedChange {
  return { kind: 'changed', in: collection, was, now }
}

/** A row that is gone. */
export function removed(collection: string, was: Where): ExpectedChange {
  return { kind: 'removed', in: collection, was, now: {} }
}

/** The expectation in words. */
export function sayExpected({ kind, in: collection, was, now }: ExpectedChange): string {
  if (kind === 'added') return `new in ${collection}: ${sayWhere(now)}`
  if (kind === 'removed') return `gone from ${collection}: ${sayWhere(was)}`
  return `in ${collection}, ${sayWhere(was)}: now ${sayWhere(now)}`
}

/** A change in words, short. */
export function sayChange(change: Change): string {
  const kind = change.before === undefined ? 'new' : change.after === undefined ? 'gone' : 'changed'
  return `${kind} in ${change.in}: ${JSON.stringify(change.after ?? change.before).slice(0, 200)}`
}

function meets(change: Change, expected: ExpectedChange): boolean {
  if (change.in !== expected.in) return false
  const kind = change.before === undefined ? 'added' : change.after === undefined ? 'removed' : 'changed'
  if (kind !== expected.kind) return false
  return (
    (kind === 'added' || fitsAll(change.before, expected.was)) &&
    (kind === 'removed' || fitsAll(change.after, expected.now))
  )
}

/** How the changes compare with what was expected. */
export interface Comparison {
  /** Required changes that did not happen. */
  readonly missing: readonly ExpectedChange[]
  /** Changes that nobody asked for. */
  readonly unexpected: readonly Change[]
}

/**
 * Pairs every change with one expectation, required ones first. Whatever stays over on either side is a fault: a wrong
 * target is both, a change left out and one too many.
 */
export function compareChanges(
  changes: readonly Change[],
  required: readonly ExpectedChange[],
  allowed: readonly ExpectedChange[] = [],
): Comparison {
  const rest = [...changes]
  const take = (expected: ExpectedChange): boolean => {
    const at = rest.findIndex((change) => meets(change, expected))
    if (at >= 0) rest.splice(at, 1)
    return at >= 0
  }
  const missing = required.filter((expected) => !take(expected))
  return { missing, unexpected: rest.filter((change) => !allowed.some((expected) => meets(change, expected))) }
}
