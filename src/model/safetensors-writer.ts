import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAll } from './file-bytes.js'
import { SafetensorsError } from './safetensors-error.js'
import { SAFETENSORS_BYTES, type SafetensorsType } from './safetensors-reader.js'
import { passOn, type TensorData, wrongSize } from './tensor-data.js'
import { fillWhole, writeWhole } from './whole-file.js'

/** A tensor to write; `data` is asked for once, when its turn comes, and may stream. */
export interface SafetensorsSource {
  readonly name: string
  readonly dtype: SafetensorsType
  /** Slowest-varying dimension first. */
  readonly shape: readonly number[]
  readonly data: TensorData
}

/**
 * Writes one safetensors file, streaming the tensors in the given order. It appears under its name only when it is complete.
 * `metadata` defaults to what transformers asks for (`format: pt`).
 *
 * @throws SafetensorsError `format` when a source gives another number of bytes than its shape says or a name occurs twice.
 */
export async function writeSafetensors(
  path: string,
  tensors: readonly SafetensorsSource[],
  metadata: Readonly<Record<string, string>> = { format: 'pt' },
): Promise<void> {
  await fillWhole(path, async (handle) => {
    await writeAll(handle, encodeHeader(path, tensors, metadata))
    for (const tensor of tensors) {
      const size = bytesOf(tensor)
      const written = await passOn(tensor.data, size, (chunk) => writeAll(handle, chunk))
      if (written !== size) throw new SafetensorsError('format', path, wrongSize(tensor.name, written, size))
    }
  })
}

/**
 * Writes a checkpoint as transformers lays it out: one `model.safetensors`, or shards of at most `shardBytes` with an index.
 *
 * @returns names of the files written.
 * @throws SafetensorsError as `writeSafetensors`.
 */
export async function writeCheckpoint(
  folder: string,
  tensors: readonly SafetensorsSource[],
  { shardBytes = 5e9, stem = 'model' }: { readonly shardBytes?: number; readonly stem?: string } = {},
): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const shards: SafetensorsSource[][] = [[]]
  let filled = 0
  for (const tensor of tensors) {
    const bytes = bytesOf(tensor)
    if (filled + bytes > shardBytes && filled > 0) {
      shards.push([])
      filled = 0
    }
    shards.at(-1)!.push(tensor)
    filled += bytes
  }
  if (shards.length === 1) {
    await writeSafetensors(join(folder, `${stem}.safetensors`), tensors)
    return [`${stem}.safetensors`]
  }
  const number = (i: number): string => String(i).padStart(5, '0')
  const files = shards.map((_, i) => `${stem}-${number(i + 1)}-of-${number(shards.length)}.safetensors`)
  const weightMap: Record<string, string> = {}
  for (const [i, shard] of shards.entries()) {
    await writeSafetensors(join(folder, files[i]!), shard)
    for (const { name } of shard) weightMap[name] = files[i]!
  }
  const index = `${stem}.safetensors.index.json`
  const total = tensors.reduce((sum, tensor) => sum + bytesOf(tensor), 0)
  const text = `${JSON.stringify({ metadata: { total_size: total }, weight_map: weightMap }, null, 2)}\n`
  await writeWhole(join(folder, index), text)
  return [...files, index]
}

function bytesOf({ dtype, shape }: SafetensorsSource): number {
  return shape.reduce((product, dimension) => product * dimension, SAFETENSORS_BYTES[dtype] as number)
}

function encodeHeader(
  path: string,
  tensors: readonly SafetensorsSource[],
  metadata: Readonly<Record<string, string>>,
): Buffer {
  const entries = new Map<string, object>()
  let offset = 0
  for (const tensor of tensors) {
    if (entries.has(tensor.name))
      throw new SafetensorsError('format', path, `${JSON.stringify(tensor.name)} occurs twice`)
    const end = offset + bytesOf(tensor)
    entries.set(tensor.name, { dtype: tensor.dtype, shape: tensor.shape, data_offsets: [offset, end] })
    offset = end
  }
  const text = Buffer.from(JSON.stringify({ __metadata__: metadata, ...Object.fromEntries(entries) }), 'utf8')
  const padded = Math.ceil(text.length / 8) * 8
  const header = Buffer.alloc(8 + padded, ' ')
  header.writeBigUInt64LE(BigInt(padded), 0)
  text.copy(header, 8)
  return header
}
