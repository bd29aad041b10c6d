import type { Missed } from '../../domains/later/index.js'
import { sayClock, sayInstant } from '../../domains/time/index.js'

const NAMES = { alarm: 'Alarm', timer: 'Timer', reminder: 'Reminder', automation: 'Automation' } as const

/** "Alarm: gym", "Timer", "Reminder: call Anna". */
export function sayHappening({ kind, title }: Pick<Missed, 'kind' | 'title'>): string {
  return title === NAMES[kind] ? title : `${NAMES[kind]}: ${title}`
}

const WHY = {
  'not-running': '',
  'cut-off': ' (it rang and was cut off)',
  'maybe-unseen': ' (it may not have been shown)',
} as const

/** One line on something that was missed. */
export function sayMissed(missed: Missed, now: Date, zone: string): string {
  const at = new Date(missed.at)
  const told = missed.told === undefined ? '' : `. ${missed.told}`
  return `${sayHappening(missed)}, ${sayInstant(at, zone, now)}${WHY[missed.why]}${told}`
}

/** The clock of an instant, for titles. */
export function clockOf(at: number, zone: string): string {
  return sayClock(new Date(at), zone)
}
