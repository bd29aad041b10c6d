import { added, changed, removed } from '../expect.js'
import { mentions } from '../match.js'
import * as pools from '../pools.js'
import { call, report, say } from '../scenario.js'
import { other, type Template, timeTell } from '../template.js'
import { sayTime } from '../times.js'

const field = 'calendar' as const
const DAYS = [1, 2, 3, 4, 5, 6] as const
const MORNINGS = ['05:45', '06:00', '06:30', '06:50', '07:00', '07:40'] as const

/** A time at which nothing of the household's own calendar lies. */
const FREE_TIMES = ['12:15', '15:10', '17:00', '20:00', '08:15'] as const

/** Appointments, alarms and timers. */
export const calendarTemplates: readonly Template[] = [
  {
    id: 'calendar.create',
    field,
    traits: [],
    make: ({ draw, at, onDay }) => {
      const [title, wrong] = draw.some(pools.NEW_ENTRIES, 2) as [string, string]
      const [day, time] = [draw.one(DAYS), draw.one(FREE_TIMES)]
      const when = `${onDay(day)} at ${sayTime(time)}`
      return {
        slots: { title, day, time },
        opening: draw.one([`Put the ${title} in my calendar ${when}.`, `Add ${title} to my calendar ${when}`]),
        changes: [added('events', { title: mentions(title), start: at(day, time) })],
        solution: [call('calendar_create', { title, when }), report],
        decoys: [[title, wrong]],
      }
    },
  },
  {
    id: 'calendar.cancel',
    field,
    traits: [],
    make: ({ draw, appointments }) => {
      const [event, wrong] = draw.some(appointments, 2)
      const title = event?.title ?? ''
      return {
        slots: { title },
        opening: draw.one([`Cancel my ${title}.`, `Please delete the ${title} from my calendar`]),
        changes: [removed('events', { title })],
        solution: [call('calendar_cancel', { title }), report],
        decoys: [[title, wrong?.title ?? '']],
      }
    },
  },
  {
    id: 'calendar.move',
    field,
    traits: [],
    make: ({ draw, appointments, at, day, onDay }) => {
      const [event, wrong] = draw.some(appointments, 2)
      const title = event?.title ?? ''
      const [to, time] = [other(draw, DAYS, event?.day as 1), draw.one(FREE_TIMES)]
      return {
        slots: { title, to, time },
        opening: `Move my ${title} to ${day(to)} at ${sayTime(time)}.`,
        changes: [changed('events', { title }, { title, start: at(to, time) })],
        solution: [call('calendar_move', { title, to: `${onDay(to)} at ${sayTime(time)}` }), report],
        decoys: [[title, wrong?.title ?? '']],
      }
    },
  },
  {
    id: 'calendar.when',
    field,
    traits: [],
    make: ({ draw, appointments, day, date }) => {
      const [event, wrong] = draw.some(appointments, 2)
      const title = event?.title ?? ''
      return {
        slots: { title, day: event?.day ?? 0, time: event?.time ?? '' },
        opening: draw.one([`When is my ${title}?`, `What day and time is the ${title}?`]),
        calls: [{ tools: ['calendar_search'] }],
        tells: [
          { what: 'the day', anyOf: [date(event?.day ?? 0), day(event?.day ?? 0)] },
          timeTell('the time', event?.time ?? ''),
        ],
        solution: [call('calendar_search', { title }), report],
        decoys: [[title, wrong?.title ?? '']],
      }
    },
  },
  {
    id: 'calendar.alarm',
    field,
    traits: [],
    make: ({ draw, at, onDay }) => {
      const day = draw.one(DAYS)
      const [time, wrong] = draw.some(MORNINGS, 2) as [string, string]
      const when = `${onDay(day)} at ${sayTime(time)}`
      return {
        slots: { day, time },
        opening: draw.one([`Wake me up ${when}.`, `Set an alarm for ${when.replace(/^on /, '')}`]),
        changes: [added('alarms', { start: at(day, time) })],
        solution: [call('alarm_set', { when }), report],
        decoys: [[sayTime(time), sayTime(wrong)]],
      }
    },
  },
  {
    id: 'calendar.alarm-off',
    field,
    traits: [],
    make: ({ draw }) => {
      const [label, wrong] = draw.some(['medicine', 'bins'], 2) as [string, string]
      const opening = draw.one([
        `Turn off the ${label} alarm.`,
        `Remove the alarm called ${label}`,
        `Cancel my ${label} alarm please`,
      ])
      return {
        slots: { label, opening },
        opening,
        changes: [removed('alarms', { title: label })],
        solution: [call('alarm_cancel', { label }), report],
        decoys: [[label, wrong]],
      }
    },
  },
  {
    id: 'calendar.timer',
    field,
    traits: [],
    make: ({ draw, household }) => {
      const minutes = draw.int(2, 55)
      const rings = (n: number) => new Date(new Date(household.now).getTime() + n * 60_000).toISOString()
      return {
        slots: { minutes },
        opening: draw.one([`Set a timer for ${minutes} minutes.`, `Start a ${minutes} minutes countdown timer`]),
        changes: [added('timers', { start: rings(minutes) })],
        solution: [call('timer_set', { duration: `${minutes} minutes` }), report],
        decoys: [[`${minutes} minutes`, `${minutes + 3} minutes`]],
      }
    },
  },
  {
    id: 'calendar.one-of-series',
    field,
    traits: [],
    make: ({ draw, household, day, onDay }) => {
      const series = household.calendar.filter((entry) => entry.rule !== undefined)
      const [one, wrong] = draw.some(series, 2)
      const title = one?.title ?? ''
      return {
        slots: { title, day: one?.day ?? 0 },
        opening: `Cancel ${title} ${onDay(one?.day ?? 0)}, only that time.`,
        changes: [changed('events', { title }, { title, exceptions: 1 })],
        solution: [call('calendar_cancel', { title, when: day(one?.day ?? 0) }), report],
        decoys: [[title, wrong?.title ?? '']],
      }
    },
  },
  {
    id: 'calendar.time-missing',
    field,
    traits: ['missing detail', 'several turns'],
    make: ({ draw, at, onDay }) => {
      const [title, wrong] = draw.some(pools.NEW_ENTRIES, 2) as [string, string]
      const [day, time] = [draw.one(DAYS), draw.one(FREE_TIMES)]
      const when = `${onDay(day)} at ${sayTime(time)}`
      return {
        slots: { title, day, time },
        opening: `Add the ${title} to my calendar.`,
        answers: [{ on: /when|time|day/i, says: `${when}.` }],
        changes: [added('events', { title: mentions(title), start: at(day, time) })],
        solution: [call('calendar_create', { title }), call('calendar_create', { title, when }), report],
        decoys: [[title, wrong]],
      }
    },
  },
  {
    id: 'calendar.changed-time',
    field,
    traits: ['changed mind', 'several turns'],
    make: ({ draw, at, onDay }) => {
      const [title, wrong] = draw.some(pools.NEW_ENTRIES, 2) as [string, string]
      const day = draw.one(DAYS)
      const [first, second] = draw.some(FREE_TIMES, 2) as [string, string]
      return {
        slots: { title, day, first, second },
        opening: `Put the ${title} in my calendar ${onDay(day)} at ${sayTime(first)}.`,
        next: [`Sorry, I was wrong. Please move the ${title} to ${sayTime(second)}.`],
        changes: [added('events', { title: mentions(title), start: at(day, second) })],
        solution: [
          call('calendar_create', { title, when: `${onDay(day)} at ${sayTime(first)}` }),
          report,
          call('calendar_move', { title, to: sayTime(second) }),
          report,
        ],
        decoys: [[title, wrong]],
      }
    },
  },
  {
    id: 'calendar.after-another',
    field,
    traits: ['several calls', 'result decides'],
    make: ({ draw, appointments, at, onDay }) => {
      const event = draw.one(appointments)
      const [title, wrong] = draw.some(pools.NEW_ENTRIES, 2) as [string, string]
      const hours = draw.one([2, 3])
      const [hour = 0, minute = 0] = event.time.split(':').map(Number)
      const time = `${String(hour + hours).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
      return {
        slots: { title, after: event.title, hours },
        opening: `Look up when my ${event.title} begins, and put the ${title} in my calendar ${hours} hours after that.`,
        changes: [added('events', { title: mentions(title), start: at(event.day, time) })],
        solution: [
          call('calendar_search', { title: event.title }),
          call('calendar_create', { title, when: `${onDay(event.day)} at ${time}` }),
          report,
        ],
        decoys: [[title, wrong]],
      }
    },
  },
  {
    id: 'calendar.if-free',
    field,
    traits: ['several calls', 'result decides'],
    make: ({ draw, appointments, household, at, onDay }) => {
      const taken = new Set(household.calendar.filter((entry) => entry.kind === 'event').map((entry) => entry.day))
      const free = DAYS.filter((day) => !taken.has(day))
      const isFree = free.length > 0 && draw.unit() < 0.5
      const event = draw.one(appointments)
      const day = isFree ? draw.one(free) : event.day
      const time = draw.one(FREE_TIMES)
      const [title, wrong] = draw.some(pools.NEW_ENTRIES, 2) as [string, string]
      return {
        slots: { title, day, time, free: String(isFree) },
        opening: `Check my calendar ${onDay(day)}. If nothing is in it, add the ${title} at ${sayTime(time)} that day; otherwise tell me what is there.`,
        changes: isFree ? [added('events', { title: mentions(title), start: at(day, time) })] : [],
        calls: [{ tools: ['calendar_search', 'calendar_free'] }],
        forbidden: isFree ? [] : [{ tools: ['calendar_create'] }],
        tells: isFree ? [] : [{ what: 'what is there', anyOf: [event.title] }],
        solution: [
          call('calendar_search', { when: onDay(day) }),
          ...(isFree
            ? [call('calendar_create', { title, when: `${onDay(day)} at ${sayTime(time)}` }), report]
            : [report]),
        ],
        decoys: isFree ? [[title, wrong]] : [[onDay(day), onDay(other(draw, appointments, event).day)]],
      }
    },
  },
  {
    id: 'calendar.which-one',
    field,
    traits: ['ambiguity', 'several turns'],
    make: ({ draw, day, at }) => {
      const title = draw.one(pools.NEW_ENTRIES)
      const [one, two] = draw.some(DAYS, 2) as [number, number]
      const time = draw.one(FREE_TIMES)
      const entry = (on: number) => ({
        uid: `twin-${on}@household`,
        kind: 'event' as const,
        title,
        day: on,
        time,
        minutes: 30,
      })
      return {
        slots: { title, one, two },
        opening: `Cancel the ${title}.`,
        answers: [{ on: /which|\bor\b/i, says: `The ${title} on ${day(one)}.`.replace('on tomorrow', 'of tomorrow') }],
        changes: [removed('events', { title, start: at(one, time) })],
        with: { calendar: [entry(one), entry(two)] },
        solution: [call('calendar_cancel', { title }), call('calendar_cancel', { title, when: day(one) }), report],
        decoys: [[day(one), day(two)]],
      }
    },
  },
  {
    id: 'calendar.digression',
    field,
    traits: ['missing detail', 'interruption', 'several turns'],
    make: ({ draw, appointments, at, onDay }) => {
      const event = draw.one(appointments)
      const [title, wrong] = draw.some(pools.NEW_ENTRIES, 2) as [string, string]
      const [day, time] = [draw.one(DAYS), draw.one(FREE_TIMES)]
      const when = `${onDay(day)} at ${sayTime(time)}`
      return {
        slots: { title, day, time, asks: event.title },
        opening: `I need the ${title} in my calendar.`,
        digress: `Wait, first tell me: when is my ${event.title}?`,
        answers: [{ on: /when|time|day/i, says: `Now put the ${title} in my calendar ${when}.` }],
        changes: [added('events', { title: mentions(title), start: at(day, time) })],
        tells: [timeTell(`the time of the ${event.title}`, event.time)],
        solution: [
          call('calendar_create', { title }),
          call('calendar_search', { title: event.title }),
          report,
          call('calendar_create', { title, when }),
          report,
        ],
        decoys: [[title, wrong]],
      }
    },
  },
  {
    id: 'calendar.two-alarms',
    field,
    traits: ['several calls'],
    make: ({ draw, at, onDay }) => {
      const [one, two] = draw.some(DAYS, 2) as [number, number]
      const [first, second] = draw.some(MORNINGS, 2) as [string, string]
      return {
        slots: { one, two, first, second },
        opening: `Set two alarms: ${onDay(one)} at ${sayTime(first)} and ${onDay(two)} at ${sayTime(second)}.`,
        changes: [added('alarms', { start: at(one, first) }), added('alarms', { start: at(two, second) })],
        solution: [
          {
            calls: [
              { name: 'alarm_set', args: { when: `${onDay(one)} at ${sayTime(first)}` } },
              { name: 'alarm_set', args: { when: `${onDay(two)} at ${sayTime(second)}` } },
            ],
          },
          say('Both alarms are set.'),
        ],
        decoys: [[sayTime(first), '4:10']],
      }
    },
  },
]
