import type { LaterEvent } from '../../agent/later/index.js'
import { sayHappening, sayMissed } from '../../agent/later/index.js'
import { makeVisible } from '../../agent/visible.js'
import { sayClock } from '../../domains/time/index.js'

/** What a notification says. */
export interface Notice {
  readonly title: string
  readonly text: string
  /** Stays until it is closed, and offers to stop or snooze. */
  readonly rings?: boolean
  /** Snooze makes sense. */
  readonly snooze?: boolean
}

/** Lines of a report that a notification shows; the terminal and the history show all. */
const MOST_LINES = 6

/** The notification of an event, undefined for those that need none. Outside text has its control characters made visible. */
export function noticeOf(event: LaterEvent, now: Date, zone: string): Notice | undefined {
  switch (event.type) {
    case 'ring': {
      const { ring, keepsRinging } = event
      const clock = sayClock(new Date(ring.at), zone)
      return {
        title: makeVisible(sayHappening(ring)),
        text: makeVisible([clock, ring.note].filter((part) => part !== undefined).join(', ')),
        ...(keepsRinging ? { rings: true, snooze: ring.kind === 'alarm' || ring.kind === 'timer' } : {}),
      }
    }
    case 'missed': {
      const lines = event.list.map((missed) => sayMissed(missed, now, zone))
      const more = lines.length - MOST_LINES
      const shown = more > 0 ? [...lines.slice(0, MOST_LINES), `and ${more} more (botpsy history)`] : lines
      return { title: 'Missed while BotPsy did not run', text: makeVisible(shown.join('\n')) }
    }
    case 'action': {
      const { outcome } = event
      const title =
        outcome.status === 'done'
          ? outcome.title
          : `${outcome.status === 'unapproved' ? 'Not allowed' : 'Failed'}: ${outcome.title}`
      return { title: makeVisible(title), text: makeVisible(`${outcome.text} (${outcome.cause})`) }
    }
    case 'problem':
    case 'ring.end':
      return undefined
  }
}

/** The same for a terminal: one or more lines. */
export function linesOf(event: LaterEvent, now: Date, zone: string): readonly string[] {
  const clock = sayClock(now, zone)
  if (event.type === 'problem') return [`${clock}  ! ${makeVisible(event.text)}`]
  if (event.type === 'ring.end') return [`${clock}  (${event.how === 'stopped' ? 'stopped' : 'rang long enough'})`]
  if (event.type === 'missed')
    return [
      `${clock}  Missed while BotPsy did not run:`,
      ...event.list.map((missed) => `       ${makeVisible(sayMissed(missed, now, zone))}`),
    ]
  const notice = noticeOf(event, now, zone)
  return notice === undefined ? [] : [`${clock}  ${notice.title} – ${notice.text.replaceAll('\n', ' ')}`]
}
