import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { needs } from '../../testing/datasets.js'
import { findPython, runPython } from '../../testing/python.js'
import { pyFloat, pyInt } from './convert.js'
import { pyEquals } from './equals.js'
import { PyError } from './errors.js'
import { evaluate } from './evaluate.js'
import { parsePythonJson } from './json.js'
import { literalEval } from './literal.js'
import { parsePythonExpression } from './parser.js'
import { pyRepr, pyStr } from './repr.js'
import { pyStrip } from './strip.js'
import { unparse } from './unparse.js'
import { PyBytes, PyComplex, PyDict, PyTuple, type PyValue } from './values.js'
import { containsWhole } from './words.js'

const missing = needs('python3', findPython())

// Code points whose properties do not depend on the Unicode version of Python.
const character = fc.oneof(
  fc.integer({ min: 0, max: 0x24f }).map((point) => String.fromCodePoint(point)),
  fc.constantFrom(...'\u0130\u03a3\u03c3\u0e33\u2028\u3000\u200b\ufeff\u0660\u0966\u4e8c½²Ⅷ_\u0301😀𝟘é'),
)
const text = fc.array(character, { maxLength: 12 }).map((all) => all.join(''))
const scalar: fc.Arbitrary<PyValue> = fc.oneof(
  fc.constantFrom<PyValue>(null, true, false),
  fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
  fc.integer({ min: -3, max: 3 }).map(BigInt),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1, 1e16, 1e15, 1e-4, 1e-5, 123456789012345680, 5e-324, 1.7976931348623157e308),
  text,
  fc.uint8Array({ maxLength: 6 }).map((bytes) => new PyBytes(bytes)),
)
const { value } = fc.letrec<{ value: PyValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => new PyTuple(items)),
    fc.array(fc.tuple(scalar, tie('value')), { maxLength: 4 }).map((pairs) => PyDict.of(pairs)),
  ),
}))

/** Compares our function with Python's on many generated inputs; the seed stands in the failure's message. */
function agree<T>(cases: fc.Arbitrary<T>, count: number, body: string, ours: (input: T) => unknown): void {
  const seed = Math.trunc(Math.random() * 2 ** 31)
  const inputs = fc
    .sample(cases, { numRuns: count, seed })
    .filter((one) => !/\p{Surrogate}/u.test(JSON.stringify(one)) && !/\\\\?ud[89a-f]/i.test(JSON.stringify(one)))
  const theirs = runPython(body, inputs)
  for (const [i, input] of inputs.entries()) {
    let mine: unknown
    try {
      mine = { value: ours(input) }
    } catch (error) {
      if (!(error instanceof PyError)) throw error
      mine = { error: error.type }
    }
    expect(mine, `seed ${seed}, input ${JSON.stringify(input)}`).toEqual(theirs[i])
  }
}

/** Takes the classes that mean "not an expression" for one. */
const REFUSED = "except (SyntaxError, ValueError, MemoryError, RecursionError):\n    y = 'refused'"
function refused(read: () => string): string {
  try {
    return read()
  } catch (error) {
    if (error instanceof PyError && error.type !== 'TypeError') return 'refused'
    throw error
  }
}

const name = fc.constantFrom('a', 'b_1', 'x', 'foo', 'é', 'match', '_')
const literal = value.map(pyRepr)
const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const e = tie('expression')
  const join = (open: string, close: string) =>
    fc.array(e, { minLength: 1, maxLength: 3 }).map((all) => `${open}${all.join(', ')}${close}`)
  return {
    expression: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fc.oneof(literal, name, fc.constantFrom('1_000', '0x1F', '.5', '1e3', '2j', '...', "r'\\d'", "'a' 'b'", "b'x'")),
      fc
        .tuple(e, fc.constantFrom('+', '-', '*', '/', '//', '%', '**', '@', '<<', '|', '^', '&'), e)
        .map((all) => all.join(' ')),
      fc
        .tuple(e, fc.constantFrom('and', 'or', '<', '==', 'in', 'not in', 'is', 'is not'), e)
        .map((all) => all.join(' ')),
      fc.tuple(fc.constantFrom('-', '+', '~', 'not '), e).map((all) => all.join('')),
      fc.tuple(e, e, e).map(([a, b, c]) => `${a} if ${b} else ${c}`),
      e.map((one) => `(${one})`),
      join('[', ']'),
      join('(', ',)'),
      join('{', '}'),
      fc.tuple(e, e).map(([a, b]) => `{${a}: ${b}, **x}`),
      fc.tuple(name, e, name, e).map(([f, a, k, b]) => `${f}(${a}, *x, ${k}=${b}, **y)`),
      fc
        .tuple(name, fc.array(fc.tuple(name, e), { maxLength: 3 }))
        .map(([f, all]) => `${f}.g(${all.map((one) => one.join('=')).join(', ')})`),
      fc.tuple(name, e, e).map(([f, a, b]) => `${f}[${a}:${b}, ${a}]`),
      fc.tuple(name, e).map(([f, a]) => `${f}[${a}].z`),
      fc.tuple(e, name, e).map(([a, n, b]) => `[${a} for ${n} in (${b}) if ${n}]`),
      fc.tuple(e, name, e).map(([a, n, b]) => `f(${a} for ${n}, y in (${b}))`),
      fc.tuple(name, e).map(([n, a]) => `lambda ${n}, z=1, *w, k, **q: ${a}`),
      fc.tuple(name, e).map(([n, a]) => `(${n} := ${a})`),
    ),
  }
})
/** Sound expressions and the same with a few characters changed. */
const source = fc
  .tuple(
    expression,
    fc.array(
      fc.record({
        at: fc.nat(200),
        cut: fc.nat(2),
        put: fc.constantFrom(
          '',
          '',
          '(',
          ')',
          '[',
          ']',
          ',',
          '=',
          ':',
          '*',
          "'",
          '"',
          '\\',
          '#',
          '\n',
          ' ',
          '.',
          '1',
          'if ',
          'for ',
          '!',
          '$',
          '0',
          '_',
        ),
      }),
      { maxLength: 2 },
    ),
  )
  .map(([whole, changes]) =>
    changes.reduce((now, { at, cut, put }) => {
      const place = at % (now.length + 1)
      return now.slice(0, place) + put + now.slice(place + cut)
    }, whole),
  )

describe.skipIf(missing)('against python3', () => {
  test('repr of every kind of value reads back as the same', () => {
    agree(value.map(pyRepr), 400, 'y = repr(eval(x))', (shown) => shown)
  })

  test('ast.parse accepts and refuses the same sources, and unparse gives the same text', () => {
    agree(source, 1000, `try:\n    y = ast.unparse(ast.parse(x, mode='eval'))\n${REFUSED}`, (code) =>
      refused(() => unparse(parsePythonExpression(code))),
    )
  })

  test('literal_eval', () => {
    const changed = fc
      .tuple(literal, fc.nat(40), fc.constantFrom('', '-', '1', ',', '(', "'", '{', ' +2j'))
      .map(([all, at, put]) => all.slice(0, at) + put + all.slice(at))
    agree(changed, 500, `try:\n    y = repr(ast.literal_eval(x))\nexcept TypeError:\n    raise\n${REFUSED}`, (code) =>
      refused(() => pyRepr(literalEval(code))),
    )
  })

  test('arithmetic of literals', () => {
    const small = fc.oneof(
      fc.integer({ min: -40, max: 40 }).map(String),
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map(pyRepr),
      fc.constantFrom('True', "'ab'", '[1]', '(2,)', 'None'),
    )
    const operator = fc.constantFrom('+', '-', '*', '/', '//', '%', '&', '|', '^')
    agree(
      fc.tuple(small, operator, small).map(([a, o, b]) => `(${a}) ${o} (${b})`),
      600,
      'if isinstance(eval(x.split(") ")[0] + ")"), str) and " % " in x: raise TypeError()\ny = repr(eval(x)) if len(x) < 60 and not ("ab" in x and "*" in x) and not ("," in x and "*" in x) and not ("[1]" in x and "*" in x) else "skipped"',
      (code) =>
        code.length < 60 && !(/ab|,|\[1\]/.test(code) && code.includes('*'))
          ? pyRepr(evaluate(parsePythonExpression(code)))
          : 'skipped',
    )
    agree(
      fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -30, max: 60 })).map(([a, b]) => `(${a}) ** ${b}`),
      300,
      'y = repr(eval(x))',
      (code) => pyRepr(evaluate(parsePythonExpression(code))),
    )
  })

  test('json.loads', () => {
    const json = fc
      .oneof(
        fc.jsonValue().map((one) => JSON.stringify(one)),
        fc
          .tuple(
            fc.jsonValue(),
            fc.nat(30),
            fc.constantFrom('', ',', '"', '1', '.5', 'e9', 'NaN', '\t', '\\u12', '-', '0', '\n', '{"a":1,"a":2}'),
          )
          .map(([one, at, put]) => JSON.stringify(one).slice(0, at) + put + JSON.stringify(one).slice(at + 1)),
      )
      .filter((all) => !/\p{Surrogate}/u.test(all) && !/\\ud[89a-f]/i.test(all))
    agree(json, 600, 'y = ascii(json.loads(x))', (code) => asciiOnly(pyRepr(parsePythonJson(code))))
  })

  test('int, float, lower, strip and whole words', () => {
    const number = fc.oneof(
      fc
        .array(fc.constantFrom('1', '0', '_', '.', 'e', '-', '+', ' ', '٣', '𝟘', 'n', 'inf', 'nan', '\u3000'), {
          maxLength: 5,
        })
        .map((all) => all.join('')),
      fc.double().map(pyRepr),
    )
    agree(number, 600, 'y = str(int(x))', (one) => pyStr(pyInt(one)))
    agree(number, 600, 'y = repr(float(x))', (one) => pyRepr(pyFloat(one)))
    agree(text, 400, 'y = x.lower()', (one) => one.toLowerCase())
    agree(fc.tuple(text, text), 400, 'y = [x[0].strip(), x[0].strip(x[1])]', ([a, b]) => [pyStrip(a), pyStrip(a, b)])
    agree(
      fc.tuple(text, text),
      400,
      "y = bool(re.search(r'\\b' + re.escape(x[1][:2]) + r'\\b', x[1] + x[0]))",
      ([a, b]) => containsWhole(b + a, [...b].slice(0, 2).join('')),
    )
  })

  test('equality', () => {
    const pair = fc.tuple(value, value, fc.boolean()).map(([a, b, same]) => [a, same ? a : b] as const)
    const numbers = fc.tuple(
      scalar,
      fc.constantFrom<PyValue>(0n, 1n, true, false, 1, 0, -0, 2n ** 53n, new PyComplex(1, 0)),
    )
    const both = fc.oneof(pair, numbers).map(([a, b]) => [pyRepr(a), pyRepr(b)] as const)
    agree(both, 500, 'y = eval(x[0]) == eval(x[1])', ([a, b]) =>
      pyEquals(evaluate(parsePythonExpression(a)), evaluate(parsePythonExpression(b))),
    )
  })
})

function asciiOnly(shown: string): string {
  return [...shown]
    .map((one) => {
      const point = one.codePointAt(0)!
      if (point < 0x80) return one
      const hex = point.toString(16)
      return point <= 0xff
        ? `\\x${hex.padStart(2, '0')}`
        : point <= 0xffff
          ? `\\u${hex.padStart(4, '0')}`
          : `\\U${hex.padStart(8, '0')}`
    })
    .join('')
}

test('a dict keeps the first of equal keys and the last of their values', () => {
  const dict = PyDict.of([
    [1n, 'a'],
    ['k', null],
    [1, 'b'],
    [true, 'c'],
  ])
  expect(pyRepr(dict)).toBe("{1: 'c', 'k': None}")
  expect(() => new PyDict().set([], 1n)).toThrow(/unhashable type: 'list'/)
})

test('an int and a float of the same value differ in type and text but are equal', () => {
  const [whole, float] = [parsePythonJson('5'), parsePythonJson('5.0')]
  expect([pyRepr(whole), pyRepr(float)]).toEqual(['5', '5.0'])
  expect(pyEquals(whole, float)).toBe(true)
  expect(pyEquals([1n], new PyTuple([1n]))).toBe(false)
})

test('nesting without end is refused, not a crash', () => {
  for (const open of ['(', '[', '-', 'not ', 'lambda: ', 'a if b else ', 'a**', 'a+', 'a.', '{1:'])
    expect(() => parsePythonExpression(open.repeat(100_000))).toThrow(PyError)
  expect(() => parsePythonJson('['.repeat(100_000))).toThrow(PyError)
})
