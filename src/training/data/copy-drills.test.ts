import { describe, expect, it } from 'vitest'
import { CopyDrillOptions, CopyDrills } from './copy-drills.js'

const words = Array.from({ length: 300 }, (_, i) => `w${i}`)
const source = () => new CopyDrills(words, CopyDrillOptions.parse({ texts: 40 }))

describe('CopyDrills', () => {
  it('asks only for words that stand in the request, in their order', () => {
    let values = 0
    for (const { exchanges = [] } of source().epoch(0, 1)) {
      for (const [request, answer] of exchanges) {
        if (request?.role !== 'user' || answer?.role !== 'assistant') throw new Error('unexpected roles')
        const given = answer.toolCalls[0] ? Object.values(answer.toolCalls[0].arguments) : [answer.content]
        for (const value of given) {
          expect(` ${request.content} `).toContain(` ${String(value)} `)
          values++
        }
      }
    }
    expect(values).toBeGreaterThan(500)
  })

  it('calls only tools that are shown, with their own parameters', () => {
    for (const { exchanges = [], tools = [] } of source().epoch(3, 2)) {
      const known = new Map(tools.map((tool) => [tool.name, Object.keys(tool.parameters.properties ?? {})]))
      for (const message of exchanges.flat()) {
        if (message.role !== 'assistant') continue
        for (const call of message.toolCalls)
          expect(known.get(call.name)).toEqual(expect.arrayContaining(Object.keys(call.arguments)))
      }
    }
  })

  it('repeats from its seed and is fresh every epoch', () => {
    const texts = (epoch: number, seed: number) => JSON.stringify([...source().epoch(epoch, seed)])
    expect(texts(0, 1)).toBe(texts(0, 1))
    expect(texts(1, 1)).not.toBe(texts(0, 1))
    expect(texts(0, 2)).not.toBe(texts(0, 1))
  })
})
