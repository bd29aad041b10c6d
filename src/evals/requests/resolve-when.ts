import { resolveWhen } from '../../domains/time/index.js'

/** A fixed Wednesday morning, so that a phrase resolves to the same text on every day the evaluation runs. */
const NOW = new Date('2026-06-17T09:00:00Z')

/**
 * The meaning of a time phrase as text, or undefined where it is not fully understood; two phrases of one meaning give the
 * same text.
 */
export function resolveWhenText(phrase: string): string | undefined {
  const when = resolveWhen(phrase, { now: NOW, zone: 'UTC' })
  if (when.kind !== 'resolved' || when.rest.trim() !== '') return undefined
  return [
    when.start.toISOString(),
    when.end?.toISOString() ?? '',
    when.recurrence ?? '',
    when.allDay,
    when.bound ?? '',
  ].join('|')
}
