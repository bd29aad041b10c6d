import { type FileHandle, open } from 'node:fs/promises'
import { z } from 'zod'
import { dequantize } from './dequantize.js'
import { readRange } from './file-bytes.js'
import { SafetensorsError } from './safetensors-error.js'

/** Bytes of one element of each type that the format names. */
export const SAFETENSORS_BYTES = {
  F64: 8,
  F32: 4,
  F16: 2,
  BF16: 2,
  F8_E4M3: 1,
  F8_E5M2: 1,
  I64: 8,
  I32: 4,
  I16: 2,
  I8: 1,
  U64: 8,
  U32: 4,
  U16: 2,
  U8: 1,
  BOOL: 1,
} as const

/** Element type of a safetensors tensor. */
export type SafetensorsType = keyof typeof SAFETENSORS_BYTES

/** Where a tensor is and what it holds. */
export interface SafetensorsInfo {
  readonly name: string
  readonly dtype: SafetensorsType
  /** Dimensions as PyTorch writes them: the slowest-varying first. */
  readonly shape: readonly number[]
  /** Absolute offset in its file. */
  readonly offset: number
  readonly bytes: number
}

/** The format's own bound on the length of the header. */
const LONGEST_HEADER = 100_000_000

const entrySchema = z.strictObject({
  dtype: z.string(),
  shape: z.array(z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER)).max(16),
  data_offsets: z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()]),
})
const metadataSchema = z.record(z.string(), z.string())

/**
 * A safetensors file: header at once, tensors on demand by ranges. The header is checked against the size of the file, and tensors
 * must fill the data without holes or overlaps, as the format asks.
 */
export class SafetensorsFile {
  private constructor(
    readonly path: string,
    /** Tensors by name, in the order of the header. */
    readonly tensors: ReadonlyMap<string, SafetensorsInfo>,
    /** The header's free-form texts. */
    readonly metadata: Readonly<Record<string, string>>,
    private readonly handle: FileHandle,
  ) {}

  /** Opens a file and reads its header. @throws SafetensorsError; errors of the file system as they are. */
  static async open(path: string): Promise<SafetensorsFile> {
    const handle = await open(path)
    try {
      const { size } = await handle.stat()
      const header = await readHeader(path, handle, size)
      return new SafetensorsFile(path, header.tensors, header.metadata, handle)
    } catch (cause) {
      await handle.close()
      throw cause
    }
  }

  /** Where a tensor is. @throws SafetensorsError `missing` when there is none of this name. */
  tensor(name: string): SafetensorsInfo {
    const info = this.tensors.get(name)
    if (info === undefined) throw new SafetensorsError('missing', this.path, `no tensor ${name}`)
    return info
  }

  /** Raw bytes of a tensor from `start` (default all). @throws SafetensorsError `missing`, `truncated`. */
  async read(name: string, start = 0, length = this.tensor(name).bytes - start): Promise<Buffer> {
    const { offset, bytes } = this.tensor(name)
    if (start < 0 || length < 0 || start + length > bytes) {
      throw new RangeError(`bytes ${start}+${length} of ${name}, which has ${bytes}`)
    }
    const buffer = await readRange(this.handle, offset + start, length)
    if (buffer === undefined) throw new SafetensorsError('truncated', this.path, `the file ends inside ${name}`)
    return buffer
  }

  /**
   * Elements of a tensor as float32, `count` of them from `start` (default all).
   * @throws SafetensorsError `unsupported` for integer and 8-bit types.
   */
  async floats(name: string, start = 0, count?: number): Promise<Float32Array> {
    const { dtype, bytes } = this.tensor(name)
    if (dtype !== 'F32' && dtype !== 'F16' && dtype !== 'BF16' && dtype !== 'F64') {
      throw new SafetensorsError(
        'unsupported',
        this.path,
        `${name} is ${dtype}; only F64, F32, F16 and BF16 are read as numbers`,
      )
    }
    const unit = SAFETENSORS_BYTES[dtype]
    return dequantize(dtype, await this.read(name, start * unit, (count ?? bytes / unit - start) * unit), this.path)
  }

  async close(): Promise<void> {
    await this.handle.close()
  }
}

async function readHeader(
  path: string,
  handle: FileHandle,
  size: number,
): Promise<{ tensors: Map<string, SafetensorsInfo>; metadata: Record<string, string> }> {
  const prefix = Buffer.alloc(8)
  const { bytesRead } = await handle.read(prefix, 0, 8, 0)
  if (bytesRead < 8) throw new SafetensorsError('truncated', path, 'shorter than the length of its header')
  const length = prefix.readBigUInt64LE(0)
  if (length > BigInt(LONGEST_HEADER))
    throw new SafetensorsError('format', path, `announces a header of ${length} bytes`)
  if (Number(length) > size - 8)
    throw new SafetensorsError('truncated', path, `its header of ${length} bytes passes the end`)
  const text = Buffer.alloc(Number(length))
  const got = await handle.read(text, 0, text.length, 8)
  if (got.bytesRead < text.length) throw new SafetensorsError('truncated', path, 'the file ends inside its header')
  let header: unknown
  try {
    header = JSON.parse(text.toString('utf8'))
  } catch {
    throw new SafetensorsError('format', path, 'its header is not JSON')
  }
  if (typeof header !== 'object' || header === null || Array.isArray(header)) {
    throw new SafetensorsError('format', path, 'its header is no JSON object')
  }
  const dataStart = 8 + text.length
  const tensors = new Map<string, SafetensorsInfo>()
  let metadata: Record<string, string> = {}
  for (const [name, value] of Object.entries(header)) {
    if (name === '__metadata__') {
      const parsed = metadataSchema.safeParse(value)
      if (!parsed.success) throw new SafetensorsError('format', path, '__metadata__ holds something else than texts')
      metadata = parsed.data
    } else tensors.set(name, readEntry(path, name, value, dataStart, size))
  }
  refuseHoles(path, [...tensors.values()], dataStart, size)
  return { tensors, metadata }
}

function readEntry(path: string, name: string, value: unknown, dataStart: number, size: number): SafetensorsInfo {
  const parsed = entrySchema.safeParse(value)
  if (!parsed.success)
    throw new SafetensorsError('format', path, `entry of ${JSON.stringify(name)}: ${z.prettifyError(parsed.error)}`)
  const { dtype, shape, data_offsets } = parsed.data
  if (!isType(dtype))
    throw new SafetensorsError('unsupported', path, `${JSON.stringify(name)} has unknown type ${dtype}`)
  const bytes = data_offsets[1] - data_offsets[0]
  const expected = shape.reduce((product, dimension) => product * dimension, SAFETENSORS_BYTES[dtype] as number)
  if (bytes !== expected) {
    throw new SafetensorsError(
      'format',
      path,
      `${JSON.stringify(name)} has ${bytes} bytes where ${dtype} × [${shape.join(', ')}] needs ${expected}`,
    )
  }
  if (dataStart + data_offsets[1] > size)
    throw new SafetensorsError('truncated', path, `${JSON.stringify(name)} passes the end`)
  return { name, dtype, shape, offset: dataStart + data_offsets[0], bytes }
}

function isType(dtype: string): dtype is SafetensorsType {
  return Object.hasOwn(SAFETENSORS_BYTES, dtype)
}

function refuseHoles(path: string, tensors: SafetensorsInfo[], dataStart: number, size: number): void {
  let end = dataStart
  for (const { name, offset, bytes } of tensors.sort((a, b) => a.offset - b.offset || a.bytes - b.bytes)) {
    if (offset !== end)
      throw new SafetensorsError('format', path, `${JSON.stringify(name)} overlaps another tensor or follows a hole`)
    end = offset + bytes
  }
  if (end !== size)
    throw new SafetensorsError('format', path, `${size - end} bytes after the last tensor belong to nothing`)
}
