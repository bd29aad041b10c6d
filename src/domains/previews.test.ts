import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { desk } from './testing/desk.js'

describe('previews', () => {
  it.each([
    [
      'takeaway_order',
      { food: 'pizza', from: 'Dominos', when: 'tomorrow at 7pm' },
      'Order pizza from Dominos on Tuesday 1 December at 19:00 (18:00 UTC). No shop is connected, so this is only noted here.',
    ],
    [
      'ticket_book',
      { mode: 'train', to: 'York', when: 'friday at eight am' },
      'Book a train ticket to York on Friday 4 December at 08:00 (07:00 UTC). No ticket office is connected, so this is only noted here.',
    ],
    [
      'taxi_book',
      { to: 'the station', when: 'in two hours' },
      'Call a taxi to the station on Tuesday 1 December at 00:00 (Mon 23:00 UTC). No taxi service is connected, so this is only noted here.',
    ],
    [
      'restaurant_book',
      { restaurant: 'Rosa', people: 'four', when: 'saturday at 8pm' },
      'Book a table at Rosa for four on Saturday 5 December at 20:00 (19:00 UTC). No restaurant is connected, so this is only noted here.',
    ],
    ['lock_set', { state: 'unlock', door: 'front door' }, 'Unlock the front door.'],
    ['lock_set', { state: 'lock' }, /^Lock the .* and the .*\.$/],
    ['social_post', { text: 'hello', site: 'twitter' }, 'Post on twitter: hello'],
    [
      'calendar_create',
      { title: 'lunch', when: 'tomorrow at noon', people: 'anna' },
      'Put "lunch" in the calendar on Tuesday 1 December from 12:00 to 13:00 (11:00 to 12:00 UTC), with anna.',
    ],
  ] as const)('%s says what it would do, and does nothing', async (name, args, said) => {
    const d = desk()
    const told = await d.tool(name).preview?.(args, d.context())
    if (typeof said === 'string') expect(told).toBe(said)
    else expect(told).toMatch(said)
    expect(d.domains.stores.records.all('requests', z.unknown())).toEqual([])
    expect((await d.call('calendar_search', { when: 'this week' })).data).toEqual([])
  })

  it('resolve the time that an event would move to', async () => {
    const d = desk()
    await d.call('calendar_create', { title: 'lunch', when: 'tomorrow at noon' })
    const told = await d.tool('calendar_move').preview?.({ title: 'lunch', to: 'wednesday at two' }, d.context())
    expect(told).toBe(
      'Move lunch on Tuesday 1 December at 12:00 (11:00 UTC) to Wednesday 2 December at 14:00 (13:00 UTC).',
    )
    expect(await d.tool('calendar_move').preview?.({ title: 'lunch', to: 'when it suits' }, d.context())).toMatchObject(
      {
        ok: false,
      },
    )
  })

  it('are questions or failures where the call would be one', async () => {
    const d = desk()
    expect(await d.tool('lock_set').preview?.({ state: 'unlock' }, d.context())).toMatchObject({
      ok: false,
      question: expect.stringMatching(/^Which door/),
    })
    expect(await d.tool('ticket_book').preview?.({ mode: 'bus' }, d.context())).toMatchObject({
      question: 'Where do you want to go?',
    })
    expect(await d.tool('email_send').preview?.({ to: 'zoe', text: 'hi' }, d.context())).toMatchObject({
      question: 'What is the email address of zoe?',
    })
    expect(await d.tool('calendar_cancel').preview?.({ title: 'gala', people: 'anna' }, d.context())).toMatchObject({
      ok: false,
    })
  })

  it('exist for every effect that always asks', () => {
    for (const tool of desk().domains) {
      if (tool.effect({}) === 'irreversible') expect(tool.preview, tool.name).toBeTypeOf('function')
    }
  })
})

describe('what nothing is connected for', () => {
  it.each([
    ['weather_get', { place: 'Paris' }, 'No weather service is connected yet, so I cannot tell the weather in Paris.'],
    ['stock_price', { company: 'Acme' }, /^No stock market source is connected/],
    ['product_find', { product: 'shoes' }, /^No shop is connected/],
    ['social_read', {}, /^No social network is connected/],
  ] as const)('%s says so', async (name, args, said) => {
    const result = await desk().call(name, args)
    expect(result).toMatchObject({ ok: false, unavailable: true })
    if (typeof said === 'string') expect(result.content).toBe(said)
    else expect(result.content).toMatch(said)
  })
})
