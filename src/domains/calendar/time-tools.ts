import { type Implementation, reads } from '../implement.js'
import { asked, done, failed } from '../result.js'
import { resolveWhen, sayClock, sayDay, sayDuration, sayWhen, zoned } from '../time/index.js'
import { text } from '../words/args.js'
import { zoneOfPlace } from './zones.js'

const here = (place: string | undefined): boolean =>
  place === undefined ||
  /^(?:here|home|local|local time|my (?:place|location|city|time ?zone)|this (?:time )?zone|this time zone|current(?: location| time zone)?|my current.*|where i am)$/i.test(
    place.trim(),
  )

const unknownPlace = (place: string) =>
  failed(`I do not know the time zone of ${place}; name a larger city nearby or a zone such as UTC.`)

const offset = (zone: string, at: Date): number => zoned(at, zone).offsetNanoseconds / 6e10

const hours = (minutes: number): string => sayDuration(Math.abs(minutes) * 60_000)

/** time_get and time_convert. */
export const timeTools: { readonly [name: string]: Implementation } = {
  time_get: reads((args, context) => {
    const now = context.now()
    const place = text(args, 'place')
    const zone = here(place) ? context.timeZone : zoneOfPlace(place ?? '')
    if (zone === undefined) return unknownPlace(place ?? '')
    const phrase = text(args, 'when')
    const where = here(place) ? '' : ` in ${place}`
    const when = phrase === undefined ? undefined : resolveWhen(phrase, { now, zone })
    if (
      when?.kind === 'resolved' &&
      (when.allDay || !/\b(?:now|time)\b/i.test(phrase ?? '')) &&
      when.start.getTime() !== now.getTime()
    ) {
      const said = sayWhen(when, now)
      return done(`${(phrase ?? '').charAt(0).toUpperCase()}${(phrase ?? '').slice(1)} is ${said}${where}.`, {
        data: { start: when.start.toISOString(), allDay: when.allDay },
      })
    }
    if (when?.kind === 'ambiguous') return asked(when.question)
    const year = zoned(now, zone).year
    return done(
      `It is ${sayClock(new Date(Math.floor(now.getTime() / 60_000) * 60_000), zone)} on ${sayDay(now, zone, now)} ${year}${where}.`,
      { data: { now: now.toISOString(), zone } },
    )
  }),

  time_convert: reads((args, context) => {
    const now = context.now()
    const to = text(args, 'to')
    const from = text(args, 'from')
    const zone = (place: string | undefined) => (here(place) ? context.timeZone : zoneOfPlace(place ?? ''))
    const source = zone(from)
    if (source === undefined) return unknownPlace(from ?? '')
    const target = zone(to)
    if (target === undefined) return unknownPlace(to ?? '')
    const phrase = text(args, 'time')
    const name = (place: string | undefined) => (here(place) ? 'here' : `in ${place}`)
    const when = phrase === undefined ? undefined : resolveWhen(phrase, { now, zone: source, prefer: 'none' })
    const timed = when?.kind === 'resolved' && !when.allDay && when.grain !== 'part' ? when : undefined
    const at = timed?.start ?? now
    const difference = offset(target, at) - offset(source, at)
    if (timed === undefined) {
      const gap = difference === 0 ? 'the same as' : `${hours(difference)} ${difference > 0 ? 'ahead of' : 'behind'}`
      return done(
        `It is ${sayClock(now, target)} on ${sayDay(now, target, now)} ${name(to)}, ${gap} the time ${name(from)}.`.replace(
          'the same as the time',
          'the same time as',
        ),
        { data: { minutes: difference, now: now.toISOString() } },
      )
    }
    const day = zoned(at, target).toPlainDate().equals(zoned(at, source).toPlainDate())
      ? ''
      : ` on ${sayDay(at, target, now)}`
    return done(`${sayClock(at, source)} ${name(from)} is ${sayClock(at, target)}${day} ${name(to)}.`, {
      data: { minutes: difference, instant: at.toISOString() },
    })
  }),
}
