import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dequantize } from './dequantize.js'
import { GgufError } from './gguf-error.js'
import { GGML_TYPES, type GgmlType } from './gguf-format.js'
import { bfloatToFloat, floatToBfloat, floatToHalf, halfToFloat } from './half-floats.js'
import { encodeFloats } from './quantize-tensor.js'

/** The same bytes on every machine and in Python: the top byte of a 32-bit linear congruential generator. */
function pseudoRandom(length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(length)
  let state = seed
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[i] = state >>> 24
  }
  return bytes
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const bytesOf = (values: Float32Array): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength)

/** Type, where the block's half-precision scales stand, and the SHA-256 of the floats that gguf-py 0.19.0 decodes. */
const DECODED: readonly (readonly [GgmlType, readonly number[], string])[] = [
  ['Q8_0', [0], 'a63979b7e7fa7cffd6cadb4d8ede2452edeabf6982dda9ee52f9916f3c811ed6'],
  ['Q4_0', [0], '94d1ffca50db9e833b80d8bc2cfe8085e9695071c5743cc0c2fea0124e17f5da'],
  ['Q4_1', [0, 2], 'a94bc67fcf0105c6add678575e9e659806ba5424f0b586bd4cc36baef1c4e9f8'],
  ['Q5_0', [0], '056745d0642171a0ff272698a20b43f105eab4f342cab5bc8dd3fec2ea60998d'],
  ['Q5_1', [0, 2], '6b43fd2fe7069d761e1ddbf6501b4990e6d18e70fad7a1c6cb1f98a849042a90'],
  ['Q2_K', [80, 82], '5dc57b2712712fcc6a525281d948c6dc9a7e8cf4a7b0d5c3a318e5548288ea8d'],
  ['Q3_K', [108], 'bdf79e6176f34d82211dc16f237b9416420273a4ed101f79b181f3ca7358fcde'],
  ['Q4_K', [0, 2], 'fe4a09bd4154d5038a410b6bd9aa6cb9987306357fd53dd2db59e150b7902048'],
  ['Q5_K', [0, 2], '202f03d7a99140204dadf8b1b0ee3b7a65c3df9dbbd7df95ec984244dc2e50eb'],
  ['Q6_K', [208], 'aba19d636b84b91f1eda480d6fe851e238aaf5c200c556bc1e5e12a5da713e17'],
  ['F16', [0], '4e462eb393d1c531ce6b1348494973dd87204c5edb3ddea4275e8e5a3ef2e62f'],
  ['BF16', [0], 'b8cc1ed195c9e55984ec3d772535c173412ca420092546a885d964a3575fdb58'],
]

/** Type and the SHA-256 of what gguf-py 0.19.0 encodes. */
const ENCODED = [
  ['F16', '002f92ff7d9df19753a4a81de5c36e25e098e0886ad9fa0ab395b89402deefc1'],
  ['BF16', '6295e13166800c085d3fda1395307c9d7876c471fd75eaeeb66413456c30148c'],
  ['Q8_0', '39b52a30de80bfd192135ae84e67b860fb8d5c4c1a74613a94ed21b016870e57'],
] as const

describe('tensor types', () => {
  test.each(DECODED)('%s decodes as in gguf-py', (type, scales, expected) => {
    const { blockBytes, blockElements } = GGML_TYPES[type]
    const blocks = 64 * (256 / blockElements)
    const bytes = pseudoRandom(blocks * blockBytes, 1)
    for (let block = 0; block < blocks; block++) {
      for (const scale of scales) {
        const at = block * blockBytes + scale + 1
        bytes[at] = (bytes[at]! & 0x83) | 0x2c
      }
    }
    expect(sha256(bytesOf(dequantize(type, bytes, 'x')))).toBe(expected)
  })

  test.each(ENCODED)('%s encodes as in gguf-py', (type, expected) => {
    const bytes = pseudoRandom(4 * 32 * 512, 7)
    for (let at = 0; at < bytes.length; at += 4)
      bytes.writeUInt32LE(((bytes.readUInt32LE(at) & 0x83ffffff) | 0x3c000000) >>> 0, at)
    const values = new Float32Array(new Uint8Array(bytes).buffer)
    values.fill(0, 0, 32)
    values.fill(3.5, 32, 64)
    expect(sha256(encodeFloats(type, values))).toBe(expected)
  })

  test('every half and bfloat16 survives the way to float and back', () => {
    for (let bits = 0; bits < 65_536; bits++) {
      if (!Number.isNaN(halfToFloat(bits))) expect(floatToHalf(halfToFloat(bits))).toBe(bits)
      if (!Number.isNaN(bfloatToFloat(bits))) expect(floatToBfloat(bfloatToFloat(bits))).toBe(bits)
    }
    expect(halfToFloat(floatToHalf(Number.NaN))).toBeNaN()
    expect(bfloatToFloat(floatToBfloat(Number.NaN))).toBeNaN()
  })

  test('halves are the nearest there are', () => {
    fc.assert(
      fc.property(fc.float({ min: Math.fround(-65_000), max: Math.fround(65_000), noNaN: true }), (value) => {
        const bits = floatToHalf(value)
        const error = Math.abs(halfToFloat(bits) - value)
        for (const neighbour of [bits - 1, bits + 1]) {
          const other = halfToFloat(neighbour & 0xffff)
          if (Number.isFinite(other)) expect(error).toBeLessThanOrEqual(Math.abs(other - value))
        }
      }),
    )
  })

  test('Q8_0 is within half a step', () => {
    fc.assert(
      fc.property(fc.array(fc.float({ min: -8, max: 8, noNaN: true }), { minLength: 32, maxLength: 32 }), (list) => {
        const values = Float32Array.from(list)
        const back = dequantize('Q8_0', Buffer.from(encodeFloats('Q8_0', values)), 'x')
        const step = Math.max(...list.map(Math.abs)) / 127
        back.forEach((value, i) => {
          expect(Math.abs(value - values[i]!)).toBeLessThanOrEqual(step * 0.6 + 1e-5)
        })
      }),
    )
  })

  test('types without a decoder and partial blocks are typed errors', () => {
    expect(() => dequantize('IQ2_XXS', Buffer.alloc(66), 'x')).toThrow(GgufError)
    expect(() => dequantize('Q4_1', Buffer.alloc(19), 'x')).toThrow(GgufError)
    expect(() => encodeFloats('Q8_0', new Float32Array(31))).toThrow(RangeError)
  })
})
