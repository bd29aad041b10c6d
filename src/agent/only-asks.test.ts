import { describe, expect, it } from 'vitest'
import { onlyAsks } from './only-asks.js'

describe('onlyAsks', () => {
  it.each([
    'is the light on?',
    'is the kitchen light on',
    'Hey, is the front door locked?',
    'when is my dentist appointment',
    "what's on my calendar tomorrow",
    'did anna write',
    'do i have any meetings today?',
    'how many items are on the shopping list',
    'are the doors locked?',
  ])('%j asks', (request) => {
    expect(onlyAsks(request)).toBe(true)
  })

  it.each([
    'turn on the light',
    'can you turn on the light?',
    'is it possible to turn on the light?',
    'are you able to dim the lights',
    'is the light on? turn it off',
    'is it dark? then switch the light on',
    'when i get home, turn on the heating',
    "when is mum's birthday and remind me the day before",
    'have the lights turned off',
    'do turn the light off',
    'what about adding milk to the list',
    'how about some music',
    'would you add milk',
    'is there a way to lock the door',
    'az ajtó zárva van?',
    '',
  ])('%j may want something done', (request) => {
    expect(onlyAsks(request)).toBe(false)
  })
})
