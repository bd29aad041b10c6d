import { GgufError } from './gguf-error.js'
import { GGML_TYPES, type GgmlType } from './gguf-format.js'
import { halfToFloat } from './half-floats.js'

/** Writes the elements of one block, which begins at byte `at`, to `out` from index `to`. */
type BlockDecoder = (bytes: Buffer, at: number, out: Float32Array, to: number) => void

/**
 * Decodes a tensor's bytes to float32, with every rounding as in gguf-py (products and sums in float32).
 *
 * @param file Named in errors.
 * @throws GgufError `unsupported` for types that are not implemented, `format` when the bytes are no whole blocks.
 */
export function dequantize(type: GgmlType, bytes: Buffer, file: string): Float32Array {
  const { blockElements, blockBytes } = GGML_TYPES[type]
  if (bytes.length % blockBytes !== 0)
    throw new GgufError('format', file, `${bytes.length} bytes are no whole blocks of ${type}`)
  if (type === 'F32') return new Float32Array(copyOf(bytes))
  if (type === 'BF16') return widenBfloats(new Uint16Array(copyOf(bytes)))
  if (type === 'F16') return Float32Array.from(new Uint16Array(copyOf(bytes)), halfToFloat)
  const decode = DECODERS[type]
  if (decode === undefined) {
    const known = ['F32', 'F16', 'BF16', ...Object.keys(DECODERS)].join(', ')
    throw new GgufError('unsupported', file, `tensors of type ${type} cannot be decoded; ${known} can`)
  }
  const blocks = bytes.length / blockBytes
  const out = new Float32Array(blocks * blockElements)
  for (let block = 0; block < blocks; block++) decode(bytes, block * blockBytes, out, block * blockElements)
  return out
}

/** A copy whose start is aligned, as typed arrays need it. */
function copyOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}

function widenBfloats(bfloats: Uint16Array): Float32Array {
  const out = new Float32Array(bfloats.length)
  const bits = new Uint32Array(out.buffer)
  for (let i = 0; i < bfloats.length; i++) bits[i] = bfloats[i]! << 16
  return out
}

const half = (bytes: Buffer, at: number): number => halfToFloat(bytes[at]! | (bytes[at + 1]! << 8))
const { fround } = Math

const DECODERS: Partial<Record<GgmlType, BlockDecoder>> = {
  F64: (bytes, at, out, to) => {
    out[to] = bytes.readDoubleLE(at)
  },
  Q8_0: (bytes, at, out, to) => {
    const scale = half(bytes, at)
    for (let i = 0; i < 32; i++) out[to + i] = scale * bytes.readInt8(at + 2 + i)
  },
  Q4_0: (bytes, at, out, to) => {
    const scale = half(bytes, at)
    for (let i = 0; i < 16; i++) {
      const pair = bytes[at + 2 + i]!
      out[to + i] = scale * ((pair & 15) - 8)
      out[to + 16 + i] = scale * ((pair >> 4) - 8)
    }
  },
  Q4_1: (bytes, at, out, to) => {
    const scale = half(bytes, at)
    const least = half(bytes, at + 2)
    for (let i = 0; i < 16; i++) {
      const pair = bytes[at + 4 + i]!
      out[to + i] = fround(scale * (pair & 15)) + least
      out[to + 16 + i] = fround(scale * (pair >> 4)) + least
    }
  },
  Q5_0: (bytes, at, out, to) => {
    const scale = half(bytes, at)
    const high = bytes.readUInt32LE(at + 2)
    for (let i = 0; i < 16; i++) {
      const pair = bytes[at + 6 + i]!
      out[to + i] = scale * (((pair & 15) | (((high >>> i) & 1) << 4)) - 16)
      out[to + 16 + i] = scale * (((pair >> 4) | (((high >>> (i + 16)) & 1) << 4)) - 16)
    }
  },
  Q5_1: (bytes, at, out, to) => {
    const scale = half(bytes, at)
    const least = half(bytes, at + 2)
    const high = bytes.readUInt32LE(at + 4)
    for (let i = 0; i < 16; i++) {
      const pair = bytes[at + 8 + i]!
      out[to + i] = fround(scale * ((pair & 15) | (((high >>> i) & 1) << 4))) + least
      out[to + 16 + i] = fround(scale * ((pair >> 4) | (((high >>> (i + 16)) & 1) << 4))) + least
    }
  },
  Q2_K: (bytes, at, out, to) => {
    const scale = half(bytes, at + 80)
    const leastScale = half(bytes, at + 82)
    for (let i = 0; i < 256; i++) {
      const packed = bytes[at + (i >> 4)]!
      const quant = (bytes[at + 16 + (i >> 7) * 32 + (i & 31)]! >> (2 * ((i >> 5) & 3))) & 3
      out[to + i] = fround(fround(scale * (packed & 15)) * quant) - fround(leastScale * (packed >> 4))
    }
  },
  Q3_K: (bytes, at, out, to) => {
    const scale = half(bytes, at + 108)
    for (let i = 0; i < 256; i++) {
      const group = i >> 4
      const low = (bytes[at + 96 + (group & 7)]! >> (group < 8 ? 0 : 4)) & 15
      const high = (bytes[at + 104 + (group & 3)]! >> (2 * (group >> 2))) & 3
      const quant = (bytes[at + 32 + (i >> 7) * 32 + (i & 31)]! >> (2 * ((i >> 5) & 3))) & 3
      const kept = (bytes[at + (i & 31)]! >> (i >> 5)) & 1
      out[to + i] = fround(scale * ((low | (high << 4)) - 32)) * (quant - (kept ? 0 : 4))
    }
  },
  Q4_K: (bytes, at, out, to) => {
    for (let group = 0; group < 8; group++) {
      const { step, least } = groupScales(bytes, at, group)
      for (let i = 0; i < 32; i++) {
        const quant = (bytes[at + 16 + (group >> 1) * 32 + i]! >> (4 * (group & 1))) & 15
        out[to + group * 32 + i] = fround(step * quant) - least
      }
    }
  },
  Q5_K: (bytes, at, out, to) => {
    for (let group = 0; group < 8; group++) {
      const { step, least } = groupScales(bytes, at, group)
      for (let i = 0; i < 32; i++) {
        const low = (bytes[at + 48 + (group >> 1) * 32 + i]! >> (4 * (group & 1))) & 15
        const high = (bytes[at + 16 + i]! >> group) & 1
        out[to + group * 32 + i] = fround(step * (low | (high << 4))) - least
      }
    }
  },
  Q6_K: (bytes, at, out, to) => {
    const scale = half(bytes, at + 208)
    for (let i = 0; i < 256; i++) {
      const inHalf = i & 127
      const low = (bytes[at + (i >> 7) * 64 + (inHalf & 63)]! >> (inHalf < 64 ? 0 : 4)) & 15
      const high = (bytes[at + 128 + (i >> 7) * 32 + (inHalf & 31)]! >> (2 * (inHalf >> 5))) & 3
      out[to + i] = fround(scale * bytes.readInt8(at + 192 + (i >> 4))) * ((low | (high << 4)) - 32)
    }
  },
}

/** Step and least value of one of the eight groups of a Q4_K or Q5_K block, whose 6-bit factors are packed into 12 bytes. */
function groupScales(bytes: Buffer, at: number, group: number): { step: number; least: number } {
  const packed = at + 4
  const inFour = group & 3
  const first = bytes[packed + inFour]!
  const second = bytes[packed + 4 + inFour]!
  const mixed = bytes[packed + 8 + inFour]!
  const step = group < 4 ? first & 63 : (mixed & 15) | ((first >> 2) & 48)
  const least = group < 4 ? second & 63 : (mixed >> 4) | ((second >> 2) & 48)
  return { step: fround(half(bytes, at) * step), least: fround(half(bytes, at + 2) * least) }
}
