import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { GgufError } from './gguf-error.js'
import type { GgufArray, GgufValue, GgufValueType } from './gguf-format.js'
import { GgufFile } from './gguf-reader.js'
import { writeGguf } from './gguf-writer.js'

const folder = mkdtempSync(join(tmpdir(), 'botpsy-gguf-'))
afterAll(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'x.gguf')

const scalars: Record<Exclude<GgufValueType, 'array'>, fc.Arbitrary<number | bigint | boolean | string>> = {
  u8: fc.nat(255),
  i8: fc.integer({ min: -128, max: 127 }),
  u16: fc.nat(65_535),
  i16: fc.integer({ min: -32_768, max: 32_767 }),
  u32: fc.nat(0xffffffff),
  i32: fc.integer(),
  f32: fc.float(),
  f64: fc.double(),
  bool: fc.boolean(),
  string: fc.string({ unit: 'grapheme' }),
  u64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  i64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
}
const scalarTypes = Object.keys(scalars) as (keyof typeof scalars)[]
const scalarValue = fc
  .constantFrom(...scalarTypes)
  .chain((type) => scalars[type].map((value) => ({ type, value }) as GgufValue))
const flatArray: fc.Arbitrary<GgufArray> = fc
  .constantFrom(...scalarTypes)
  .chain((of) => fc.array(scalars[of], { maxLength: 20 }).map((items) => ({ type: 'array', of, items })))
const nestedArray: fc.Arbitrary<GgufArray> = fc
  .array(flatArray, { maxLength: 3 })
  .map((items) => ({ type: 'array', of: 'array', items }))
const metadataOf = fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(scalarValue, flatArray, nestedArray), {
  maxKeys: 8,
})
const tensorOf = fc.record({
  type: fc.constantFrom('F32' as const, 'F16' as const, 'Q8_0' as const, 'I8' as const),
  rows: fc.integer({ min: 1, max: 5 }),
  seed: fc.nat(255),
})
const BYTES_OF_64 = { F32: 256, F16: 128, Q8_0: 68, I8: 64 }

async function refusal(bytes: Buffer): Promise<unknown> {
  writeFileSync(path, bytes)
  try {
    await (await GgufFile.open(path)).close()
    return undefined
  } catch (error) {
    return error
  }
}

/** A header by hand, for files that the writer would refuse to write. */
function header(tensorCount: bigint, valueCount: bigint, ...rest: Buffer[]): Buffer {
  const head = Buffer.alloc(24)
  head.write('GGUF', 'latin1')
  head.writeUInt32LE(3, 4)
  head.writeBigUInt64LE(tensorCount, 8)
  head.writeBigUInt64LE(valueCount, 16)
  return Buffer.concat([head, ...rest])
}
const u32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer)
const u64 = (value: bigint): Buffer => Buffer.from(BigUint64Array.of(value).buffer)
const text = (value: string): Buffer => Buffer.concat([u64(BigInt(Buffer.byteLength(value))), Buffer.from(value)])
const tensor = (name: string, dimensions: bigint[], type: number, offset: bigint): Buffer =>
  Buffer.concat([text(name), u32(dimensions.length), ...dimensions.map(u64), u32(type), u64(offset)])

describe('GGUF', () => {
  test('what is written is read back: every metadata type, any alignment, every byte of every tensor', async () => {
    await fc.assert(
      fc.asyncProperty(
        metadataOf,
        fc.array(tensorOf, { maxLength: 6 }),
        fc.constantFrom(8, 32, 64, 4096),
        async (metadata, list, alignment) => {
          const entries: [string, GgufValue][] = [
            ['general.alignment', { type: 'u32', value: alignment }],
            ...Object.entries(metadata),
          ]
          const data = list.map(({ type, rows, seed }) => Buffer.alloc(BYTES_OF_64[type] * rows, seed))
          const tensors = list.map(({ type, rows }, i) => ({
            name: `t${i}`,
            type,
            shape: [64, rows],
            data: () => [data[i]!.subarray(0, 7), data[i]!.subarray(7)],
          }))
          await writeGguf(path, { metadata: entries, tensors })
          const file = await GgufFile.open(path)
          try {
            expect([...file.metadata]).toEqual(entries)
            expect([...file.tensors.keys()]).toEqual(tensors.map(({ name }) => name))
            for (const [i, { name, shape, type }] of tensors.entries()) {
              expect(file.tensor(name)).toMatchObject({ shape, type })
              expect(file.tensor(name).offset % alignment).toBe(0)
              expect((await file.read(name)).equals(data[i]!)).toBe(true)
              const pieces: Buffer[] = []
              for await (const piece of file.chunks(name, 50)) pieces.push(piece)
              expect(Buffer.concat(pieces).equals(data[i]!)).toBe(true)
            }
          } finally {
            await file.close()
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('a file cut anywhere is refused with a typed error', async () => {
    await writeGguf(path, {
      metadata: [
        ['a.text', { type: 'string', value: 'some text' }],
        ['a.list', { type: 'array', of: 'string', items: ['x', 'yy'] }],
      ],
      tensors: [{ name: 't', type: 'F32', shape: [8, 3], data: async () => Buffer.alloc(96, 1) }],
    })
    const whole = readFileSync(path)
    const dataEnd = whole.length
    for (let length = 0; length < dataEnd; length++) {
      const error = await refusal(whole.subarray(0, length))
      expect(error, `cut at ${length}`).toBeInstanceOf(GgufError)
    }
    expect(await refusal(whole)).toBeUndefined()
  })

  test('random damage to a header gives a typed error or a readable file, never anything else', async () => {
    await writeGguf(path, {
      metadata: [
        ['a', { type: 'array', of: 'array', items: [{ type: 'array', of: 'u16', items: [1, 2] }] }],
        ['b', { type: 'string', value: 'text' }],
        ['c', { type: 'bool', value: true }],
      ],
      tensors: [{ name: 't', type: 'Q8_0', shape: [32, 2], data: async () => Buffer.alloc(68, 1) }],
    })
    const whole = readFileSync(path)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        async (changes) => {
          const damaged = Buffer.from(whole)
          for (const [at, value] of changes) damaged[at] = value
          const error = await refusal(damaged)
          if (error !== undefined) expect(error).toBeInstanceOf(GgufError)
        },
      ),
      { numRuns: 500 },
    )
  })

  const huge = 2n ** 63n
  const padding = Buffer.alloc(256)
  test.each<[string, Buffer, string]>([
    ['no magic', Buffer.from('not a model file at all'), 'format'],
    ['an old version', Buffer.concat([Buffer.from('GGUF'), u32(1), padding]), 'unsupported'],
    ['big-endian', Buffer.concat([Buffer.from('GGUF'), Buffer.from([0, 0, 0, 3]), padding]), 'unsupported'],
    ['a huge tensor count', header(huge, 0n, padding), 'truncated'],
    ['a huge metadata count', header(0n, 2n ** 40n, padding), 'truncated'],
    ['a huge string', header(0n, 1n, u64(2n ** 40n), padding), 'truncated'],
    ['a huge array', header(0n, 1n, text('k'), u32(9), u32(0), u64(2n ** 50n), padding), 'truncated'],
    ['a huge array of strings', header(0n, 1n, text('k'), u32(9), u32(8), u64(40n), padding), 'truncated'],
    [
      'arrays within arrays without end',
      header(0n, 1n, text('k'), u32(9), ...Array<Buffer>(40).fill(Buffer.concat([u32(9), u64(1n)])), padding),
      'format',
    ],
    ['an unknown value type', header(0n, 1n, text('k'), u32(77), padding), 'format'],
    ['a truth value of 2', header(0n, 1n, text('k'), u32(7), Buffer.from([2]), padding), 'format'],
    [
      'a key twice',
      header(0n, 2n, text('k'), u32(0), Buffer.from([1]), text('k'), u32(0), Buffer.from([1]), padding),
      'format',
    ],
    ['an alignment of 3', header(0n, 1n, text('general.alignment'), u32(4), u32(3), padding), 'format'],
    [
      'an alignment of the wrong type',
      header(0n, 1n, text('general.alignment'), u32(8), text('32'), padding),
      'format',
    ],
    ['five dimensions', header(1n, 0n, tensor('t', [1n, 1n, 1n, 1n, 1n], 0, 0n), padding), 'format'],
    ['a dimension of zero', header(1n, 0n, tensor('t', [0n], 0, 0n), padding), 'format'],
    [
      'dimensions whose product overflows',
      header(1n, 0n, tensor('t', [2n ** 32n, 2n ** 32n], 0, 0n), padding),
      'format',
    ],
    ['a tensor larger than the file', header(1n, 0n, tensor('t', [2n ** 40n], 0, 0n), padding), 'truncated'],
    ['an unknown tensor type', header(1n, 0n, tensor('t', [4n], 999, 0n), padding), 'unsupported'],
    ['a partial block', header(1n, 0n, tensor('t', [33n], 8, 0n), padding), 'format'],
    ['a misaligned offset', header(1n, 0n, tensor('t', [4n], 0, 5n), padding), 'format'],
    ['an offset past the end', header(1n, 0n, tensor('t', [4n], 0, huge), padding), 'format'],
    ['overlapping tensors', header(2n, 0n, tensor('a', [16n], 0, 0n), tensor('b', [4n], 0, 32n), padding), 'format'],
    ['two tensors of one name', header(2n, 0n, tensor('a', [4n], 0, 0n), tensor('a', [4n], 0, 32n), padding), 'format'],
  ])('%s is refused', async (_, bytes, code) => {
    const error = await refusal(bytes)
    expect(error).toBeInstanceOf(GgufError)
    expect(error).toMatchObject({ code })
  })

  test('a claim of many gigabytes in a sparse file allocates only what is read', async () => {
    writeFileSync(path, header(0n, 1n, text('k'), u32(9), u32(0), u64(2n ** 33n), padding))
    truncateSync(path, 2 ** 20)
    const before = process.memoryUsage().arrayBuffers
    expect(await refusal(readFileSync(path))).toMatchObject({ code: 'truncated' })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 << 20)
  })

  test('a source that gives too little or too much leaves no file behind', async () => {
    for (const bytes of [3, 5]) {
      const target = join(folder, `bad${bytes}.gguf`)
      const write = writeGguf(target, {
        metadata: [],
        tensors: [{ name: 't', type: 'I8', shape: [4], data: async () => Buffer.alloc(bytes) }],
      })
      await expect(write).rejects.toBeInstanceOf(GgufError)
    }
    expect(readdirSync(folder).filter((name) => name.startsWith('bad'))).toEqual([])
  })

  test('getters say what is wrong', async () => {
    await writeGguf(path, { metadata: [['k', { type: 'u32', value: 7 }]], tensors: [] })
    const file = await GgufFile.open(path)
    try {
      expect(file.number('k')).toBe(7)
      expect(file.text('absent')).toBeUndefined()
      expect(() => file.text('k')).toThrow(GgufError)
      expect(() => file.array('k')).toThrow(GgufError)
      expect(() => file.tensor('t')).toThrow(/no tensor t/)
    } finally {
      await file.close()
    }
  })
})
