import { createHash } from 'node:crypto'

/**
 * Seeded choices. Streams are named: `draw.of('mail')` is the same whatever was drawn elsewhere, so that adding a person
 * to the generator does not move every appointment. Generator: sfc32 (Chris Doty-Humphrey, PractRand, public domain),
 * seeded from SHA-256 of the name.
 */
export class Draw {
  private state: [number, number, number, number]

  constructor(readonly seed: string) {
    const hash = createHash('sha256').update(seed).digest()
    this.state = [hash.readUInt32LE(0), hash.readUInt32LE(4), hash.readUInt32LE(8), hash.readUInt32LE(12) | 1]
  }

  /** An independent stream. */
  of(name: string): Draw {
    return new Draw(`${this.seed}/${name}`)
  }

  /** Uniform in [0, 1). */
  unit(): number {
    let [a, b, c, d] = this.state
    const t = (a + b + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + t
    this.state = [a, b, c | 0, d]
    return (t >>> 0) / 4294967296
  }

  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.unit() * (high - low + 1))
  }

  /** One of a list. @throws {RangeError} when it is empty */
  one<T>(list: readonly T[]): T {
    const picked = list[Math.floor(this.unit() * list.length)]
    if (picked === undefined) throw new RangeError('nothing to choose from')
    return picked
  }

  /** `n` different ones of a list, in drawn order. @throws {RangeError} when there are fewer */
  some<T>(list: readonly T[], n: number): T[] {
    if (n > list.length) throw new RangeError(`${n} of ${list.length} cannot be chosen`)
    const rest = [...list]
    return Array.from({ length: n }, () => rest.splice(Math.floor(this.unit() * rest.length), 1)[0] as T)
  }
}
