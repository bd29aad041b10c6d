import type { FileHandle } from 'node:fs/promises'
import { writeAll } from './file-bytes.js'
import { GgufError } from './gguf-error.js'
import {
  align,
  GGML_TYPES,
  GGUF_DEFAULT_ALIGNMENT,
  GGUF_VALUE_TYPES,
  type GgmlType,
  type GgufArray,
  type GgufValue,
  type GgufValueType,
  tensorBytes,
} from './gguf-format.js'
import { passOn, type TensorData, wrongSize } from './tensor-data.js'
import { fillWhole } from './whole-file.js'

/** A tensor to write; `data` is asked for once, when its turn comes, and may stream. */
export interface GgufTensorSource {
  readonly name: string
  readonly type: GgmlType
  /** Fastest-varying dimension first. */
  readonly shape: readonly number[]
  readonly data: TensorData
}

/** What goes into a file, in this order. */
export interface GgufContent {
  readonly metadata: Iterable<readonly [key: string, value: GgufValue]>
  readonly tensors: readonly GgufTensorSource[]
}

/**
 * Writes a GGUF file, version 3, streaming one tensor after the other; as gguf-py lays it out, every tensor padded to the alignment
 * (`general.alignment` or 32). The file appears under its name only when it is complete.
 *
 * @throws GgufError `format` when a tensor's rows are no whole blocks, a source gives another number of bytes than its shape says,
 *   or a key or tensor name occurs twice; errors of the file system as they are.
 */
export async function writeGguf(path: string, content: GgufContent): Promise<void> {
  const metadata = [...content.metadata]
  const alignmentValue = metadata.find(([key]) => key === 'general.alignment')?.[1]
  const alignment = alignmentValue?.type === 'u32' ? alignmentValue.value : GGUF_DEFAULT_ALIGNMENT
  const sizes = content.tensors.map(({ name, type, shape }) => {
    const bytes = tensorBytes(type, shape)
    if (bytes === undefined)
      throw new GgufError('format', path, `rows of ${name} (${shape.join(' × ')}) are no whole blocks of ${type}`)
    return bytes
  })
  refuseRepeats(
    path,
    metadata.map(([key]) => key),
  )
  refuseRepeats(
    path,
    content.tensors.map(({ name }) => name),
  )
  const header = encodeHeader(metadata, content.tensors, sizes, alignment)
  await fillWhole(path, async (handle) => {
    const writer = new BufferedFile(handle)
    await writer.write(header)
    await writer.write(Buffer.alloc(align(header.length, alignment) - header.length))
    for (const [i, { name, data }] of content.tensors.entries()) {
      const size = sizes[i]!
      const written = await passOn(data, size, (chunk) => writer.write(chunk))
      if (written !== size) throw new GgufError('format', path, wrongSize(name, written, size))
      await writer.write(Buffer.alloc(align(size, alignment) - size))
    }
    await writer.flush()
  })
}

function refuseRepeats(path: string, names: readonly string[]): void {
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(name)) throw new GgufError('format', path, `${JSON.stringify(name)} occurs twice`)
    seen.add(name)
  }
}

/** Gathers small writes; large ones go straight through. */
class BufferedFile {
  private pending: Uint8Array[] = []
  private pendingBytes = 0

  constructor(private readonly handle: FileHandle) {}

  async write(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return
    this.pending.push(bytes)
    this.pendingBytes += bytes.length
    if (this.pendingBytes >= 4 << 20) await this.flush()
  }

  async flush(): Promise<void> {
    const whole = this.pending.length === 1 ? this.pending[0]! : Buffer.concat(this.pending)
    this.pending = []
    this.pendingBytes = 0
    await writeAll(this.handle, whole)
  }
}

function encodeHeader(
  metadata: readonly (readonly [string, GgufValue])[],
  tensors: readonly GgufTensorSource[],
  sizes: readonly number[],
  alignment: number,
): Buffer {
  const out = new HeaderBytes()
  out.raw(Buffer.from('GGUF', 'latin1'))
  out.scalar('u32', 3)
  out.scalar('u64', BigInt(tensors.length))
  out.scalar('u64', BigInt(metadata.length))
  for (const [key, value] of metadata) {
    out.string(key)
    out.scalar('u32', GGUF_VALUE_TYPES.indexOf(value.type))
    if (value.type === 'array') out.array(value)
    else out.item(value.type, value.value)
  }
  let offset = 0
  for (const [i, { name, type, shape }] of tensors.entries()) {
    out.string(name)
    out.scalar('u32', shape.length)
    for (const dimension of shape) out.scalar('u64', BigInt(dimension))
    out.scalar('u32', GGML_TYPES[type].id)
    out.scalar('u64', BigInt(offset))
    offset += align(sizes[i]!, alignment)
  }
  return out.done()
}

class HeaderBytes {
  private bytes = Buffer.alloc(1 << 16)
  private length = 0

  raw(bytes: Uint8Array): void {
    this.room(bytes.length)
    this.bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  string(text: string): void {
    const bytes = Buffer.from(text, 'utf8')
    this.scalar('u64', BigInt(bytes.length))
    this.raw(bytes)
  }

  array({ of, items }: GgufArray): void {
    this.scalar('u32', GGUF_VALUE_TYPES.indexOf(of))
    this.scalar('u64', BigInt(items.length))
    for (const item of items) this.item(of, item)
  }

  item(type: GgufValueType, item: number | bigint | boolean | string | GgufArray): void {
    if (type === 'array') this.array(item as GgufArray)
    else if (type === 'string') this.string(item as string)
    else this.scalar(type, item as number | bigint | boolean)
  }

  scalar(type: Exclude<GgufValueType, 'string' | 'array'>, value: number | bigint | boolean): void {
    this.room(8)
    const { bytes, length } = this
    switch (type) {
      case 'u8':
        this.length = bytes.writeUInt8(Number(value), length)
        return
      case 'i8':
        this.length = bytes.writeInt8(Number(value), length)
        return
      case 'bool':
        this.length = bytes.writeUInt8(value === true ? 1 : 0, length)
        return
      case 'u16':
        this.length = bytes.writeUInt16LE(Number(value), length)
        return
      case 'i16':
        this.length = bytes.writeInt16LE(Number(value), length)
        return
      case 'u32':
        this.length = bytes.writeUInt32LE(Number(value), length)
        return
      case 'i32':
        this.length = bytes.writeInt32LE(Number(value), length)
        return
      case 'f32':
        this.length = bytes.writeFloatLE(Number(value), length)
        return
      case 'f64':
        this.length = bytes.writeDoubleLE(Number(value), length)
        return
      case 'u64':
        this.length = bytes.writeBigUInt64LE(BigInt(value), length)
        return
      case 'i64':
        this.length = bytes.writeBigInt64LE(BigInt(value), length)
        return
    }
  }

  done(): Buffer {
    return this.bytes.subarray(0, this.length)
  }

  private room(extra: number): void {
    if (this.length + extra <= this.bytes.length) return
    const grown = Buffer.alloc(Math.max(2 * this.bytes.length, this.length + extra))
    this.bytes.copy(grown, 0, 0, this.length)
    this.bytes = grown
  }
}
