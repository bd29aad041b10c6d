import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import {
  Checkpoint,
  convertHfToGguf,
  encodeFloats,
  type SafetensorsSource,
  type WritableType,
  writeCheckpoint,
} from '../../model/index.js'
import { readCheckpointJson } from './checkpoints.js'

/** What to write. */
export interface ExportOptions {
  /** Name in the GGUF file and of it; default: the folder's. */
  readonly name?: string
  /** Types of GGUF file to write; default Q8_0 alone. */
  readonly types?: readonly WritableType[]
}

/** One file of an exported model. */
export interface ExportedFile {
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

/** Files that are carried over as they are. */
const CARRIED = [
  'tokenizer.json',
  'tokenizer_config.json',
  'chat_template.jinja',
  'generation_config.json',
  'recipe.yaml',
]

/**
 * Makes a model folder of a checkpoint: `NAME.Q8_0.gguf` for llama.cpp, `model.safetensors` (matrices in BF16, vectors in
 * F32) with `config.json` for transformers, tokenizer, template and recipe. GGUF files are made from the checkpoint's own
 * precision. Files of the same names are replaced, others in the folder stay.
 * @returns the files written, with size and SHA-256.
 * @throws {SftError} `bad-checkpoint` for a folder without a configuration; the errors of the conversion as they are.
 */
export async function exportModel(
  checkpoint: string,
  folder: string,
  options: ExportOptions = {},
): Promise<ExportedFile[]> {
  const name = options.name ?? basename(folder)
  const config = await readConfig(checkpoint)
  await mkdir(dirname(folder), { recursive: true })
  const temporary = `${folder}.${process.pid}.part`
  await rm(temporary, { recursive: true, force: true })
  await mkdir(temporary)
  try {
    for (const file of await readdir(checkpoint)) {
      if (CARRIED.includes(file)) await copyFile(join(checkpoint, file), join(temporary, file))
    }
    await writeFile(
      join(temporary, 'config.json'),
      `${JSON.stringify({ ...config, dtype: 'bfloat16' }, undefined, 2)}\n`,
    )
    await writeBf16(checkpoint, temporary)
    for (const type of options.types ?? ['Q8_0']) {
      await convertHfToGguf(checkpoint, join(temporary, `${name}.${type}.gguf`), { dtype: type, name })
    }
    await mkdir(folder, { recursive: true })
    const files: ExportedFile[] = []
    for (const file of (await readdir(temporary)).sort()) {
      await rename(join(temporary, file), join(folder, file))
      const path = join(folder, file)
      files.push({ file, bytes: (await stat(path)).size, sha256: await sha256(path) })
    }
    return files
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

async function readConfig(checkpoint: string): Promise<Record<string, unknown>> {
  const shape = z.record(z.string(), z.unknown())
  const advice = 'Export a checkpoint folder.'
  const { _name_or_path: _, ...config } = await readCheckpointJson(join(checkpoint, 'config.json'), shape, advice)
  return config
}

async function writeBf16(checkpoint: string, folder: string): Promise<void> {
  const source = await Checkpoint.open(checkpoint)
  try {
    const tensors = source.names.map((name): SafetensorsSource => {
      const { shape } = source.tensor(name)
      const dtype = shape.length > 1 ? 'BF16' : 'F32'
      return { name, shape, dtype, data: async () => encodeFloats(dtype, await source.floats(name)) }
    })
    await writeCheckpoint(folder, tensors)
  } finally {
    await source.close()
  }
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
