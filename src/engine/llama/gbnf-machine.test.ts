import fc from 'fast-check'
import { getLlama, type Llama, type LlamaGrammar } from 'node-llama-cpp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseGbnf } from './gbnf.js'
import { GbnfMachine } from './gbnf-machine.js'

const none = (): undefined => undefined
const start = (source: string, tokenId: (text: string) => number | undefined = none): GbnfMachine =>
  new GbnfMachine(parseGbnf(source, tokenId))

const CALL = String.raw`
# a call of one of two tools
root ::= "\n<function=" ("lamp" lamp | "list_files") ">\n</function>\n" </tool_call>
lamp ::= ">\n<parameter=state>\n" ( "on" | # the value
  "off" ) "\n</parameter"
`

describe('GbnfMachine', () => {
  test('finds what is forced, up to the next choice', () => {
    const machine = start(CALL)
    expect(machine.takeForced()).toEqual(['\n<function=l'])
    expect(machine.accept('am')).toBe(true)
    expect(machine.takeForced()).toEqual(['p>\n<parameter=state>\no'])
    expect(machine.sampleNext().sort()).toEqual(['f', 'n'])
    expect(machine.accept('ff')).toBe(true)
    expect(machine.takeForced()).toEqual(['\n</parameter>\n</function>\n</tool_call>'])
    expect(machine.finished).toBe(true)
  })

  test('names a token where the vocabulary has it, and takes it as itself only', () => {
    const tokenId = (text: string): number | undefined => (text === '</tool_call>' ? 7 : undefined)
    const gbnf = parseGbnf(CALL, tokenId)
    expect(gbnf.source).toContain(String.raw`>\n" <[7]>`)
    const machine = start('root ::= "a" </tool_call>', tokenId)
    expect(machine.takeForced()).toEqual(['a', 7])
    const other = start('root ::= "a" </tool_call>', tokenId)
    expect(other.accept('a')).toBe(true)
    expect(other.clone().accept('</tool_call>')).toBe(false)
    expect(other.accept('</tool_call>', 7)).toBe(true)
    expect(other.finished).toBe(true)
  })

  test('a token that does not fit leaves nothing', () => {
    const machine = start('root ::= [0-9]{2,3}')
    expect(machine.accept('1x')).toBe(false)
    expect(machine.dead).toBe(true)
  })

  test('takes constant room however long a repetition goes on', () => {
    const machine = start('root ::= "\\"" [^"]* "\\""')
    machine.accept('"')
    for (let i = 0; i < 50_000; i++) if (!machine.accept('x')) throw new Error(`died at ${i}`)
    expect(machine.sampleNext().sort()).toEqual(['"', '1', 'a'])
    expect(machine.accept('"')).toBe(true)
    expect(machine.finished).toBe(true)
  })
})

describe('parseGbnf', () => {
  test.each([
    ['no root', 'start ::= "a"', 'no rule named root'],
    ['an undefined rule', 'root ::= missing', 'missing is used but not defined'],
    ['left recursion', 'root ::= root "a" | "a"', 'begins with itself'],
    ['hidden left recursion', 'root ::= a root\na ::= "x"?', 'begins with itself'],
    ['an open literal', 'root ::= "abc', 'Unexpected end'],
    ['an open class', 'root ::= [a-z', 'Unexpected end'],
    ['a huge repetition', 'root ::= "a"{1,100000}', 'repetitions'],
    ['a bad escape', 'root ::= "\\q"', 'Unknown escape'],
    ['an open group', 'root ::= ("a"', 'Expected )'],
    ['a repetition of nothing', 'root ::= *', 'Expected the end of the line'],
  ])('refuses %s', (_, source, message) => {
    expect(() => parseGbnf(source, none)).toThrow(message)
  })

  test('any text gives a grammar or a typed error', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'root ::=|"[]()<>{}*+?.,-^\\\n0a#!') }), (source) => {
        try {
          parseGbnf(`root ::= ${source}`, none)
        } catch (error) {
          expect(error).toMatchObject({ name: 'EngineError', code: 'grammar' })
        }
      }),
      { numRuns: 3000 },
    )
  })
})

/** Grammars that both sides read; walked at random below. */
const GRAMMARS = [
  'root ::= "yes" | "no" | "yesterday"',
  'root ::= [a-c]+ ("-" [0-9]{2,4})? "!"',
  'root ::= "[" (item ("," item)*)? "]"\nitem ::= "1" | "22" | root',
  'root ::= ("a" | "ab") "b"{0,3} [^x-z\\n]',
  'root ::= . "é" [α-ω]* "\\x41\\u00e9"',
  'root ::= "{" pair ("," pair)? "}"\npair ::= "\\"" [a-z]+ "\\":" ("true" | "false" | [0-9]+)',
]

describe('against llama.cpp', () => {
  let llama: Llama
  const native: LlamaGrammar[] = []

  beforeAll(async () => {
    llama = await getLlama({ gpu: false, build: 'never', skipDownload: true })
    for (const source of GRAMMARS) native.push(await llama.createGrammar({ grammar: parseGbnf(source, none).source }))
  }, 60_000)

  afterAll(async () => {
    await llama.dispose()
  })

  /** llama.cpp's own verdict on a whole text. */
  const fits = (index: number, text: string): boolean =>
    (native[index] as unknown as { _testText(text: string): boolean })._testText(text)

  test('whole texts are accepted by both or by none', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: GRAMMARS.length - 1 }),
        fc.array(fc.nat(), { maxLength: 24 }),
        fc.option(fc.constantFrom(...'ab1-!,]}"xéα')),
        (index, choices, stray) => {
          const machine = start(GRAMMARS[index]!)
          let text = ''
          for (const choice of choices) {
            const next = machine.sampleNext()
            if (next.length === 0) break
            const c = next[choice % next.length]!
            expect(machine.accept(c)).toBe(true)
            text += c
            if (machine.mayEnd) expect(fits(index, text)).toBe(true)
          }
          if (stray !== null && machine.accept(stray) && machine.mayEnd) expect(fits(index, text + stray)).toBe(true)
          if (machine.dead) expect(fits(index, text + stray)).toBe(false)
        },
      ),
      { numRuns: 600 },
    )
  })
})
