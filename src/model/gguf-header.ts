import { closeSync, fstatSync, openSync } from 'node:fs'
import { FileCursor, PastEndError } from './file-cursor.js'
import { GgufError } from './gguf-error.js'
import {
  align,
  GGML_TYPE_BY_ID,
  GGUF_DEFAULT_ALIGNMENT,
  GGUF_SCALAR_BYTES,
  GGUF_VALUE_TYPES,
  type GgufArray,
  type GgufTensorInfo,
  type GgufValue,
  type GgufValueType,
  tensorBytes,
} from './gguf-format.js'

const MOST_DIMENSIONS = 4
const DEEPEST_ARRAY = 4

/** What stands before the tensors' data: metadata and the list of tensors, in the order of the file. */
export interface GgufHeader {
  readonly version: number
  readonly metadata: ReadonlyMap<string, GgufValue>
  /** By name; offsets count from the beginning of the file. */
  readonly tensors: ReadonlyMap<string, GgufTensorInfo>
}

/**
 * Reads a header (GGUF 2 or 3, little-endian) and checks it against the size of the file, which comes too, in bytes.
 * @throws GgufError; errors of the file system as they are.
 */
export function readHeader(path: string): { header: GgufHeader; size: number } {
  const descriptor = openSync(path, 'r')
  try {
    const { size } = fstatSync(descriptor)
    return { header: parseHeader(path, new FileCursor(descriptor, size), size), size }
  } catch (cause) {
    if (cause instanceof PastEndError) {
      throw new GgufError(
        'truncated',
        path,
        `${cause.message}; the file is cut short or its header lies: download it again`,
      )
    }
    throw cause
  } finally {
    closeSync(descriptor)
  }
}

function parseHeader(path: string, cursor: FileCursor, size: number): GgufHeader {
  if (cursor.remaining < 4 || cursor.take(4).toString('latin1') !== 'GGUF') {
    throw new GgufError('format', path, 'this is no GGUF file (it does not begin with GGUF)')
  }
  const version = cursor.u32()
  if (version !== 2 && version !== 3) {
    const swapped = version > 0xffff
    throw new GgufError(
      'unsupported',
      path,
      swapped ? 'big-endian GGUF files are not supported' : `GGUF version ${version}; 2 and 3 are supported`,
    )
  }
  const tensorCount = cursor.count(24)
  const valueCount = cursor.count(13)
  const metadata = new Map<string, GgufValue>()
  for (let i = 0; i < valueCount; i++) {
    const key = readString(cursor)
    if (metadata.has(key)) throw new GgufError('format', path, `key ${JSON.stringify(key)} occurs twice`)
    metadata.set(key, readValue(path, cursor, readType(path, cursor, key), key))
  }
  const alignment = readAlignment(path, metadata)
  const relative: GgufTensorInfo[] = []
  for (let i = 0; i < tensorCount; i++) relative.push(readTensorInfo(path, cursor, alignment))
  const dataStart = align(cursor.offset, alignment)
  const tensors = new Map<string, GgufTensorInfo>()
  for (const info of relative) {
    if (tensors.has(info.name)) throw new GgufError('format', path, `tensor ${JSON.stringify(info.name)} occurs twice`)
    const placed = { ...info, offset: dataStart + info.offset }
    if (placed.offset + placed.bytes > size) {
      throw new GgufError(
        'truncated',
        path,
        `tensor ${info.name} ends at ${placed.offset + placed.bytes}, the file at ${size}: download it again`,
      )
    }
    tensors.set(info.name, placed)
  }
  refuseOverlaps(path, [...tensors.values()])
  return { version, metadata, tensors }
}

function refuseOverlaps(path: string, tensors: GgufTensorInfo[]): void {
  tensors.sort((a, b) => a.offset - b.offset || a.bytes - b.bytes)
  for (let i = 1; i < tensors.length; i++) {
    const before = tensors[i - 1]!
    if (before.offset + before.bytes > tensors[i]!.offset) {
      throw new GgufError('format', path, `tensors ${before.name} and ${tensors[i]!.name} overlap`)
    }
  }
}

function readAlignment(path: string, metadata: ReadonlyMap<string, GgufValue>): number {
  const value = metadata.get('general.alignment')
  if (value === undefined) return GGUF_DEFAULT_ALIGNMENT
  const alignment = value.type === 'u32' ? value.value : 0
  if (alignment === 0 || (alignment & (alignment - 1)) !== 0 || alignment > 2 ** 30) {
    throw new GgufError('format', path, 'general.alignment is no power of two (u32)')
  }
  return alignment
}

function readTensorInfo(path: string, cursor: FileCursor, alignment: number): GgufTensorInfo {
  const name = readString(cursor)
  const dimensions = cursor.u32()
  if (dimensions > MOST_DIMENSIONS)
    throw new GgufError('format', path, `tensor ${JSON.stringify(name)} has ${dimensions} dimensions`)
  const shape: number[] = []
  let elements = 1n
  for (let i = 0; i < dimensions; i++) {
    const dimension = cursor.u64()
    elements *= dimension
    if (dimension === 0n || elements > BigInt(2 ** 48)) {
      throw new GgufError('format', path, `tensor ${JSON.stringify(name)} has an impossible shape`)
    }
    shape.push(Number(dimension))
  }
  const typeId = cursor.u32()
  const type = GGML_TYPE_BY_ID.get(typeId)
  if (type === undefined)
    throw new GgufError('unsupported', path, `tensor ${JSON.stringify(name)} has unknown type ${typeId}`)
  const bytes = tensorBytes(type, shape)
  if (bytes === undefined)
    throw new GgufError('format', path, `rows of ${JSON.stringify(name)} are no whole blocks of ${type}`)
  const offset = cursor.u64()
  if (offset % BigInt(alignment) !== 0n || offset > BigInt(2 ** 52)) {
    throw new GgufError(
      'format',
      path,
      `tensor ${JSON.stringify(name)} has the misaligned or impossible offset ${offset}`,
    )
  }
  return { name, type, shape, offset: Number(offset), bytes }
}

function readString(cursor: FileCursor): string {
  return cursor.take(cursor.count(1)).toString('utf8')
}

function readType(path: string, cursor: FileCursor, key: string): GgufValueType {
  const id = cursor.u32()
  const type = GGUF_VALUE_TYPES[id]
  if (type === undefined) throw new GgufError('format', path, `value of ${JSON.stringify(key)} has unknown type ${id}`)
  return type
}

function readValue(path: string, cursor: FileCursor, type: GgufValueType, key: string, depth = 0): GgufValue {
  if (type === 'array') return readArray(path, cursor, key, depth)
  if (type === 'string') return { type, value: readString(cursor) }
  return { type, value: readScalar(path, cursor.take(GGUF_SCALAR_BYTES[type]), 0, type, key) } as GgufValue
}

function readArray(path: string, cursor: FileCursor, key: string, depth: number): GgufArray {
  if (depth >= DEEPEST_ARRAY)
    throw new GgufError('format', path, `arrays of ${JSON.stringify(key)} are nested too deep`)
  const of = readType(path, cursor, key)
  if (of === 'array') {
    const count = cursor.count(12)
    const items: GgufArray[] = []
    for (let i = 0; i < count; i++) items.push(readArray(path, cursor, key, depth + 1))
    return { type: 'array', of, items }
  }
  if (of === 'string') {
    const count = cursor.count(8)
    const items: string[] = []
    for (let i = 0; i < count; i++) items.push(readString(cursor))
    return { type: 'array', of, items }
  }
  const unit = GGUF_SCALAR_BYTES[of]
  const count = cursor.count(unit)
  const items: (number | bigint | boolean)[] = []
  for (let left = count; left > 0; ) {
    const now = Math.min(left, 65_536)
    const bytes = cursor.take(now * unit)
    for (let i = 0; i < now; i++) items.push(readScalar(path, bytes, i * unit, of, key))
    left -= now
  }
  return { type: 'array', of, items }
}

function readScalar(
  path: string,
  bytes: Buffer,
  at: number,
  type: Exclude<GgufValueType, 'string' | 'array'>,
  key: string,
): number | bigint | boolean {
  switch (type) {
    case 'u8':
      return bytes.readUInt8(at)
    case 'i8':
      return bytes.readInt8(at)
    case 'u16':
      return bytes.readUInt16LE(at)
    case 'i16':
      return bytes.readInt16LE(at)
    case 'u32':
      return bytes.readUInt32LE(at)
    case 'i32':
      return bytes.readInt32LE(at)
    case 'f32':
      return bytes.readFloatLE(at)
    case 'f64':
      return bytes.readDoubleLE(at)
    case 'u64':
      return bytes.readBigUInt64LE(at)
    case 'i64':
      return bytes.readBigInt64LE(at)
    case 'bool': {
      const value = bytes.readUInt8(at)
      if (value > 1) throw new GgufError('format', path, `a truth value of ${JSON.stringify(key)} is ${value}`)
      return value === 1
    }
  }
}
