import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { needs } from '../../testing/datasets.js'
import { findPython, runPython } from '../../testing/python.js'
import { PythonRandom } from '../text/mersenne-twister.js'
import { BUILTINS, valueAttribute } from './builtins.js'
import { parsePythonDate } from './dates.js'
import { decimalRoot } from './decimal-root.js'
import { PyError } from './errors.js'
import { evaluateNames } from './evaluate-names.js'
import { mpmathLogarithm } from './mpmath-log.js'
import { parsePythonExpression } from './parser.js'
import { pyRepr } from './repr.js'
import { pyRoundTo } from './round-to.js'
import { pyLines } from './sequences.js'
import type { PyValue } from './values.js'

const seed = Math.trunc(Math.random() * 2 ** 31)
const NAMES = { lookUp: (name: string) => BUILTINS.get(name), attribute: valueAttribute }

/** `repr` of the value, or the error's text. */
function ours(compute: () => PyValue): string {
  try {
    return pyRepr(compute())
  } catch (error) {
    if (error instanceof PyError) return error.message
    throw error
  }
}

describe.skipIf(needs('python3', findPython()))(`as Python does it (seed ${seed})`, () => {
  const agree = (body: string, inputs: readonly unknown[], mine: readonly string[]): void => {
    const wrapped = `try:\n    y = repr(${body})\nexcept SyntaxError as e:\n    y = e.msg\nexcept Exception as e:\n    y = str(e)`
    const theirs = runPython(wrapped, inputs)
    for (const [i, input] of inputs.entries()) expect([input, { value: mine[i] }]).toEqual([input, theirs[i]])
  }

  test('expressions with names, calls, slices, comparisons and comprehensions, and their errors', () => {
    const atoms = ['1', '-2', '2.5', "'ab'", '[1, 2, 3]', '(4, 5)', "{'k': 1}", 'None', 'True', 'nowhere', '3']
    const made = fc.letrec<{ whole: string }>((tie) => ({
      whole: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(...atoms),
        fc
          .tuple(tie('whole'), fc.constantFrom('+', '*', '-', '<', '>=', '==', 'in', 'and', 'or'), tie('whole'))
          .map(([a, o, b]) => `(${a} ${o} ${b})`),
        tie('whole').map((a) => `len(${a})`),
        tie('whole').map((a) => `str(${a})`),
        tie('whole').map((a) => `[x for x in ${a} if x]`),
        fc.tuple(tie('whole'), fc.constantFrom('[0]', '[1:]', '[::-1]', "['k']", '[-2:]')).map(([a, s]) => a + s),
        fc.tuple(tie('whole'), tie('whole')).map(([a, b]) => `max(${a}, ${b})`),
        fc.tuple(tie('whole'), tie('whole')).map(([a, b]) => `[*${a}, ${b}]`),
        fc.tuple(tie('whole'), tie('whole'), tie('whole')).map(([a, b, c]) => `(${a} if ${b} else ${c})`),
      ),
    })).whole
    const sources = fc.sample(made, { numRuns: 500, seed })
    agree(
      'eval(x)',
      sources,
      sources.map((source) => ours(() => evaluateNames(parsePythonExpression(source), NAMES))),
    )
  })

  test('what is no expression', () => {
    const sources = [
      'f(',
      'f(a=1 b=2)',
      '[1 2]',
      "f(a 'x')",
      'f(1]',
      'f)',
      "'abc",
      '"""x',
      '{1: 2 3}',
      'f(1, (2)',
      'f(×)',
    ]
    agree(
      'eval(x)',
      sources,
      sources.map((source) => ours(() => evaluateNames(parsePythonExpression(source), NAMES))),
    )
  })

  test('rounding, roots, draws, dates and lines', () => {
    const float = fc.double({ noNaN: true, min: -9e15, max: 9e15 }).map((n) => (n === 0 ? 0 : n))
    const numbers = fc.sample(fc.tuple(fc.oneof(float, fc.integer()), fc.integer({ min: -5, max: 12 })), {
      numRuns: 300,
      seed,
    })
    const value = (n: number): bigint | number => (Number.isInteger(n) ? BigInt(n) : n)
    agree(
      'round(int(x[0]) if x[2] else x[0], x[1])',
      numbers.map(([n, d]) => [n, d, Number.isInteger(n)]),
      numbers.map(([n, d]) => ours(() => pyRoundTo(value(n), BigInt(d)))),
    )
    const roots = numbers.map(([n, d]) => [Math.abs(n), d + 6] as const)
    const decimal = "__import__('decimal')"
    agree(
      `(${decimal}.setcontext(${decimal}.Context(prec=x[1])), ${decimal}.Decimal(int(x[0]) if x[2] else x[0]).sqrt())[1]`,
      roots.map(([n, d]) => [n, d, Number.isInteger(n)]),
      roots.map(([n, d]) => ours(() => decimalRoot(value(n), BigInt(d)))),
    )
    const seeds = [0, 1, 200191, 1053520, 141053]
    agree(
      "(lambda r: [r.randint(10000, 99999), r.randint(100000000000, 999999999999), r.uniform(-10.0, 40.0), r.randint(1, 2**33)])(__import__('random').Random(x))",
      seeds,
      seeds.map((one) => {
        const random = new PythonRandom(one)
        const [a, b] = [random.between(10000, 99999), random.between(100000000000, 999999999999)]
        return pyRepr([BigInt(a), BigInt(b), random.uniform(-10, 40), BigInt(random.between(1, 2 ** 33))])
      }),
    )
    const dates = ['2024-02-29', '2023-02-29', '2024-1-5', '24-01-01', '2024-01-01x', '2024-13-01', '']
    agree(
      "int(__import__('datetime').datetime.strptime(x, '%Y-%m-%d').replace(tzinfo=__import__('datetime').timezone.utc).timestamp() * 1000)",
      dates,
      dates.map((date) => ours(() => BigInt(parsePythonDate(date)))),
    )
    const texts = ['a\nb\r\nc\rd', '', '\n', 'x\u2028y\u0085z\x1cw\vq\n']
    agree(
      'x.splitlines()',
      texts,
      texts.map((text) => ours(() => pyLines(text))),
    )
  })
})

test('logarithms are shown as mpmath 1.3 shows them', () => {
  const log = (value: bigint | number, base: bigint | number, digits: bigint) =>
    mpmathLogarithm(value, base, digits).repr
  expect(log(20n, 10n, 2n)).toBe("mpf('1.3027')")
  expect(log(88.21, 457.23, 50n)).toBe("mpf('0.73136063713557662656399213740027416039790499920139553')")
  expect(log(-2.5, 3n, 10n)).toBe("mpc(real='0.8340437671504', imag='2.859600867378')")
  expect(log(-5n, -2n, 10n)).toBe("mpc(real='1.061364329871', imag='-0.2781252428285')")
  expect(log(0n, 10n, 10n)).toBe("mpf('-inf')")
  expect(() => log(5n, 1n, 4n)).toThrow(expect.objectContaining({ type: 'ZeroDivisionError' }))
})
