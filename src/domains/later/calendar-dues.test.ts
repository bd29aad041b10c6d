import { describe, expect, it } from 'vitest'
import { CalendarStore } from '../calendar/calendar-store.js'
import { MemoryFolder, writeText } from '../store/index.js'
import { CalendarDues } from './calendar-dues.js'

const HOUR = 3_600_000

function calendar(...events: readonly string[]): CalendarStore {
  const folder = new MemoryFolder()
  const body = events.map((event) => `BEGIN:VEVENT\r\nDTSTAMP:20260101T000000Z\r\n${event}\r\nEND:VEVENT`).join('\r\n')
  writeText(folder, 'own.ics', `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\n${body}\r\nEND:VCALENDAR\r\n`)
  return new CalendarStore(folder)
}

const alarm = (trigger: string, more = '') =>
  `BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:x\r\nTRIGGER${trigger}${more}\r\nEND:VALARM`

async function dues(store: CalendarStore, from: string, to: string, zone = 'Europe/Budapest') {
  const source = new CalendarDues(store, () => '')
  const found = await source.between(Date.parse(from), Date.parse(to), zone)
  return found.map(({ at, title, kind, key, note }) => ({ at: new Date(at).toISOString(), title, kind, key, note }))
}

describe('what falls due in calendars', () => {
  it('are reminders before, at, after and at the end of events, and at a fixed time', async () => {
    const store = calendar(
      `UID:a\r\nSUMMARY:Dentist\r\nLOCATION:Main Street\r\nDTSTART:20261205T090000Z\r\nDTEND:20261205T100000Z\r\n${[
        alarm(':-PT15M'),
        alarm(':-P1W'),
        alarm(';RELATED=END:PT5M'),
        alarm(';VALUE=DATE-TIME:20261204T180000Z'),
      ].join('\r\n')}`,
      'UID:b\r\nSUMMARY:Silent\r\nDTSTART:20261205T090000Z',
    )
    const found = await dues(store, '2026-11-20T00:00:00Z', '2026-12-06T00:00:00Z')
    expect(found.map(({ at, kind }) => [at, kind]).sort()).toEqual(
      ['2026-11-28T09:00', '2026-12-04T18:00', '2026-12-05T08:45', '2026-12-05T10:05']
        .map((at) => [`${at}:00.000Z`, 'reminder'])
        .sort(),
    )
    expect(found.find(({ at }) => at.startsWith('2026-12-05T08'))?.note).toBe(
      'Saturday 5 December at 10:00, Main Street',
    )
  })

  it('follow the wall clock over a change of the clocks, with a key for each day', async () => {
    const store = calendar(
      'UID:c\r\nSUMMARY:Up\r\nX-BOTPSY-KIND:alarm\r\nDTSTART;TZID=Europe/Budapest:20261023T023000\r\nRRULE:FREQ=DAILY',
    )
    const found = await dues(store, '2026-10-23T00:00:00Z', '2026-10-27T00:00:00Z')
    expect(found.map(({ at }) => at)).toEqual([
      '2026-10-23T00:30:00.000Z',
      '2026-10-24T00:30:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ])
    expect(new Set(found.map(({ key }) => key)).size).toBe(4)
  })

  it('that hang on the zone move with the owner and keep their key; whole days remind in the morning', async () => {
    const store = calendar(
      `UID:d\r\nSUMMARY:Birthday\r\nDTSTART;VALUE=DATE:20261205\r\n${alarm(':PT0S')}`,
      `UID:e\r\nSUMMARY:Pill\r\nDTSTART:20261205T080000\r\n${alarm(':-PT5M')}`,
    )
    const at = (zone: string) => dues(store, '2026-12-03T00:00:00Z', '2026-12-07T00:00:00Z', zone)
    const [home, tokyo] = [await at('Europe/Budapest'), await at('Asia/Tokyo')]
    const times = (list: typeof home) => Object.fromEntries(list.map((due) => [due.title, due.at]))
    expect(times(home)).toEqual({ Birthday: '2026-12-05T08:00:00.000Z', Pill: '2026-12-05T06:55:00.000Z' })
    expect(times(tokyo)).toEqual({ Birthday: '2026-12-05T00:00:00.000Z', Pill: '2026-12-04T22:55:00.000Z' })
    expect(home.map(({ key }) => key).sort()).toEqual(tokyo.map(({ key }) => key).sort())
  })

  it('are read again when the files change, and not before', async () => {
    let print = '1'
    let reads = 0
    const source = new CalendarDues(
      {
        occurrences: () => {
          reads++
          return []
        },
      },
      () => print,
    )
    const now = Date.parse('2026-12-01T00:00:00Z')
    for (let second = 0; second < 60; second++)
      await source.between(now + second * 1000 - 120_000, now + second * 1000, 'UTC')
    expect(reads).toBe(2)
    print = '2'
    await source.between(now, now, 'UTC')
    expect(reads).toBe(4)
    await source.between(now + HOUR, now + HOUR, 'UTC')
    expect(reads).toBe(6)
  })
})
