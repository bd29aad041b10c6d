import { expect, it } from 'vitest'
import { isEmoji } from './emoji.js'

it('takes single emoji, signs among them, but no digit, flag half or word', () => {
  expect(['😀', '❤', '©', '🏽', '\u{1fae9}'].map(isEmoji)).toEqual([true, true, true, true, true])
  expect(['1', '#', '🇩', 'a', '\ufe0f', '', '😀😀'].map(isEmoji)).toEqual(Array(7).fill(false))
})
