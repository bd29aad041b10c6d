const scratchFloat = new Float32Array(1)
const scratchBits = new Uint32Array(scratchFloat.buffer)

/** float32 value of each of the 65,536 IEEE half-precision bit patterns. */
const HALF_VALUES: Float32Array = Float32Array.from({ length: 65_536 }, (_, half) => {
  const sign = half & 0x8000 ? -1 : 1
  const exponent = (half >> 10) & 0x1f
  const fraction = half & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
})

/** Value of an IEEE half-precision bit pattern. */
export function halfToFloat(half: number): number {
  return HALF_VALUES[half] as number
}

/** Nearest half-precision bit pattern of a float32 value, ties to even; beyond the range it is infinite, NaN stays NaN. */
export function floatToHalf(value: number): number {
  scratchFloat[0] = value
  const bits = scratchBits[0] as number
  const sign = (bits >>> 16) & 0x8000
  const magnitude = bits & 0x7fffffff
  if (magnitude > 0x7f800000) return sign | 0x7e00 | ((magnitude >> 13) & 0x3ff)
  if (magnitude >= 0x477ff000) return sign | 0x7c00
  if (magnitude < 0x38800000) {
    const scaled = Math.abs(scratchFloat[0] as number) * 2 ** 24
    const floor = Math.floor(scaled)
    const rest = scaled - floor
    return sign | (floor + (rest > 0.5 || (rest === 0.5 && (floor & 1) === 1) ? 1 : 0))
  }
  const rounded = magnitude + 0xfff + ((magnitude >> 13) & 1)
  return sign | ((rounded - 0x38000000) >> 13)
}

/** Value of a bfloat16 bit pattern (the upper half of a float32). */
export function bfloatToFloat(bfloat: number): number {
  scratchBits[0] = bfloat << 16
  return scratchFloat[0] as number
}

/** Nearest bfloat16 bit pattern of a float32 value, ties to even; NaN becomes quiet. */
export function floatToBfloat(value: number): number {
  scratchFloat[0] = value
  const bits = scratchBits[0] as number
  if ((bits & 0x7fffffff) > 0x7f800000) return (bits >>> 16) | 0x40
  return ((bits + 0x7fff + ((bits >>> 16) & 1)) / 65_536) & 0xffff
}
