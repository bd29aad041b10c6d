import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { SafetensorsError } from './safetensors-error.js'
import { SafetensorsFile, type SafetensorsInfo } from './safetensors-reader.js'

const indexSchema = z.object({ weight_map: z.record(z.string(), z.string()) })

/** The tensors of a folder as transformers saves it: one `model.safetensors`, or shards listed in `model.safetensors.index.json`. */
export class Checkpoint {
  private constructor(
    readonly folder: string,
    private readonly shardOf: ReadonlyMap<string, SafetensorsFile>,
    private readonly shards: readonly SafetensorsFile[],
  ) {}

  /**
   * Opens all shards of a folder.
   * @throws SafetensorsError `missing` when there is no checkpoint, or a shard or a tensor named by the index is absent.
   */
  static async open(folder: string, stem = 'model'): Promise<Checkpoint> {
    const single = join(folder, `${stem}.safetensors`)
    const indexPath = join(folder, `${stem}.safetensors.index.json`)
    if (await exists(single)) {
      const file = await SafetensorsFile.open(single)
      return new Checkpoint(folder, new Map([...file.tensors.keys()].map((name) => [name, file])), [file])
    }
    if (!(await exists(indexPath)))
      throw new SafetensorsError('missing', folder, `neither ${basename(single)} nor its index is here`)
    const weightMap = await readIndex(indexPath)
    const byName = new Map<string, SafetensorsFile>()
    const shardOf = new Map<string, SafetensorsFile>()
    try {
      for (const [tensor, name] of Object.entries(weightMap)) {
        if (basename(name) !== name)
          throw new SafetensorsError('format', indexPath, `shard ${JSON.stringify(name)} lies outside the folder`)
        const path = join(folder, name)
        if (!byName.has(name)) {
          if (!(await exists(path))) throw new SafetensorsError('missing', indexPath, `shard ${name} is absent`)
          byName.set(name, await SafetensorsFile.open(path))
        }
        const shard = byName.get(name)!
        shard.tensor(tensor)
        shardOf.set(tensor, shard)
      }
    } catch (cause) {
      for (const shard of byName.values()) await shard.close()
      throw cause
    }
    return new Checkpoint(folder, shardOf, [...byName.values()])
  }

  /** Names of all tensors: file by file in the order of their names, in each by name, as the safetensors library lists them. */
  get names(): string[] {
    const files = [...this.shards].sort((a, b) => (a.path < b.path ? -1 : 1))
    return files.flatMap((file) => [...this.shardOf.keys()].filter((name) => this.shardOf.get(name) === file).sort())
  }

  /** Whether a tensor of this name exists. */
  has(name: string): boolean {
    return this.shardOf.has(name)
  }

  /** Where a tensor is. @throws SafetensorsError `missing`. */
  tensor(name: string): SafetensorsInfo {
    return this.shard(name).tensor(name)
  }

  /** Elements as float32, `count` of them from `start` (default all). @throws SafetensorsError. */
  async floats(name: string, start?: number, count?: number): Promise<Float32Array> {
    return await this.shard(name).floats(name, start, count)
  }

  /** Closes all shards. */
  async close(): Promise<void> {
    for (const shard of this.shards) await shard.close()
  }

  private shard(name: string): SafetensorsFile {
    const shard = this.shardOf.get(name)
    if (shard === undefined) throw new SafetensorsError('missing', this.folder, `no tensor ${name}`)
    return shard
  }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}

async function readIndex(path: string): Promise<Record<string, string>> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(path, 'utf8'))
  } catch (cause) {
    throw new SafetensorsError('format', path, `not JSON: ${String(cause)}`)
  }
  const parsed = indexSchema.safeParse(value)
  if (!parsed.success) throw new SafetensorsError('format', path, z.prettifyError(parsed.error))
  return parsed.data.weight_map
}
