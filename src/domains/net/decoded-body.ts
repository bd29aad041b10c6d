import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, constants as zlib } from 'node:zlib'
import { asNetError, NetError } from './net-error.js'

/** What was read of a body, and why it is not all. */
export interface DecodedBody {
  readonly bytes: Uint8Array
  /** `size`: longer than allowed. `time`: too slow. `dropped`: the connection ended early, or its packing was damaged. */
  readonly cut: 'size' | 'time' | 'dropped' | undefined
}

/** How much is read. */
export interface BodyLimits {
  /** Bytes over the wire, and bytes after unpacking; each at most this many. */
  readonly bytes: number
  /** What happens to a body that is too long, too slow or broken off: the beginning is kept, or it fails. */
  readonly overflow: 'cut' | 'fail'
}

/** A decoder of one content coding (RFC 9110 section 8.4.1); `deflate` is with or without zlib's frame in practice. */
function decoder(coding: string, first: number): Transform | undefined {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip({ finishFlush: zlib.Z_SYNC_FLUSH })
  if (coding === 'br') return createBrotliDecompress({ finishFlush: zlib.BROTLI_OPERATION_FLUSH })
  if (coding === 'deflate')
    return (first & 0x0f) === 8
      ? createInflate({ finishFlush: zlib.Z_SYNC_FLUSH })
      : createInflateRaw({ finishFlush: zlib.Z_SYNC_FLUSH })
  return undefined
}

/** Codings in the order in which they must be taken off. */
export function codings(header: string | undefined): readonly string[] {
  return (header ?? '')
    .split(',')
    .map((c) => c.trim().toLowerCase())
    .filter((c) => c !== '' && c !== 'identity')
    .reverse()
}

const tooLong = (host: string, bytes: number): NetError =>
  new NetError(
    'too-large',
    host,
    `What ${host} sends is larger than ${Math.round(bytes / 1000)} kB, the most that is read.`,
  )

/**
 * Reads a body, unpacking while it comes, never holding more than the limit: a small file that unpacks into gigabytes is
 * left off as soon as the limit is reached. Whatever happens, the stream is destroyed at the end.
 * @param signal ends the reading; with `overflow: 'cut'` a timeout keeps what has come
 * @throws NetError
 */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  host: string,
  limits: BodyLimits,
  signal: AbortSignal,
): Promise<DecodedBody> {
  const chunks: Uint8Array[] = []
  let size = 0
  let wire = 0
  const steps: Transform[] = []
  const keep = limits.overflow === 'cut'
  const all = (cut: DecodedBody['cut']): DecodedBody => ({ bytes: Buffer.concat(chunks), cut })
  const take = (chunk: Uint8Array): boolean => {
    const room = limits.bytes - size
    const part = chunk.length > room ? chunk.subarray(0, room) : chunk
    chunks.push(part)
    size += part.length
    return part.length === chunk.length
  }
  const end = (error?: Error): void => {
    for (const step of steps) step.destroy()
    body.destroy(error)
  }
  const stop = (): void => end(signal.reason instanceof Error ? signal.reason : new Error('stopped'))
  const wanted = codings(encoding)
  if (wanted.length > 2 || wanted.some((c) => decoder(c, 0) === undefined)) {
    body.on('error', () => undefined)
    end()
    throw new NetError('encoding', host, `${host} packs the page in a way that is not known here.`)
  }
  let overWire = false
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      wire += chunk.length
      yield chunk
      if (wire > limits.bytes) {
        overWire = true
        return
      }
    }
  }
  signal.addEventListener('abort', stop)
  try {
    signal.throwIfAborted()
    let source: AsyncIterable<Buffer> = counted()
    for (const coding of wanted) source = unpack(source, coding, steps)
    for await (const chunk of source) {
      if (take(chunk)) continue
      if (keep) return all('size')
      throw tooLong(host, limits.bytes)
    }
    if (!overWire) return all(undefined)
    if (keep) return all('size')
    throw tooLong(host, limits.bytes)
  } catch (error) {
    if (signal.aborted) {
      if (keep && size > 0 && signal.reason instanceof NetError && signal.reason.code === 'timeout') return all('time')
      throw signal.reason
    }
    if (error instanceof NetError) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const packing = /^(?:Z_|ERR__ERROR_|ERR_BROTLI|ERR_PADDING|ERR__)/.test(code)
    if (keep && size > 0) return all('dropped')
    throw packing
      ? new NetError('encoding', host, `The packed page of ${host} is damaged.`, undefined, { cause: error })
      : asNetError(error, host)
  } finally {
    signal.removeEventListener('abort', stop)
    body.on('error', () => undefined)
    end()
  }
}

/** Waits until a stream takes more, or takes nothing ever again. */
function drained(step: Transform): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      step.off('drain', go)
      step.off('close', go)
      resolve()
    }
    step.on('drain', go)
    step.on('close', go)
    if (step.destroyed) go()
  })
}

/** Takes one coding off, pulling: nothing is unpacked that nobody reads. */
async function* unpack(source: AsyncIterable<Buffer>, coding: string, steps: Transform[]): AsyncGenerator<Buffer> {
  const input = source[Symbol.asyncIterator]()
  const begin = await input.next()
  if (begin.done) return
  const step = decoder(coding, begin.value[0] ?? 0)
  if (!step) return
  steps.push(step)
  const feed = async (): Promise<void> => {
    for (let part: IteratorResult<Buffer> = begin; !part.done; part = await input.next())
      if (!step.write(part.value)) await drained(step)
    step.end()
  }
  // A failure of the source must reach whoever reads the unpacked end.
  feed().catch((error: unknown) => step.destroy(error instanceof Error ? error : new Error(String(error))))
  for await (const chunk of step as AsyncIterable<Buffer>) yield chunk
}
