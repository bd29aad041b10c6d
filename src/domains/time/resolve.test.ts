import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { datasetsFolder, needs } from '../../testing/datasets.js'
import { sayInstant, sayWhen } from './describe.js'
import { resolveWhen } from './resolve.js'
import type { WhenOptions } from './types.js'

/** Monday 30 November 2026, 22:00 in Budapest. */
const now = new Date('2026-11-30T21:00:00Z')
const zone = 'Europe/Budapest'

const say = (text: string, more: Partial<WhenOptions> = {}): string => {
  const when = resolveWhen(text, { now, zone, ...more })
  return when.kind === 'resolved'
    ? sayWhen(when, more.now ?? now)
    : when.kind === 'ambiguous'
      ? when.question
      : 'unknown'
}

describe('resolveWhen', () => {
  it.each([
    // times of day
    ['quarter past six tomorrow morning', 'Tuesday 1 December at 06:15 (05:15 UTC)'],
    ['half past five in the afternoon', 'Tuesday 1 December at 17:30 (16:30 UTC)'],
    ['five thirty am', 'Tuesday 1 December at 05:30 (04:30 UTC)'],
    ["six o'clock in the evening", 'Tuesday 1 December at 18:00 (17:00 UTC)'],
    ['ten to seven am', 'Tuesday 1 December at 06:50 (05:50 UTC)'],
    ['quarter to one pm', 'Tuesday 1 December at 12:45 (11:45 UTC)'],
    ['noon', 'Tuesday 1 December at 12:00 (11:00 UTC)'],
    ['twelve am', 'Tuesday 1 December at 00:00 (Mon 23:00 UTC)'],
    ['nine am', 'Tuesday 1 December at 09:00 (08:00 UTC)'],
    ['eight hundred pm', 'Tuesday 1 December at 20:00 (19:00 UTC)'],
    ['four hundred and thirty pm', 'Tuesday 1 December at 16:30 (15:30 UTC)'],
    ['18:45', 'Tuesday 1 December at 18:45 (17:45 UTC)'],
    ['at 7 p.m. on friday', 'Friday 4 December at 19:00 (18:00 UTC)'],
    ['six at night', 'Tuesday 1 December at 18:00 (17:00 UTC)'],
    // lengths from now
    ['in twenty minutes', 'Monday 30 November at 22:20 (21:20 UTC)'],
    ['an hour and a half from now', 'Monday 30 November at 23:30 (22:30 UTC)'],
    ['in half an hour', 'Monday 30 November at 22:30 (21:30 UTC)'],
    ['two days from now at nine am', 'Wednesday 2 December at 09:00 (08:00 UTC)'],
    ['the last five hours', 'Monday 30 November from 17:00 to 22:00 (16:00 to 21:00 UTC)'],
    // days
    ['today', 'Monday 30 November'],
    ['the day after tomorrow', 'Wednesday 2 December'],
    ['friday', 'Friday 4 December'],
    ['next friday', 'Friday 11 December'],
    ['last friday', 'Friday 27 November'],
    ['next tuesday at 9', 'Tuesday 8 December at 09:00 (08:00 UTC)'],
    ['march sixteenth', 'Tuesday 16 March 2027'],
    ['twenty third of march', 'Tuesday 23 March 2027'],
    ['second january', 'Saturday 2 January 2027'],
    ['june fourteenth two thousand and seventeen', 'Wednesday 14 June 2017'],
    ['the 22nd', 'Tuesday 22 December'],
    ['third monday of next month', 'Monday 21 December'],
    ['last friday of the month', 'Friday 27 November'],
    ['a week from friday', 'Friday 11 December'],
    ['2026-12-24', 'Thursday 24 December'],
    ['easter', 'Sunday 28 March 2027'],
    ['christmas eve', 'Thursday 24 December'],
    ["next monday's", 'Monday 7 December'],
    // spans
    ['the remainder of the week', 'Monday 30 November to Sunday 6 December'],
    ['next week', 'Monday 7 December to Sunday 13 December'],
    ['this weekend', 'Saturday 5 December to Sunday 6 December'],
    ['march', 'Monday 1 March 2027 to Wednesday 31 March 2027'],
    ['twenty to twenty five june', 'Sunday 20 June 2027 to Friday 25 June 2027'],
    ['from december 3rd to december 5th', 'Thursday 3 December to Saturday 5 December'],
    ['tomorrow morning', 'Tuesday 1 December from 06:00 to 12:00 (05:00 to 11:00 UTC)'],
    ['tonight', 'Monday 30 November from 20:00 to 00:00 (19:00 to 23:00 UTC)'],
    ['last night', 'Sunday 29 November from 20:00 to 00:00 (19:00 to 23:00 UTC)'],
    ['tomorrow between three and four pm', 'Tuesday 1 December from 15:00 to 16:00 (14:00 to 15:00 UTC)'],
    ['eleven to one pm tomorrow', 'Tuesday 1 December from 11:00 to 13:00 (10:00 to 12:00 UTC)'],
    ['after six pm', 'from Tuesday 1 December at 18:00 (17:00 UTC)'],
    ['before friday', 'before Friday 4 December'],
    // repetitions
    ['every weekday at seven am', 'Tuesday 1 December at 07:00 (06:00 UTC), every weekday'],
    ['daily at noon', 'Tuesday 1 December at 12:00 (11:00 UTC), every day'],
    ['mondays at six pm', 'Monday 7 December at 18:00 (17:00 UTC), every Monday'],
    ['every monday and wednesday', 'Monday 30 November, every Monday and Wednesday'],
    ['monday to friday at 8 am', 'Tuesday 1 December at 08:00 (07:00 UTC), every weekday'],
    ['every three hours', 'Tuesday 1 December at 01:00 (00:00 UTC), every 3 hours'],
    ['first monday of the month', 'Monday 7 December, every first Monday of the month'],
    ['june fifth every year', 'Saturday 5 June 2027, every year'],
    ['every other week', 'Monday 30 November, every 2 weeks'],
    // not times
    ['before dark', 'unknown'],
    ['', 'unknown'],
    ['bananas', 'unknown'],
  ])('%s → %s', (text, said) => {
    expect(say(text)).toBe(said)
  })

  it('asks about a date that can be read two ways, unless told the order', () => {
    expect(say('3/4')).toBe('Do you mean 3 April or 4 March?')
    expect(say('3/4', { order: 'dmy' })).toBe('Saturday 3 April 2027')
    expect(say('13/4')).toBe('Tuesday 13 April 2027')
  })

  it('looks back where records do', () => {
    expect(say('friday', { prefer: 'past' })).toBe('Friday 27 November')
    expect(say('march', { prefer: 'past' })).toBe('Sunday 1 March to Tuesday 31 March')
    expect(say('nine am', { prefer: 'past' })).toBe('Monday 30 November at 09:00 (08:00 UTC)')
  })

  it('reads a bare hour as the next one for alarms and as a waking one for events', () => {
    const noon = new Date('2026-11-30T13:00:00Z')
    expect(say('six', { now: noon, hours: 'alarm' })).toBe('Monday 30 November at 18:00 (17:00 UTC)')
    expect(say('six', { hours: 'alarm' })).toBe('Tuesday 1 December at 06:00 (05:00 UTC)')
    expect(say('tomorrow at six', { hours: 'alarm' })).toBe('Tuesday 1 December at 06:00 (05:00 UTC)')
    expect(say('tomorrow at six')).toBe('Tuesday 1 December at 18:00 (17:00 UTC)')
  })

  it('tells what a clock change does', () => {
    const spring = new Date('2027-03-27T12:00:00Z')
    expect(say('tomorrow at 2:30 am', { now: spring })).toBe(
      'Sunday 28 March at 03:30 (01:30 UTC), moved because the clocks go forward then',
    )
    const autumn = new Date('2026-10-24T12:00:00Z')
    expect(say('tomorrow at 2:30 am', { now: autumn })).toBe(
      'Sunday 25 October at 02:30 (00:30 UTC), the first of two such times because the clocks go back then',
    )
    expect(say('tomorrow at noon', { now: autumn })).toBe('Sunday 25 October at 12:00 (11:00 UTC)')
  })

  it('keeps the words that are no time apart', () => {
    const when = resolveWhen('lunch with Bob tomorrow at noon', { now, zone })
    expect(when).toMatchObject({ kind: 'resolved', rest: 'lunch bob' })
  })

  it('reads ISO instants of any zone', () => {
    expect(say('2026-12-01T06:15')).toBe('Tuesday 1 December at 06:15 (05:15 UTC)')
    expect(say('2026-12-01T06:15:00Z')).toBe('Tuesday 1 December at 07:15 (06:15 UTC)')
    expect(say('2026-12-01T06:15:00-05:00')).toBe('Tuesday 1 December at 12:15 (11:15 UTC)')
  })

  it('reads back every minute of a day that it says, in any zone', () => {
    const zones = ['Europe/Budapest', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC']
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 * 1440 }), fc.constantFrom(...zones), (minutes, z) => {
        const at = new Date(now.getTime() + minutes * 60_000)
        const said = sayInstant(at, z, now).replace(/ \(.*/, '').replace(' at ', ' ')
        const when = resolveWhen(said, { now, zone: z })
        // The second of two equal wall times cannot be told from the first.
        return when.kind === 'resolved' && (when.start.getTime() === at.getTime() || when.shifted === 'overlap')
      }),
      { numRuns: 300 },
    )
  })

  it('takes no end that lies before the start', () => {
    const when = resolveWhen('march to 2026-13-40', { now, zone })
    expect(when.kind).toBe('resolved')
    if (when.kind === 'resolved') expect(when.end?.getTime()).toBeGreaterThan(when.start.getTime())
  })

  it('never throws and never ends before it starts', () => {
    const word = fc.constantFrom(
      ...'next last this every friday march 31st 2nd 30 february 12 pm am noon to and after before in two hours week weekend 99 25:61 2026-13-40 3/4 half past quarter of the month tomorrow tonight from until'.split(
        ' ',
      ),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(word, { maxLength: 9 }).map((w) => w.join(' ')),
          fc.string({ maxLength: 60 }),
        ),
        (text) => {
          const when = resolveWhen(text, { now, zone })
          if (when.kind !== 'resolved') return true
          return (
            !Number.isNaN(when.start.getTime()) &&
            (when.end === undefined || when.end.getTime() >= when.start.getTime()) &&
            sayWhen(when, now) !== ''
          )
        },
      ),
      { numRuns: 3000 },
    )
  })

  it.skipIf(needs('BOTPSY_DATASETS', datasetsFolder()))(
    'resolves at least 98% of the times that people say to an assistant',
    () => {
      const file = join(datasetsFolder() ?? '', 'corpora', 'hwu64', 'train.jsonl')
      let all = 0
      let resolved = 0
      for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
        const record = JSON.parse(line) as { slots: { name: string; value: string }[] }
        for (const slot of record.slots) {
          if (!['date', 'time', 'timeofday', 'general_frequency'].includes(slot.name)) continue
          const when = resolveWhen(slot.value, { now, zone })
          all++
          if (when.kind === 'resolved' && when.rest === '') resolved++
        }
      }
      expect(all).toBeGreaterThan(1000)
      expect(resolved / all).toBeGreaterThanOrEqual(0.98)
    },
  )
})
