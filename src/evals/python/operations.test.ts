import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { needs } from '../../testing/datasets.js'
import { findPython, runPython } from '../../testing/python.js'
import { bindKeywords } from './bind-arguments.js'
import { deepCopy } from './deep-copy.js'
import { PyError } from './errors.js'
import { parsePythonJson } from './json.js'
import { jsonRoundTrip } from './json-round-trip.js'
import { atMost, getItem, greaterThan, iterate, lessThan, lowerContains } from './operations.js'
import { pyRepr } from './repr.js'
import { pyRound } from './round.js'
import { PyBytes, PyDict, PyTuple, type PyValue } from './values.js'

const seed = Math.trunc(Math.random() * 2 ** 31)
const scalar: fc.Arbitrary<PyValue> = fc.oneof(
  fc.constantFrom<PyValue>(
    null,
    true,
    false,
    'a',
    'Ab',
    '😀',
    '\uffff',
    0,
    1,
    2.5,
    Number.NaN,
    new PyBytes(Buffer.from('aB')),
  ),
  fc.integer({ min: -3, max: 3 }).map(BigInt),
)
const value: fc.Arbitrary<PyValue> = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.array(scalar, { maxLength: 3 }).map((items) => new PyTuple(items)),
  fc.array(fc.tuple(scalar, scalar), { maxLength: 3 }).map((pairs) => PyDict.of(pairs)),
)
const NAN = 'nan = float("nan")\n'

/** Results and whole error texts on pairs of values. */
function agree(body: string, ours: (a: PyValue, b: PyValue) => PyValue): void {
  const pairs = fc.sample(fc.tuple(value, value), { numRuns: 400, seed })
  const wrapped = `${NAN}a, b = eval(x[0]), eval(x[1])\ntry:\n    y = repr(${body})\nexcept Exception as e:\n    y = str(e)`
  const theirs = runPython(
    wrapped,
    pairs.map((pair) => pair.map(pyRepr)),
  )
  for (const [i, [a, b]] of pairs.entries()) {
    let mine: string
    try {
      mine = pyRepr(ours(a, b))
    } catch (error) {
      if (!(error instanceof PyError)) throw error
      mine = error.message
    }
    expect({ value: mine }, `seed ${seed}: ${pyRepr(a)}, ${pyRepr(b)}`).toEqual(theirs[i])
  }
}

describe.skipIf(needs('python3', findPython()))('as Python does, error texts included', () => {
  const isOrdered = (item: PyValue): boolean =>
    typeof item === 'string' || !(Array.isArray(item) || item instanceof PyTuple || item instanceof PyBytes)

  test('comparisons of numbers and strings', () => {
    const only = (compare: (a: PyValue, b: PyValue) => boolean) => (a: PyValue, b: PyValue) =>
      isOrdered(a) && isOrdered(b) ? compare(a, b) : 'not covered'
    const guard = (operator: string): string =>
      `"not covered" if isinstance(a, (list, tuple, bytes)) or isinstance(b, (list, tuple, bytes)) else a ${operator} b`
    agree(guard('<'), only(lessThan))
    agree(guard('>'), only(greaterThan))
    agree(guard('<='), only(atMost))
  })

  test('items, iteration and search in lower case', () => {
    agree('"not covered" if type(a) in (int, bytes) else a[b]', (a, b) =>
      typeof a === 'bigint' || a instanceof PyBytes ? 'not covered' : getItem(a, b),
    )
    agree('list(a)', (a) => [...iterate(a)])
    agree('a.lower() in b.lower()', lowerContains)
  })

  test('JSON there and back', () => {
    agree('json.loads(json.dumps(a))', (a) => jsonRoundTrip(a))
  })

  test('rounding, ties included', () => {
    const cases = fc.sample(
      fc.tuple(
        fc.oneof(
          fc.double({ min: -1e6, max: 1e6, noNaN: true }),
          fc.integer({ min: -4096, max: 4096 }).map((n) => n / 64),
        ),
        fc.integer({ min: 0, max: 5 }),
      ),
      { numRuns: 600, seed },
    )
    const theirs = runPython('y = round(float(x[0]), x[1])', cases)
    for (const [i, [number, digits]] of cases.entries())
      expect({ value: pyRound(number, digits) + 0 }, `${number}, ${digits}`).toEqual({
        value: (theirs[i] as { value: number }).value + 0,
      })
  })

  test('arguments of a method', () => {
    const names = fc.constantFrom('a', 'b', 'c', 'd', 'self', 'zz')
    const cases = fc.sample(fc.uniqueArray(names, { maxLength: 5 }), { numRuns: 120, seed })
    const body = [
      'class K:',
      '    def m(self, a, b, c, d=5): return [a, b, c, d]',
      'try:',
      '    y = repr(eval("K().m(" + ", ".join(f"{k}=1" for k in x) + ")", {"K": K}))',
      'except TypeError as e:',
      '    y = str(e).split(". Did you mean")[0]',
    ].join('\n')
    const parameters = [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd', standard: 5n }]
    for (const [i, theirs] of runPython(body, cases).entries()) {
      const keywords = PyDict.of(cases[i]!.map((name) => [name, 1n] as const))
      let mine: string
      try {
        mine = pyRepr(bindKeywords('K.m', parameters, keywords))
      } catch (error) {
        mine = error instanceof PyError ? error.message : String(error)
      }
      // A class within a function is named with that function's locals; messages here start at the method.
      expect({ value: mine.replace(/^.*K\.m/, 'K.m') }).toEqual({
        value: (theirs as { value: string }).value.replace(/^.*K\.m/, 'K.m'),
      })
    }
  })
})

test('a deep copy shares nothing that can change', () => {
  const original = parsePythonJson('{"a": [1, {"b": 2.0}]}') as PyDict
  const copy = deepCopy(original)
  ;(original.get('a') as PyValue[]).push('new')
  expect(pyRepr(copy)).toBe("{'a': [1, {'b': 2.0}]}")
})
