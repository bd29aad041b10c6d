/** A positive or negative finite float as `numerator / 2^power`. */
export interface ExactFloat {
  readonly numerator: bigint
  /** 0 or more. */
  readonly power: number
}

/** The exact value of a finite float. */
export function exactFloat(value: number): ExactFloat {
  let [mantissa, power] = [value, 0]
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2
    power += 1
  }
  return { numerator: BigInt(mantissa), power }
}

/** `math.isqrt(value)`: the largest whole number whose square is not above a value of 0 or more. */
export function wholeRoot(value: bigint): bigint {
  if (value < 2n) return value
  let guess = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (;;) {
    const next = (guess + value / guess) >> 1n
    if (next >= guess) return guess
    guess = next
  }
}

/** Number of bits of a whole number of 0 or more; 0 has none. */
export function bitLength(value: bigint): number {
  return value === 0n ? 0 : value.toString(2).length
}
