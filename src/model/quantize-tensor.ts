import { floatToBfloat, floatToHalf } from './half-floats.js'

/** Tensor types that can be written here. */
export type WritableType = 'F32' | 'F16' | 'BF16' | 'Q8_0'

/** Elements of a Q8_0 block, and its bytes: a half-precision scale and 32 signed bytes. */
const Q8_ELEMENTS = 32
const Q8_BYTES = 34

/**
 * Encodes float32 values as a tensor type, bit for bit as ggml's reference does.
 *
 * @throws RangeError when Q8_0 is asked for a number of values that is no multiple of 32.
 */
export function encodeFloats(type: WritableType, values: Float32Array): Uint8Array {
  switch (type) {
    case 'F32':
      return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
    case 'F16':
      return bytesOf(Uint16Array.from(values, floatToHalf))
    case 'BF16':
      return bytesOf(Uint16Array.from(values, floatToBfloat))
    case 'Q8_0':
      return encodeQ8(values)
  }
}

function bytesOf(words: Uint16Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength)
}

function encodeQ8(values: Float32Array): Uint8Array {
  if (values.length % Q8_ELEMENTS !== 0) throw new RangeError(`${values.length} values are no whole blocks of Q8_0`)
  const out = new Uint8Array((values.length / Q8_ELEMENTS) * Q8_BYTES)
  for (let block = 0, at = 0; at < values.length; block++, at += Q8_ELEMENTS) {
    let largest = 0
    for (let i = 0; i < Q8_ELEMENTS; i++) largest = Math.max(largest, Math.abs(values[at + i]!))
    const scale = Math.fround(largest / 127)
    const inverse = scale === 0 ? 0 : Math.fround(1 / scale)
    const half = floatToHalf(scale)
    const to = block * Q8_BYTES
    out[to] = half & 0xff
    out[to + 1] = half >> 8
    for (let i = 0; i < Q8_ELEMENTS; i++) {
      const scaled = Math.fround(values[at + i]! * inverse)
      out[to + 2 + i] = scaled < 0 ? -roundHalfUp(-scaled) : roundHalfUp(scaled)
    }
  }
  return out
}

/** Rounds halves away from zero, as C's roundf does, for values that are not negative. */
function roundHalfUp(value: number): number {
  const floor = Math.floor(value)
  return value - floor >= 0.5 ? floor + 1 : floor
}
