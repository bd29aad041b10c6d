import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { Checkpoint } from './checkpoint.js'
import { encodeFloats } from './quantize-tensor.js'
import { SafetensorsError } from './safetensors-error.js'
import { SAFETENSORS_BYTES, SafetensorsFile, type SafetensorsType } from './safetensors-reader.js'
import { type SafetensorsSource, writeCheckpoint, writeSafetensors } from './safetensors-writer.js'

const folder = mkdtempSync(join(tmpdir(), 'botpsy-safetensors-'))
afterAll(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'x.safetensors')

const tensorOf = fc.record({
  dtype: fc.constantFrom(...(Object.keys(SAFETENSORS_BYTES) as SafetensorsType[])),
  shape: fc.array(fc.nat(5), { maxLength: 4 }),
  fill: fc.nat(255),
})

function source(
  name: string,
  { dtype, shape, fill }: { dtype: SafetensorsType; shape: number[]; fill: number },
): SafetensorsSource & { bytes: Buffer } {
  const bytes = Buffer.alloc(
    shape.reduce((a, b) => a * b, SAFETENSORS_BYTES[dtype] as number),
    fill,
  )
  return { name, dtype, shape, bytes, data: async () => bytes }
}

async function refusal(bytes: Buffer): Promise<unknown> {
  writeFileSync(path, bytes)
  try {
    await (await SafetensorsFile.open(path)).close()
    return undefined
  } catch (error) {
    return error
  }
}

function file(header: unknown, data = 0, announced?: bigint): Buffer {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(announced ?? BigInt(text.length))
  return Buffer.concat([length, text, Buffer.alloc(data)])
}
const f32 = (from: number, to: number, shape: unknown = [(to - from) / 4]): object => ({
  dtype: 'F32',
  shape,
  data_offsets: [from, to],
})

describe('safetensors', () => {
  test('what is written is read back, in one file or in shards', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 6 }),
        fc.array(tensorOf, { minLength: 6, maxLength: 6 }),
        fc.constantFrom(1, 200, 1e9),
        async (names, kinds, shardBytes) => {
          const tensors = names
            .filter((name) => name !== '__metadata__' && name !== '__proto__')
            .map((name, i) => source(name, kinds[i]!))
          const target = mkdtempSync(join(folder, 'shards-'))
          await writeCheckpoint(target, tensors, { shardBytes })
          const checkpoint = await Checkpoint.open(target)
          try {
            expect(checkpoint.names.sort()).toEqual(tensors.map(({ name }) => name).sort())
            for (const { name, dtype, shape, bytes } of tensors) {
              const info = checkpoint.tensor(name)
              expect(info).toMatchObject({ dtype, shape, bytes: bytes.length })
            }
          } finally {
            await checkpoint.close()
          }
          for (const name of readdirSync(target).filter((entry) => entry.endsWith('.safetensors'))) {
            const shard = await SafetensorsFile.open(join(target, name))
            for (const key of shard.tensors.keys()) {
              expect((await shard.read(key)).equals(tensors.find((tensor) => tensor.name === key)!.bytes)).toBe(true)
            }
            await shard.close()
          }
        },
      ),
      { numRuns: 50 },
    )
  })

  test('numbers are read as float32 from each float type, whole or in part', async () => {
    const values = Float32Array.from([0, 1, -2.5, 1024])
    await writeSafetensors(path, [
      { name: 'f32', dtype: 'F32', shape: [2, 2], data: async () => encodeFloats('F32', values) },
      { name: 'f16', dtype: 'F16', shape: [4], data: async () => encodeFloats('F16', values) },
      { name: 'bf16', dtype: 'BF16', shape: [4], data: async () => encodeFloats('BF16', values) },
      { name: 'f64', dtype: 'F64', shape: [4], data: async () => new Uint8Array(Float64Array.from(values).buffer) },
      { name: 'i8', dtype: 'I8', shape: [4], data: async () => new Uint8Array(4) },
    ])
    const opened = await SafetensorsFile.open(path)
    try {
      for (const name of ['f32', 'f16', 'bf16', 'f64']) {
        expect(await opened.floats(name)).toEqual(values)
        expect(await opened.floats(name, 1, 2)).toEqual(values.slice(1, 3))
      }
      await expect(opened.floats('i8')).rejects.toMatchObject({ code: 'unsupported' })
      await expect(opened.floats('none')).rejects.toMatchObject({ code: 'missing' })
    } finally {
      await opened.close()
    }
  })

  test('a file cut anywhere is refused', async () => {
    await writeSafetensors(path, [source('t', { dtype: 'F32', shape: [3], fill: 1 })])
    const whole = readFileSync(path)
    for (let length = 0; length < whole.length; length++)
      expect(await refusal(whole.subarray(0, length))).toBeInstanceOf(SafetensorsError)
    expect(await refusal(whole)).toBeUndefined()
  })

  test.each<[string, Buffer, string]>([
    ['a header of exabytes', file({}, 0, 2n ** 62n), 'format'],
    ['a header past the end', file({}, 0, 1000n), 'truncated'],
    ['a header that is not JSON', file('{"a":', 8), 'format'],
    ['a header that is a list', file([], 0), 'format'],
    ['a tensor that is a text', file({ t: 'x' }), 'format'],
    ['an unknown type', file({ t: { ...f32(0, 4), dtype: 'toString' } }, 4), 'unsupported'],
    ['a shape that disagrees with the bytes', file({ t: f32(0, 8, [3]) }, 8), 'format'],
    ['a negative offset', file({ t: f32(-4, 0, [1]) }, 4), 'format'],
    ['a fractional dimension', file({ t: f32(0, 4, [0.5]) }, 4), 'format'],
    ['a dimension of astronomic size', file({ t: f32(0, 4, [1e300]) }, 4), 'format'],
    ['a tensor past the end', file({ t: f32(0, 2 ** 40) }, 8), 'truncated'],
    ['overlapping tensors', file({ a: f32(0, 8), b: f32(4, 12) }, 12), 'format'],
    ['a hole', file({ a: f32(0, 4), b: f32(8, 12) }, 12), 'format'],
    ['bytes that belong to nothing', file({ a: f32(0, 4) }, 8), 'format'],
    ['metadata that is no text', file({ __metadata__: { a: 1 } }), 'format'],
  ])('%s is refused', async (_, bytes, code) => {
    const error = await refusal(bytes)
    expect(error).toBeInstanceOf(SafetensorsError)
    expect(error).toMatchObject({ code })
  })

  test('a checkpoint without files, with an absent shard or with a shard elsewhere is refused', async () => {
    const target = mkdtempSync(join(folder, 'broken-'))
    await expect(Checkpoint.open(target)).rejects.toMatchObject({ code: 'missing' })
    const index = join(target, 'model.safetensors.index.json')
    writeFileSync(index, JSON.stringify({ weight_map: { a: 'gone.safetensors' } }))
    await expect(Checkpoint.open(target)).rejects.toMatchObject({ code: 'missing' })
    writeFileSync(index, JSON.stringify({ weight_map: { a: '../x.safetensors' } }))
    await expect(Checkpoint.open(target)).rejects.toMatchObject({ code: 'format' })
    writeFileSync(index, 'no json')
    await expect(Checkpoint.open(target)).rejects.toMatchObject({ code: 'format' })
  })

  test('a source that gives too little or too much leaves no file behind', async () => {
    for (const bytes of [3, 5]) {
      const target = join(folder, `bad${bytes}`)
      await expect(
        writeSafetensors(target, [{ name: 't', dtype: 'I8', shape: [4], data: async () => Buffer.alloc(bytes) }]),
      ).rejects.toBeInstanceOf(SafetensorsError)
    }
    expect(readdirSync(folder).filter((name) => name.startsWith('bad'))).toEqual([])
  })
})
