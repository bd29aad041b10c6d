import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { MemoryFolder } from '../store/index.js'
import { desk, emptyFolder } from '../testing/desk.js'
import { CalendarStore } from './calendar-store.js'
import { cleanText } from './entry.js'

const first = (content: string): string => content.split('\n')[0] ?? ''

describe('alarms', () => {
  it('says weekday, local time and UTC', async () => {
    const d = desk()
    expect((await d.call('alarm_set', { when: 'quarter past six tomorrow morning' })).content).toBe(
      'Alarm set for Tuesday 1 December at 06:15 (05:15 UTC).',
    )
    expect((await d.call('alarm_set', { when: 'seven am', repeat: 'weekdays' })).content).toMatch(
      /07:00 \(06:00 UTC\), every weekday\.$/,
    )
    expect((await d.call('alarm_list', { when: 'six fifteen' })).data).toHaveLength(1)
    expect((await d.call('alarm_list', { when: 'saturday' })).data).toHaveLength(0)
    expect((await d.call('alarm_list', { when: 'wednesday' })).data).toHaveLength(1)
  })

  it('asks for the hour instead of choosing one', async () => {
    const d = desk()
    for (const when of ['tomorrow', 'tomorrow morning', 'soonish', undefined])
      expect((await d.call('alarm_set', when === undefined ? {} : { when })).question).toBeTruthy()
    expect((await d.call('alarm_list')).data).toEqual([])
  })

  it('cancels the only alarm, asks which of several, and cancels all when told so', async () => {
    const d = desk()
    await d.call('alarm_set', { when: 'six am' })
    expect(first((await d.call('alarm_cancel', {}, { request: 'cancel my alarm' })).content)).toBe(
      'Alarm for Tuesday 1 December at 06:00 (05:00 UTC) is cancelled.',
    )
    for (const when of ['six am', 'seven am', 'eight am']) await d.call('alarm_set', { when })
    expect((await d.call('alarm_cancel', {}, { request: 'cancel the alarm' })).question).toMatch(/Which alarm/)
    expect((await d.call('alarm_list')).data).toHaveLength(3)
    expect((await d.call('alarm_cancel', { when: 'seven' })).ok).toBe(true)
    expect((await d.call('alarm_list')).data).toHaveLength(2)
    expect((await d.call('alarm_cancel', {}, { request: 'turn off all alarms' })).ok).toBe(true)
    expect((await d.call('alarm_list')).content).toBe('No alarm is set.')
  })

  it('takes one day out of a series, and brings it back', async () => {
    const d = desk()
    await d.call('alarm_set', { when: 'every day at seven am' })
    const cancelled = await d.call('alarm_cancel', { when: 'tomorrow' })
    expect((await d.call('alarm_list')).content).toMatch(/Wednesday 2 December/)
    await d.undo('alarm_cancel', cancelled)
    expect((await d.call('alarm_list')).content).toMatch(/Tuesday 1 December/)
  })

  it('keeps its wall time over a clock change', async () => {
    const d = desk()
    await d.call('alarm_set', { when: 'every day at seven am' })
    const store = new CalendarStore(d.domains.stores.calendar)
    const list = store.occurrences(
      new Date('2027-03-26T00:00:00Z'),
      new Date('2027-03-30T00:00:00Z'),
      'Europe/Budapest',
      ['alarm'],
    )
    expect(list.map((o) => o.start.toISOString().slice(5, 16))).toEqual([
      '03-26T06:00',
      '03-27T06:00',
      '03-28T05:00',
      '03-29T05:00',
    ])
  })

  it('moves and snoozes', async () => {
    const d = desk()
    await d.call('alarm_set', { when: 'six am' })
    expect((await d.call('alarm_change', { to: 'half past six' })).content).toBe(
      'Alarm moved to Tuesday 1 December at 06:30 (05:30 UTC).',
    )
    expect((await d.call('alarm_snooze', {})).ok).toBe(false)
    d.now = new Date('2026-12-01T05:31:00Z')
    expect((await d.call('alarm_snooze', { duration: 'five minutes' })).content).toMatch(/06:36/)
  })
})

describe('timers', () => {
  it('run down, are told apart by name or length, and stop', async () => {
    const d = desk()
    await d.call('timer_set', { duration: 'ten minutes', label: 'pizza' })
    await d.call('timer_set', { duration: 'an hour and a half' })
    d.now = new Date(d.now.getTime() + 60_000)
    expect((await d.call('timer_list')).content).toBe(
      'The timer "pizza" has 9 minutes left and the timer has 1 hour 29 minutes left.',
    )
    expect((await d.call('timer_cancel', {}, { request: 'stop the timer' })).question).toBeTruthy()
    expect((await d.call('timer_cancel', { label: 'pizza timer' })).ok).toBe(true)
    expect((await d.call('timer_cancel')).ok).toBe(true)
    expect((await d.call('timer_list')).content).toBe('No timer is running.')
  })
})

describe('events', () => {
  it('are created, found by title, person and time, moved and cancelled', async () => {
    const d = desk()
    expect(
      (await d.call('calendar_create', { title: 'dentist', when: 'tuesday at nine', place: 'Main Street' })).content,
    ).toBe('"dentist" is in the calendar on Tuesday 1 December from 09:00 to 10:00 (08:00 to 09:00 UTC).')
    await d.call('calendar_create', { title: 'lunch', when: 'tomorrow at noon', people: 'Anna' })
    for (const args of [
      { title: 'my dentist appointment' },
      { place: 'main street' },
      { when: 'tomorrow morning' },
      { title: 'next meeting' },
    ])
      expect(first((await d.call('calendar_search', args)).content)).toMatch(
        /^dentist is on Tuesday 1 December at 09:00/,
      )
    expect((await d.call('calendar_search', { people: 'anna' })).content).toMatch(/^lunch/)
    expect((await d.call('calendar_move', { title: 'dentist', to: 'wednesday' })).content).toMatch(
      /Wednesday 2 December at 09:00/,
    )
    expect((await d.call('calendar_move', { title: 'dentist', to: 'two hours later' })).content).toMatch(
      /Wednesday 2 December at 11:00/,
    )
    expect((await d.call('calendar_move', { title: 'lunch', to: 'one' })).content).toMatch(
      /Tuesday 1 December at 13:00/,
    )
    expect((await d.call('calendar_free', { when: 'tomorrow at one pm' })).content).toMatch(/^No, .*lunch/)
    expect((await d.call('calendar_free', { when: 'tomorrow at three pm' })).content).toMatch(/^Yes/)
    expect((await d.call('calendar_cancel', {})).question).toMatch(/Which event/)
    expect((await d.call('calendar_cancel', { title: 'lunch' })).ok).toBe(true)
    expect((await d.call('calendar_search', { title: 'lunch' })).content).toBe(
      'There is nothing called "lunch" in the calendar.',
    )
  })

  it('says when they clash, and asks for a day when only a week was said', async () => {
    const d = desk()
    await d.call('calendar_create', { title: 'dentist', when: 'tuesday at nine' })
    expect((await d.call('calendar_create', { title: 'call', when: 'tuesday at half past nine' })).content).toMatch(
      /overlaps with dentist/,
    )
    expect((await d.call('calendar_create', { title: 'trip', when: 'next week' })).question).toMatch(/On which day/)
  })

  it('asks before it touches a whole series', async () => {
    const d = desk()
    await d.call('calendar_create', { title: 'yoga', when: 'mondays at six pm' })
    expect((await d.call('calendar_cancel', { title: 'yoga' })).question).toMatch(/repeats/)
    expect((await d.call('calendar_move', { title: 'yoga', when: 'december 7th', to: 'seven pm' })).ok).toBe(true)
    expect((await d.call('calendar_cancel', { title: 'yoga', when: 'december 14th' })).ok).toBe(true)
    const lines = (await d.call('calendar_search', { title: 'yoga' })).content
    expect(lines).toMatch(/7 December at 19:00/)
    expect(lines).not.toMatch(/14 December/)
    expect(lines).toMatch(/21 December at 18:00/)
    const gone = await d.call('calendar_cancel', { title: 'yoga' }, { request: 'cancel the whole yoga series' })
    expect((await d.call('calendar_search', { title: 'yoga' })).content).toMatch(/nothing/)
    await d.undo('calendar_cancel', gone)
    expect((await d.call('calendar_search', { title: 'yoga' })).content).toBe(lines)
  })

  it('finds a cancellation by its key, although the event is gone', async () => {
    const d = desk()
    await d.call('calendar_create', { title: 'dentist', when: 'tuesday at nine' })
    const done = await d.call('calendar_cancel', { title: 'dentist' }, { key: 'c1' })
    const again = await d.tool('calendar_cancel').reconcile?.('c1', {}, d.context())
    expect(again?.content).toBe(done.content)
    expect((await d.call('calendar_cancel', { title: 'dentist' }, { key: 'c1' })).content).toBe(done.content)
  })
})

describe('calendar files', () => {
  const FOREIGN = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Other//Program//EN',
    'X-WR-CALNAME:Work',
    'BEGIN:VEVENT',
    'UID:foreign-1',
    'DTSTART;TZID=America/New_York:20261202T090000',
    'DURATION:PT45M',
    'SUMMARY:Stand-up',
    'RRULE:FREQ=DAILY;COUNT=3',
    'X-OTHER-PROGRAM;X-PARAM="a;b":keep me',
    'ATTENDEE;CN="Anna":mailto:anna@example.com',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')

  it('reads those of other programs and keeps what it does not understand', async () => {
    const home = emptyFolder()
    mkdirSync(join(home, 'calendar'))
    writeFileSync(join(home, 'calendar', 'work.ics'), FOREIGN)
    const d = desk(home)
    expect((await d.call('calendar_search', { title: 'stand-up' })).data).toHaveLength(3)
    expect(first((await d.call('calendar_search', { title: 'stand-up', when: 'wednesday' })).content)).toMatch(
      /Wednesday 2 December at 15:00 \(14:00 UTC\), with Anna/,
    )
    await d.call('calendar_cancel', { title: 'stand-up', when: 'thursday' })
    const text = readFileSync(join(home, 'calendar', 'work.ics'), 'utf8')
    for (const line of [
      'X-WR-CALNAME:Work',
      'X-OTHER-PROGRAM;X-PARAM="a;b":keep me',
      'PRODID:-//Other//Program//EN',
      'EXDATE;TZID=America/New_York:20261203T090000',
    ])
      expect(text).toContain(line)
    expect((await d.call('calendar_search', { title: 'stand-up' })).data).toHaveLength(2)
  })

  it('carries the zone of a series for programs that have none', async () => {
    const d = desk()
    await d.call('alarm_set', { when: 'every day at seven am' })
    const calendar = new CalendarStore(d.domains.stores.calendar).load('alarms.ics')
    const zone = calendar.getFirstSubcomponent('vtimezone')
    expect(zone).not.toBeNull()
    const read = new ICAL.Timezone({ component: zone as ICAL.Component, tzid: 'Europe/Budapest' })
    expect(read.utcOffset(ICAL.Time.fromDateTimeString('2027-01-15T12:00:00'))).toBe(3600)
    expect(read.utcOffset(ICAL.Time.fromDateTimeString('2027-07-15T12:00:00'))).toBe(7200)
    expect(read.utcOffset(ICAL.Time.fromDateTimeString('2031-07-15T12:00:00'))).toBe(7200)
  })

  it('gives any text back as it was', async () => {
    const odd = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 })
    const sharp = fc
      .array(
        fc.constantFrom(
          '\\',
          ';',
          ',',
          ':',
          '"',
          '\n',
          '\r\n',
          '\t',
          ' ',
          'BEGIN:VEVENT',
          'END:VCALENDAR',
          'é',
          '🙂',
          '=',
          '\u2028',
          '\u0007',
          'x',
        ),
        { minLength: 1, maxLength: 30 },
      )
      .map((a) => a.join(''))
    await fc.assert(
      fc.asyncProperty(fc.oneof(odd, sharp), fc.oneof(odd, sharp), async (title, people) => {
        fc.pre(cleanText(title) !== '')
        const folder = new MemoryFolder()
        const store = new CalendarStore(folder)
        const start = new Date('2026-12-01T09:00:00Z')
        await store.create({
          uid: 'u1',
          kind: 'event',
          title,
          people,
          place: title,
          start,
          end: new Date('2026-12-01T10:00:00Z'),
          allDay: false,
          zone: 'UTC',
          key: people,
          created: start,
        })
        const found = store.occurrences(new Date('2026-11-01'), new Date('2027-01-01'), 'UTC', ['event'])
        expect(found).toHaveLength(1)
        expect(found[0]).toMatchObject({ title: cleanText(title), place: cleanText(title), people: cleanText(people) })
        expect(store.findKey(people)).toHaveLength(1)
      }),
      { numRuns: 150 },
    )
  })
})

describe('clocks elsewhere', () => {
  it('are told and converted', async () => {
    const d = desk()
    expect((await d.call('time_get', { place: 'New York' })).content).toMatch(/^It is 16:00 on Monday 30 November 2026/)
    expect((await d.call('time_get', { place: 'india' })).content).toMatch(/^It is 02:30 on Tuesday 1 December/)
    expect((await d.call('time_get', { place: 'Atlantis' })).ok).toBe(false)
    expect((await d.call('time_convert', { time: 'five pm', from: 'london', to: 'tokyo' })).content).toBe(
      '17:00 in london is 02:00 on Tuesday 1 December in tokyo.',
    )
    expect((await d.call('time_convert', { to: 'eastern time' })).content).toMatch(/6 hours behind/)
  })
})
