import { type FileHandle, open } from 'node:fs/promises'
import { dequantize } from './dequantize.js'
import { readRange } from './file-bytes.js'
import { GgufError } from './gguf-error.js'
import { GGML_TYPES, type GgufArray, type GgufTensorInfo, type GgufValue } from './gguf-format.js'
import { type GgufHeader, readHeader } from './gguf-header.js'

/**
 * A GGUF file (version 2 or 3, little-endian): metadata at once, tensors on demand by ranges.
 * Everything in the header is checked against the size of the file before it is believed.
 */
export class GgufFile {
  private constructor(
    readonly path: string,
    /** Bytes of the file. */
    readonly size: number,
    private readonly header: GgufHeader,
    private readonly handle: FileHandle,
  ) {}

  /** Opens a file and reads its header. @throws GgufError; errors of the file system as they are. */
  static async open(path: string): Promise<GgufFile> {
    const { header, size } = readHeader(path)
    return new GgufFile(path, size, header, await open(path))
  }

  /** Version of the format, 2 or 3. */
  get version(): number {
    return this.header.version
  }

  /** Metadata in the order of the file. */
  get metadata(): ReadonlyMap<string, GgufValue> {
    return this.header.metadata
  }

  /** Tensors by name, in the order of the file. */
  get tensors(): ReadonlyMap<string, GgufTensorInfo> {
    return this.header.tensors
  }

  /** A text from the metadata, or undefined when the key is absent. @throws GgufError `format` when it holds something else. */
  text(key: string): string | undefined {
    const value = this.metadata.get(key)
    if (value === undefined) return undefined
    if (value.type !== 'string')
      throw new GgufError('format', this.path, `${key} is ${value.type} where a string belongs`)
    return value.value
  }

  /** A number from the metadata, or undefined when the key is absent. @throws GgufError `format` when it holds something else. */
  number(key: string): number | undefined {
    const value = this.metadata.get(key)
    if (value === undefined) return undefined
    if (value.type === 'string' || value.type === 'bool' || value.type === 'array') {
      throw new GgufError('format', this.path, `${key} is ${value.type} where a number belongs`)
    }
    return Number(value.value)
  }

  /** An array from the metadata, or undefined when the key is absent. @throws GgufError `format` when it holds something else. */
  array(key: string): GgufArray | undefined {
    const value = this.metadata.get(key)
    if (value === undefined) return undefined
    if (value.type !== 'array')
      throw new GgufError('format', this.path, `${key} is ${value.type} where an array belongs`)
    return value
  }

  /** Where a tensor is. @throws GgufError `missing` when there is none of this name. */
  tensor(name: string): GgufTensorInfo {
    const info = this.tensors.get(name)
    if (info === undefined) throw new GgufError('missing', this.path, `no tensor ${name}`)
    return info
  }

  /** Raw bytes of a tensor from `start` (default all). @throws GgufError `missing`, or `truncated` when the file has shrunk. */
  async read(name: string, start = 0, length = this.tensor(name).bytes - start): Promise<Buffer> {
    const { offset, bytes } = this.tensor(name)
    if (start < 0 || length < 0 || start + length > bytes)
      throw new RangeError(`bytes ${start}+${length} of ${name}, which has ${bytes}`)
    const buffer = await readRange(this.handle, offset + start, length)
    if (buffer === undefined) throw new GgufError('truncated', this.path, `the file ends inside ${name}`)
    return buffer
  }

  /** Raw bytes of a tensor in pieces of at most `most` bytes. */
  async *chunks(name: string, most = 4 << 20): AsyncGenerator<Buffer> {
    const { bytes } = this.tensor(name)
    for (let start = 0; start < bytes; start += most) yield await this.read(name, start, Math.min(most, bytes - start))
  }

  /**
   * Elements of a tensor as float32, dequantised: `count` of them from `start` (default all), both whole blocks of the type.
   * @throws GgufError `unsupported` for types that are not implemented; RangeError for partial blocks.
   */
  async floats(name: string, start = 0, count?: number): Promise<Float32Array> {
    const { type, bytes } = this.tensor(name)
    const { blockElements, blockBytes } = GGML_TYPES[type]
    const wanted = count ?? (bytes / blockBytes) * blockElements - start
    if (start % blockElements !== 0 || wanted % blockElements !== 0) {
      throw new RangeError(`elements ${start}+${wanted} of ${name} are no whole blocks of ${type}`)
    }
    const raw = await this.read(name, (start / blockElements) * blockBytes, (wanted / blockElements) * blockBytes)
    return dequantize(type, raw, this.path)
  }

  /** Closes the file; reads after it fail. */
  async close(): Promise<void> {
    await this.handle.close()
  }
}
