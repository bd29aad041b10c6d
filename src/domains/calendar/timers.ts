import { randomUUID } from 'node:crypto'
import type { ToolContext } from '../../tools/contract.js'
import { type Implementation, reads } from '../implement.js'
import { asked, done, failed } from '../result.js'
import { parseDuration, resolveWhen, sayClock, sayDuration, sayInstant, spanMilliseconds } from '../time/index.js'
import { meansAll, text } from '../words/args.js'
import { countWords, findNamed, keyWords, listWords } from '../words/match.js'
import type { CalendarStore } from './calendar-store.js'
import { removeOccurrences } from './change.js'
import { calendarEffect, undoOf } from './effects.js'
import type { Occurrence } from './expand.js'
import { type RingDesk, stopRinging } from './ring-desk.js'
import { specific } from './select.js'

const LONGEST = 30 * 86_400_000

const running = (store: CalendarStore, context: ToolContext): readonly Occurrence[] => {
  const now = context.now()
  return store
    .occurrences(now, new Date(now.getTime() + LONGEST + 1000), context.timeZone, ['timer'])
    .filter((o) => o.start > now)
}

const name = (o: Occurrence): string => (o.title === 'Timer' ? 'the timer' : `the timer "${o.title}"`)
const left = (o: Occurrence, context: ToolContext): string => sayDuration(o.start.getTime() - context.now().getTime())
const capital = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1)

/**
 * timer_set, timer_list and timer_cancel.
 * @param desk what rings at the moment, when a service may ring
 */
export function timerTools(store: CalendarStore, desk?: RingDesk): { readonly [name: string]: Implementation } {
  const set = calendarEffect(
    store,
    ([o], _removed, context) =>
      done(
        o ? `Timer set; it rings on ${sayInstant(o.start, context.timeZone, context.now())}.` : 'The timer was set.',
      ),
    async (args, context) => {
      const phrase = text(args, 'duration')
      if (phrase === undefined) return asked('How long should the timer run?')
      const now = context.now()
      const span = parseDuration(phrase)
      const until =
        span === undefined ? resolveWhen(phrase, { now, zone: context.timeZone, hours: 'alarm' }) : undefined
      const length =
        span !== undefined
          ? spanMilliseconds(span)
          : until?.kind === 'resolved' && !until.allDay && until.grain !== 'part'
            ? until.start.getTime() - now.getTime()
            : undefined
      if (length === undefined || length <= 0)
        return asked(`I did not understand "${phrase}". How long should the timer run?`)
      if (length > LONGEST) return failed('A timer runs for at most 30 days; put that in the calendar instead.')
      const start = new Date(now.getTime() + length)
      const given = text(args, 'label')
      const title = given === undefined || specific(given) === '' ? 'Timer' : given
      const uid = `${randomUUID()}@botpsy`
      const undo = await store.create({
        uid,
        kind: 'timer',
        title,
        start,
        allDay: false,
        zone: context.timeZone,
        key: context.idempotencyKey,
        created: now,
      })
      const what = title === 'Timer' ? 'Timer' : `Timer "${title}"`
      return done(
        `${what} started for ${sayDuration(length)}; it rings at ${sayClock(start, context.timeZone)} (${sayClock(start, 'UTC')} UTC).`,
        { data: { uid, end: start.toISOString(), seconds: Math.round(length / 1000) }, undo: undoOf([undo]) },
      )
    },
  )

  const list = reads((_args, context) => {
    const all = running(store, context)
    const data = all.map((o) => ({
      title: o.title,
      end: o.start.toISOString(),
      secondsLeft: Math.round((o.start.getTime() - context.now().getTime()) / 1000),
    }))
    if (all.length === 0) return done('No timer is running.', { data })
    const each = all.map((o) => `${name(o)} has ${left(o, context)} left`)
    return done(`${capital(listWords(each))}.`, { data })
  })

  const cancel = calendarEffect(
    store,
    (found) => done(found.length === 1 ? 'The timer is stopped.' : `${countWords(found.length, 'timer')} stopped.`),
    async (args, context) => {
      const all = running(store, context)
      if (text(args, 'label') === undefined || all.length === 0) {
        const stopped = stopRinging(desk, 'timer')
        if (stopped > 0) return done(stopped === 1 ? 'The timer is off.' : 'The timers are off.')
      }
      if (all.length === 0) return failed('No timer is running.')
      const label = keyWords(specific(text(args, 'label')))
        .filter((w) => w !== 'timer')
        .join(' ')
      const span = label === '' ? undefined : parseDuration(label)
      let target =
        label === ''
          ? all
          : findNamed(
              label,
              all.filter((o) => o.title !== 'Timer'),
              (o) => [o.title],
            ).matches
      if (target.length === 0 && span !== undefined)
        target = all.filter(
          (o) => o.created && Math.abs(o.start.getTime() - o.created.getTime() - spanMilliseconds(span)) < 1500,
        )
      if (target.length === 0)
        return failed(
          `No timer is called that; running: ${listWords(all.map((o) => `${o.title} with ${left(o, context)} left`))}.`,
        )
      if (
        target.length > 1 &&
        !meansAll(text(args, 'label')) &&
        !/\b(?:all|every|both|timers)\b/i.test(context.request)
      )
        return asked(
          `Which timer: ${listWords(
            target.map((o) => `${name(o)} with ${left(o, context)} left`),
            'or',
          )}?`,
        )
      const undo = await removeOccurrences(store, target, false, context)
      const only = target[0]
      return done(
        only && target.length === 1
          ? `${capital(name(only))} is stopped.`
          : `${countWords(target.length, 'timer')} stopped.`,
        { undo: undoOf(undo) },
      )
    },
  )

  return { timer_set: set, timer_list: list, timer_cancel: cancel }
}
