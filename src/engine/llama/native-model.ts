import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { Llama, LlamaContext, LlamaModel } from 'node-llama-cpp'
import { EngineError } from '../errors.js'
import type { LoadedModel, LoadOptions } from './protocol.js'

/** Longest context taken by default: a model's own limit can need more memory than a small machine has. */
const DEFAULT_CONTEXT = 8192

/** A model in memory with its context, inside the native process. */
export interface NativeModel {
  readonly llama: Llama
  readonly model: LlamaModel
  readonly context: LlamaContext
  readonly info: LoadedModel
  /** Version of node-llama-cpp and of the llama.cpp inside it. */
  readonly build: string
}

/**
 * Loads llama.cpp and a model. Throws EngineError `no-native-build` when no prebuilt library fits this machine, `load`
 * when the file cannot be used.
 */
export async function loadNativeModel(options: LoadOptions): Promise<NativeModel> {
  await needFile(options.gguf, 'model')
  for (const adapter of options.lora) await needFile(adapter.file, 'LoRA adapter')
  const { getLlama, getModuleVersion, LlamaLogLevel, NoBinaryFoundError } = await import('node-llama-cpp')
  const problems: string[] = []
  let llama: Llama
  try {
    llama = await getLlama({
      gpu: options.gpu === 'off' ? false : 'auto',
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logLevel: LlamaLogLevel.error,
      maxThreads: options.threads,
      logger: (_level, message) => {
        const text = message.trim()
        if (text !== '' && problems.length < 8) problems.push(text)
      },
    })
  } catch (error) {
    if (error instanceof NoBinaryFoundError)
      throw new EngineError(
        'no-native-build',
        `No prebuilt llama.cpp fits this machine (${process.platform}-${process.arch}). See docs/install.md, or use --model URL with an endpoint.`,
      )
    throw error
  }
  try {
    const model = await llama.loadModel({
      modelPath: options.gguf,
      ...(options.gpu === 'off' ? { gpuLayers: 0 } : {}),
      ignoreMemorySafetyChecks: llama.gpu === false,
    })
    const own = model.trainContextSize
    const contextLength = options.contextLength > 0 ? options.contextLength : Math.min(own, DEFAULT_CONTEXT)
    const context = await model.createContext({
      contextSize: contextLength,
      sequences: options.parallel,
      batchSize: options.batch,
      threads: options.threads,
      ignoreMemorySafetyChecks: llama.gpu === false,
      failedCreationRemedy: false,
      ...(options.lora.length > 0
        ? { lora: { adapters: options.lora.map((a) => ({ filePath: a.file, scale: a.scale })) } }
        : {}),
    })
    const build = `${await getModuleVersion()} ${llama.llamaCppRelease.release}`
    return { llama, model, context, info: describe(model, llama, context.contextSize), build }
  } catch (error) {
    const said = [error instanceof Error ? error.message : String(error), ...problems].join('; ')
    throw new EngineError('load', `llama.cpp cannot use ${options.gguf}: ${said}`, { cause: error })
  }
}

function describe(model: LlamaModel, llama: Llama, contextLength: number): LoadedModel {
  const metadata = model.fileInfo.metadata
  const template = metadata.tokenizer?.chat_template
  const { bosString, eosString } = model.tokens
  return {
    name: metadata.general.name ?? model.filename ?? 'model',
    architecture: metadata.general.architecture,
    contextLength,
    ...(typeof template === 'string' ? { chatTemplate: template } : {}),
    ...(bosString !== null ? { bosText: bosString } : {}),
    ...(eosString !== null ? { eosText: eosString } : {}),
    vocabularyHash: vocabularyHash(metadata.tokenizer?.ggml.tokens),
    device: llama.gpu === false ? 'cpu' : llama.gpu,
  }
}

/** SHA-256 (hex) over the token texts, each followed by a zero byte. */
export function vocabularyHash(tokens: readonly string[] | undefined): string {
  const hash = createHash('sha256')
  const texts = tokens ?? []
  for (let at = 0; at < texts.length; at += 4096) hash.update(`${texts.slice(at, at + 4096).join('\0')}\0`)
  return hash.digest('hex')
}

async function needFile(path: string, what: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw new EngineError('load', `There is no ${what} file at ${path}.`)
  if (!found.isFile()) throw new EngineError('load', `${path} is not a file, so it cannot be the ${what}.`)
}
