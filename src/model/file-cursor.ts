import { readSync } from 'node:fs'

const CHUNK = 1 << 20

/** Thrown by a cursor when a read would pass the end of the file; readers turn it into their own error. */
export class PastEndError extends Error {
  override readonly name = 'PastEndError'

  /** @param offset Where the read began. @param length Bytes it asked for. @param size Bytes in the file. */
  constructor(
    readonly offset: number,
    readonly length: number | bigint,
    readonly size: number,
  ) {
    super(`${length} bytes at offset ${offset} pass the end at ${size}`)
  }
}

/**
 * Sequential little-endian reading of a file's header. Holds one chunk; every length is compared with the size of the file before
 * anything is allocated.
 */
export class FileCursor {
  private chunk = Buffer.alloc(0)
  private chunkStart = 0
  private position = 0

  constructor(
    private readonly descriptor: number,
    private readonly size: number,
  ) {}

  /** Offset of the next byte. */
  get offset(): number {
    return this.position
  }

  /** Bytes that remain. */
  get remaining(): number {
    return this.size - this.position
  }

  /** The next bytes; valid until the next call. @throws PastEndError */
  take(length: number): Buffer {
    const start = this.position
    if (length > this.remaining) throw new PastEndError(start, length, this.size)
    const inside = start - this.chunkStart
    if (inside + length > this.chunk.length) this.fill(start, length)
    this.position = start + length
    return this.chunk.subarray(start - this.chunkStart, start - this.chunkStart + length)
  }

  private fill(start: number, length: number): void {
    const wanted = Math.min(Math.max(length, CHUNK), this.size - start)
    const chunk = Buffer.allocUnsafe(wanted)
    let filled = 0
    while (filled < wanted) {
      const got = readSync(this.descriptor, chunk, filled, wanted - filled, start + filled)
      if (got === 0) throw new PastEndError(start + filled, wanted - filled, start + filled)
      filled += got
    }
    this.chunk = chunk
    this.chunkStart = start
  }

  /** Unsigned 32-bit integer. @throws PastEndError */
  u32(): number {
    return this.take(4).readUInt32LE(0)
  }

  /** Unsigned 64-bit integer. @throws PastEndError */
  u64(): bigint {
    return this.take(8).readBigUInt64LE(0)
  }

  /**
   * A 64-bit count of things of at least `unit` bytes each that follow.
   * @throws PastEndError when so many cannot fit into the rest of the file.
   */
  count(unit: number): number {
    const start = this.position
    const count = this.u64()
    if (count * BigInt(unit) > BigInt(this.remaining)) throw new PastEndError(start, count * BigInt(unit), this.size)
    return Number(count)
  }
}
