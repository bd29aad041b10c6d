import { describe, expect, it } from 'vitest'
import { desk } from '../testing/desk.js'

describe('lists', () => {
  it('grow, shrink, and go by their usual names', async () => {
    const d = desk()
    expect((await d.call('list_add', { list: 'my shopping list', item: 'milk, some eggs and bread' })).content).toBe(
      'Added milk, eggs and bread to the new shopping list.',
    )
    expect((await d.call('list_add', { item: 'Milk' })).content).toBe('Milk is on the shopping list already.')
    expect((await d.call('list_show', { list: 'grocery' })).content).toBe('On the shopping list: milk, eggs and bread.')
    expect((await d.call('list_remove', { list: 'shopping', item: 'the egg' })).content).toBe(
      'Removed eggs from the shopping list.',
    )
    expect((await d.call('list_remove', { list: 'shopping', item: 'caviar' })).ok).toBe(false)
    expect((await d.call('list_show', { list: 'milk' })).content).toBe('milk is on the shopping list.')
  })

  it('ask which one when several could be meant, and delete only what was named', async () => {
    const d = desk()
    for (const list of ['shopping', 'holiday shopping', 'constructor']) await d.call('list_add', { list, item: 'x' })
    expect((await d.call('list_add', { item: 'y' })).question).toMatch(/Which list/)
    expect((await d.call('list_remove', {}, { request: 'delete a list' })).question).toMatch(/Which list/)
    const gone = await d.call('list_remove', { list: 'shopping list' })
    expect((await d.call('list_show')).content).toMatch(/^There are 2 lists/)
    await d.undo('list_remove', gone)
    expect((await d.call('list_show', { list: 'shopping' })).content).toBe('On the shopping list: x.')
    expect((await d.call('list_remove', {}, { request: 'delete all my lists' })).ok).toBe(true)
    expect((await d.call('list_show')).content).toBe('There are no lists yet.')
  })
})

describe('orders', () => {
  it('are noted with an id and an honest word', async () => {
    const d = desk()
    expect((await d.call('takeaway_order', { food: 'pizza', from: 'Dominos' })).content).toBe(
      'Noted as o1: pizza from Dominos; no shop is connected, so nothing was ordered.',
    )
    expect((await d.call('ticket_book', { mode: 'train', to: 'York', when: 'friday at eight am' })).content).toBe(
      'Noted as b1: a train ticket to York on Friday 4 December at 08:00 (07:00 UTC); no ticket office is connected, so nothing was ordered.',
    )
    expect((await d.call('takeaway_info', { from: 'dominos' })).content).toMatch(
      /^o1, pizza from Dominos, is only noted here/,
    )
    expect((await d.call('takeaway_info', { from: 'kfc' })).ok).toBe(false)
  })

  it('take ratings within their scale', async () => {
    const d = desk()
    expect((await d.call('book_rate', { title: 'Dune', rating: 'four out of six' })).content).toBe(
      'Noted: Dune gets 4 out of 6.',
    )
    expect((await d.call('book_rate', { title: 'Dune', rating: 'seven out of six' })).ok).toBe(false)
    expect((await d.call('book_rate', { title: 'Dune', rating: 'lovely' })).question).toBeTruthy()
  })
})
