import { describe, expect, it } from 'vitest'
import { desk } from '../testing/desk.js'

describe('the shop', () => {
  it('compares, fills a cart, notes an order and its return', async () => {
    const d = desk()
    await d.call('product_add', { product: 'desk lamp', price: '30 euros', shop: 'Lightworld' })
    await d.call('product_add', { product: 'floor lamp', price: '20.50 euros' })
    expect((await d.call('product_compare', { products: 'desk lamp and floor lamp' })).content).toMatch(
      /^The cheapest is floor lamp/,
    )
    expect((await d.call('cart_add', { product: 'lamp' })).question).toMatch(/^Which one/)
    expect((await d.call('cart_add', { product: 'desc lamp' })).content).toMatch(/did you mean desk lamp/)
    expect((await d.call('order_place')).ok).toBe(false)
    await d.call('cart_add', { product: 'desk lamp', count: 'two' })
    expect((await d.call('order_place')).content).toMatch(/together 60 EUR; no shop is connected/)
    expect((await d.call('cart_show')).content).toBe('The cart is empty.')
    expect((await d.call('order_return', { order: 'lamp' })).ok).toBe(true)
    expect((await d.call('order_return', { order: 'lamp' })).ok).toBe(false)
  })
})
