import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { datasetsFolder, needs } from '../../testing/datasets.js'
import { PyError } from '../python/errors.js'
import { pyRepr } from '../python/repr.js'
import '../verifiers.js'
import { verifyFile } from '../verify.js'
import { checkAgentic } from './agentic.js'
import { bracketed, decodeNative, decodePrompted } from './decode.js'
import { decodeFormatted } from './decode-formats.js'
import { loadSyntaxParsers } from './syntax-tree.js'

const datasets = datasetsFolder()

describe.skipIf(needs('BOTPSY_DATASETS', datasets))('recorded verdicts of the official scorer', () => {
  test.each(['bfcl_v4_single_turn', 'bfcl_v4_multi_turn', 'bfcl_v4_format', 'bfcl_v4_agentic'])(
    '%s',
    async (suite) => {
      const file = join(datasets!, 'verdicts', `${suite}.jsonl.gz`)
      const result = await verifyFile({ suite, file, datasets: datasets! })
      expect(result.disagreements).toEqual([])
      expect(result.agree).toBe(result.lines)
    },
    300_000,
  )
})

describe('a small data set of our own', () => {
  let folder = ''
  const scale = {
    type: 'dict',
    properties: { by: { type: 'float' }, to: { type: 'array', items: { type: 'integer' } }, name: { type: 'string' } },
    required: ['by'],
  }
  const sample = { id: 'simple_python_0', question: [], function: [{ name: 'shape.scale', parameters: scale }] }
  const truth = {
    id: 'simple_python_0',
    ground_truth: [{ 'shape.scale': { by: [2.5, 3.0], to: [[1, 2], ''], name: ["Bob's box", ''] } }],
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'botpsy-bfcl-'))
    const data = join(folder, 'benchmarks', 'bfcl_v4', 'data')
    const { mkdir } = await import('node:fs/promises')
    await mkdir(join(data, 'possible_answer'), { recursive: true })
    await writeFile(join(data, 'BFCL_v4_simple_python.json'), `${JSON.stringify(sample)}\n`)
    // Written by hand, since JSON.stringify would turn 3.0 into 3.
    await writeFile(
      join(data, 'possible_answer', 'BFCL_v4_simple_python.json'),
      JSON.stringify(truth).replace('2.5,3]', '2.5,3.0]'),
    )
  })
  afterAll(() => rm(folder, { recursive: true }))

  async function verify(lines: readonly object[], suffix = '.jsonl.gz'): Promise<string[]> {
    const file = join(folder, `verdicts${suffix}`)
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    await writeFile(file, suffix.endsWith('.gz') ? gzipSync(text) : text)
    const result = await verifyFile({ suite: 'bfcl_v4_single_turn', file, datasets: folder })
    expect(result.lines).toBe(lines.length)
    expect(result.agree).toBe(lines.length - result.disagreements.length)
    return result.disagreements.map(({ reason }) => reason)
  }
  const line = (raw: string, error_type: string | null) => ({
    id: 'simple_python_0',
    category: 'simple_python',
    mode: 'prompt',
    underscore_to_dot: false,
    raw,
    verdict: error_type === null,
    error_type,
  })

  test('codes of the checker, each on a call of its own', async () => {
    const reasons = await verify([
      line('[shape.scale(by=2.5)]', null),
      line('shape.scale(by=3, to=[1, 2], name="bobs_ BOX")', 'value_error:string'),
      line('shape.scale(by=3, to=[1, 2], name="BOB\\"S-box")', null),
      line('shape.scale(by=True)', 'type_error:simple'),
      line('shape.scale(by=4)', 'value_error:others'),
      // The types of an optional list's items are not looked at, and 2.0 equals 2.
      line('shape.scale(by=3, to=[1, 2.0])', null),
      line('shape.scale(by=3, to=[2, 1])', 'value_error:list/tuple'),
      line('shape.scale(by=3, to=(1, 2))', 'type_error:simple'),
      line('shape.scale(to=[1, 2])', 'simple_function_checker:missing_required'),
      line('shape.scale(by=3, times=1)', 'simple_function_checker:unexpected_param'),
      line('shape_scale(by=3)', 'simple_function_checker:wrong_func_name'),
      line('[shape.scale(by=3), shape.scale(by=3)]', 'simple_function_checker:wrong_count'),
      line('Sure! shape.scale(by=3)', 'ast_decoder:decoder_failed'),
    ])
    expect(reasons).toEqual([])
  })

  test('a verdict that differs is named, whatever the packing of the file', async () => {
    for (const suffix of ['.jsonl', '.jsonl.gz']) {
      const reasons = await verify(
        [line('[shape.scale(by=2.5)]', 'value_error:others'), line('[shape.scale(by=3)]', null)],
        suffix,
      )
      expect(reasons).toEqual(['verdict is true, recorded false'])
    }
  })

  test('bad files are refused with their place', async () => {
    const file = join(folder, 'bad.jsonl.gz')
    await writeFile(file, gzipSync('{"id": 1}\n{"id"').subarray(0, -9))
    await expect(verifyFile({ suite: 'bfcl_v4_single_turn', file, datasets: folder })).rejects.toMatchObject({
      code: 'verdict-file',
    })
    await expect(
      verifyFile({ suite: 'bfcl_v4_single_turn', file: `${file}.none`, datasets: folder }),
    ).rejects.toMatchObject({ code: 'verdict-file' })
    await expect(verifyFile({ suite: 'none', file })).rejects.toMatchObject({ code: 'unknown-suite' })
    await expect(verifyFile({ suite: 'bfcl_v4_format', file, datasets: join(folder, 'no') })).rejects.toMatchObject({
      code: 'missing-data',
    })
  })
})

test('calls in Python keep what the official decoder keeps', async () => {
  const parsers = await loadSyntaxParsers()
  const decode = (text: string) => pyRepr(decodePrompted(text, 'python', parsers))
  expect(decode('`a.b(x=-1, y=+2, z=not True, 5)`'.replace(', 5', ''))).toBe("[{'a.b': {'x': -1, 'y': -2, 'z': -1}}]")
  expect(decode("[f(a=g(1), b=g(k=(1,)), c=n, d=n[0], e=..., h=2**3, 'x': 1)]".replace(", 'x': 1", ''))).toBe(
    "[{'f': {'a': 'g(1)', 'b': {'g': {'k': (1,)}}, 'c': 'n', 'd': 'n[0]', 'e': '...', 'h': 8}}]",
  )
  for (const [text, type] of [
    ['[f(a=b.c)]', 'Exception'],
    ['[1]', 'AssertionError'],
    ['[f()][0] + [1]', 'AttributeError'],
    ['[f(a=x+1)]', 'NameError'],
    ['f(a=1, 2)', 'SyntaxError'],
    ['[f()]\n  [g()]', 'IndentationError'],
  ] as const)
    expect(() => decode(text), text).toThrow(expect.objectContaining({ type }))
})

test('calls in Java and JavaScript are read from the syntax tree', async () => {
  const parsers = await loadSyntaxParsers()
  const java = (text: string) => pyRepr(decodePrompted(text, 'java', parsers))
  expect(java('[A.run(s="x y", c=\'q\', n=5L, a=new int[]{1, 2}, o=new P(b, 1.5f), id)]')).toBe(
    "[{'A.run': {'s': 'x y', 'c': 'q', 'n': '5L', 'a': 'new int[]{1,2}', 'o': 'new P(b, 1.5f)', None: 'id'}}]",
  )
  expect(java('[]')).toBe('{}')
  expect(() => java('[A.run(a=[1, 2])]')).toThrow(PyError)
  // The official decoder counts bytes where it should count characters; the slip is part of the verdict.
  expect(java('[f(a="é", b=xyz)]')).toBe("[{'f': {'a': 'é\"', '=': 'yz)'}}]")
  const script = (text: string) => pyRepr(decodePrompted(text, 'javascript', parsers))
  expect(script('[f(a="é", b={"k": [1]}, c=true, d)]')).toBe(
    "[{'f': {'a': 'é', 'b': '{\"k\": [1]}', 'c': 'true', None: 'd'}}]",
  )
  expect(script('[1 + 1]')).toBe('None')
})

test('native calls and other notations', () => {
  expect(pyRepr(decodeNative([]))).toBe('[]')
  expect(() => decodeNative('no call')).toThrow(expect.objectContaining({ type: 'AttributeError' }))
  const xml = (name: string, inner: string) => `x <functions><function name="${name}">${inner}</function></functions> y`
  expect(
    pyRepr(decodeFormatted(xml('f', '<param name="a" type="array"> [1, 2.0, (3,)] </param>'), 'concise_xml', false)),
  ).toBe("[{'f': {'a': [1, 2.0, (3,)]}}]")
  expect(
    pyRepr(decodeFormatted(xml('f', '<params><param name="a" value="&lt;1&#233;" /></params>'), 'verbose_xml', false)),
  ).toBe("[{'f': {'a': '<1é'}}]")
  expect(() => decodeFormatted(xml('f', '<param name="a">&no;</param>'), 'concise_xml', false)).toThrow(
    expect.objectContaining({ type: 'ParseError' }),
  )
  expect(
    pyRepr(decodeFormatted('<TOOLCALL>[{"function": "f", "parameters": {"a": 1.0}}]</TOOLCALL>', 'json', true)),
  ).toBe("[{'f': {'a': 1.0}}]")
  expect(() => decodeFormatted('[f()]', 'python', true)).toThrow(expect.objectContaining({ type: 'ValueError' }))
  expect(bracketed('``` \nf() ')).toBe('[f()]')
})

test('an accepted answer counts as whole words only', () => {
  expect(checkAgentic('It is (about) 1,200 km.', ['1200 km'])).toBe(true)
  expect(checkAgentic(['Michaels were there'], ['Michael'])).toBe(false)
  expect(checkAgentic('x', [''])).toBe(true)
  expect(checkAgentic('', [''])).toBe(false)
})
