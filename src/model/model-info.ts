import { stat } from 'node:fs/promises'
import { Checkpoint } from './checkpoint.js'
import { GgufFile } from './gguf-reader.js'
import { SafetensorsFile } from './safetensors-reader.js'

/** What a model file says about itself. */
export interface ModelFileInfo {
  readonly path: string
  readonly format: 'gguf' | 'safetensors'
  /** Bytes of all tensors. */
  readonly tensorBytes: number
  readonly tensors: number
  /** Number of weights. */
  readonly parameters: number
  /** How many tensors are of each type. */
  readonly types: Readonly<Record<string, number>>
  readonly name?: string
  readonly architecture?: string
  /** `model`, or `adapter` for a LoRA adapter. */
  readonly kind?: string
  readonly license?: string
  readonly contextLength?: number
  readonly layers?: number
  readonly embeddingLength?: number
  /** Number of token ids. */
  readonly vocabulary?: number
  readonly tokenizer?: string
  /** Whether the file brings a chat template. */
  readonly chatTemplate?: boolean
}

/**
 * Describes a GGUF file, a safetensors file, or a folder saved by transformers.
 * @throws GgufError or SafetensorsError for broken files; errors of the file system as they are.
 */
export async function modelInfo(path: string): Promise<ModelFileInfo> {
  if ((await stat(path)).isDirectory()) {
    const checkpoint = await Checkpoint.open(path)
    try {
      return { path, format: 'safetensors', ...totals(checkpoint.names.map((name) => checkpoint.tensor(name))) }
    } finally {
      await checkpoint.close()
    }
  }
  if (path.endsWith('.safetensors')) {
    const file = await SafetensorsFile.open(path)
    await file.close()
    return { path, format: 'safetensors', ...totals(file.tensors.values()) }
  }
  const file = await GgufFile.open(path)
  await file.close()
  return { path, format: 'gguf', ...totals(file.tensors.values()), ...describeGguf(file) }
}

function describeGguf(file: GgufFile): Partial<ModelFileInfo> {
  const architecture = file.text('general.architecture')
  const facts = {
    name: file.text('general.name'),
    architecture,
    kind: file.text('general.type'),
    license: file.text('general.license'),
    contextLength: file.number(`${architecture}.context_length`),
    layers: file.number(`${architecture}.block_count`),
    embeddingLength: file.number(`${architecture}.embedding_length`),
    vocabulary: file.array('tokenizer.ggml.tokens')?.items.length,
    tokenizer: file.text('tokenizer.ggml.pre') ?? file.text('tokenizer.ggml.model'),
    chatTemplate: file.metadata.has('tokenizer.chat_template'),
  }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}

type Described = Iterable<{
  readonly shape: readonly number[]
  readonly bytes: number
  readonly type?: string
  readonly dtype?: string
}>

function totals(tensors: Described): Pick<ModelFileInfo, 'tensorBytes' | 'tensors' | 'parameters' | 'types'> {
  const types: Record<string, number> = {}
  let tensorBytes = 0
  let parameters = 0
  let count = 0
  for (const { shape, bytes, type, dtype } of tensors) {
    const name = type ?? dtype ?? 'unknown'
    types[name] = (types[name] ?? 0) + 1
    tensorBytes += bytes
    parameters += shape.reduce((product, dimension) => product * dimension, 1)
    count++
  }
  return { tensorBytes, tensors: count, parameters, types }
}
