import { describe, expect, test } from 'vitest'
import { ThreadGovernor } from './thread-governor.js'

/** Runs batches of one token on a machine where a batch with so many threads takes `cost` milliseconds. */
function run(governor: ThreadGovernor, batches: number, cost: (threads: number) => number, tokens = 1): number[] {
  return Array.from({ length: batches }, () => {
    const threads = governor.threads(tokens)
    governor.measured(tokens, cost(threads))
    return threads
  })
}

const idle = (threads: number): number => 16 / threads
const contended = (threads: number): number => (threads === 1 ? 20 : 2000)

describe('ThreadGovernor', () => {
  test('stays with all threads on an idle machine and tries others ever more rarely', () => {
    const used = run(new ThreadGovernor(4, false), 1000, idle)
    expect(used.filter((threads) => threads !== 4).length).toBeLessThan(12)
    expect(used.slice(-400).filter((threads) => threads !== 4).length).toBeLessThan(3)
  })

  test('falls back to one thread when the cores are taken, and returns when they are free', () => {
    const governor = new ThreadGovernor(2, false)
    run(governor, 20, idle)
    const taken = run(governor, 100, contended)
    expect(taken.filter((threads) => threads === 2).length).toBeLessThan(14)
    const free = run(governor, 400, idle)
    expect(free.slice(-50).every((threads) => threads === 2)).toBe(true)
  })

  test('begins with one thread on a busy machine, and leaves it when that was a mistake', () => {
    expect(new ThreadGovernor(8, true).threads(1)).toBe(1)
    expect(run(new ThreadGovernor(8, true), 60, idle).at(-1)).toBe(8)
  })

  test('judges prompts and single tokens apart', () => {
    const governor = new ThreadGovernor(2, false)
    run(governor, 100, contended)
    expect(governor.threads(1)).toBe(1)
    expect(governor.threads(128)).toBe(2)
  })

  test('has no choice with one thread', () => {
    expect(run(new ThreadGovernor(1, false), 50, contended).every((threads) => threads === 1)).toBe(true)
  })
})
