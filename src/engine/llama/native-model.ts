import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { GgufFile } from '../../model/gguf-reader.js'
import { EngineError } from '../errors.js'
import { type Addon, type AddonContext, type AddonLora, type AddonModel, openAddon } from './addon.js'
import type { LoadedModel, LoadOptions } from './protocol.js'

/** Longest context taken by default: a model's own limit can need more memory than a small machine has. */
const DEFAULT_CONTEXT = 8192
/** More layers than any model has: all of them go to the GPU. */
const ALL_LAYERS = 9999
/** Bits of llama.cpp's token attributes. */
const CONTROL = 1 << 3
const USER_DEFINED = 1 << 4

/** What the file itself says, read by us. */
interface Header {
  readonly name: string | undefined
  readonly architecture: string
  readonly chatTemplate: string | undefined
  readonly tokens: number
  readonly vocabularyHash: string
}

/** A model in memory with its context, inside the native process. */
export class NativeModel {
  private knownLiterals: readonly string[] | undefined

  private constructor(
    readonly addon: Addon,
    readonly model: AddonModel,
    readonly context: AddonContext,
    readonly info: LoadedModel,
    /** Versions of node-llama-cpp and llama.cpp. */
    readonly build: string,
    /** Tokens in the vocabulary. */
    readonly vocabulary: number,
    /** Whether states cannot be cut back, only restored. */
    readonly recurrent: boolean,
    private readonly loras: readonly AddonLora[],
  ) {}

  /**
   * Loads llama.cpp, the model and its adapters. Throws EngineError `no-native-build` when no prebuilt library fits this
   * machine, `load` when a file cannot be used.
   */
  static async load(options: LoadOptions): Promise<NativeModel> {
    await needFile(options.gguf, 'model')
    for (const adapter of options.lora) await needFile(adapter.file, 'LoRA adapter')
    const header = await readHeader(options.gguf)
    const said: string[] = []
    const { addon, device, build } = await openAddon(options.gpu, (message) => {
      const text = message.trim()
      if (text !== '' && said.length < 8) said.push(text)
    })
    const refuse = (what: string, cause?: unknown): EngineError => {
      const reasons = [...(cause instanceof Error ? [cause.message] : []), ...said].join('; ')
      return new EngineError('load', `llama.cpp cannot use ${what}${reasons === '' ? '.' : `: ${reasons}`}`, { cause })
    }
    const model = new addon.AddonModel(options.gguf, {
      addonExports: addon,
      gpuLayers: device === 'cpu' ? 0 : ALL_LAYERS,
      useMmap: true,
    })
    if (!(await model.init().catch((error: unknown) => Promise.reject(refuse(options.gguf, error)))))
      throw refuse(options.gguf)
    const own = model.getTrainContextSize()
    const contextLength = options.contextLength > 0 ? options.contextLength : Math.min(own, DEFAULT_CONTEXT)
    const context = new addon.AddonContext(model, {
      contextSize: roundUp(contextLength, 256) * options.parallel,
      sequences: options.parallel,
      batchSize: Math.max(options.batch, options.parallel),
      threads: options.threads,
      flashAttention: 'auto',
      // Sliding windows would lose what a rollback needs.
      swaFullCache: true,
    })
    if (!(await context.init().catch((error: unknown) => Promise.reject(refuse(options.gguf, error)))))
      throw refuse(`${options.gguf} with a context of ${contextLength} tokens`)
    const loras: AddonLora[] = []
    for (const { file } of options.lora) {
      const lora = new addon.AddonModelLora(model, file)
      await model.loadLora(lora).catch((error: unknown) => Promise.reject(refuse(file, error)))
      loras.push(lora)
    }
    if (loras.length > 0)
      context.setLoras(
        loras,
        options.lora.map((adapter) => adapter.scale),
      )
    const info: LoadedModel = {
      name: header.name ?? 'model',
      architecture: header.architecture,
      contextLength,
      ...(header.chatTemplate === undefined ? {} : { chatTemplate: header.chatTemplate }),
      ...optionalText('bosText', model, model.tokenBos()),
      ...optionalText('eosText', model, model.tokenEos()),
      vocabularyHash: header.vocabularyHash,
      device,
    }
    const recurrent =
      addon.getIsArchHybrid(header.architecture) === true || addon.getIsArchRecurrent(header.architecture) === true
    return new NativeModel(addon, model, context, info, build, header.tokens, recurrent, loras)
  }

  /** Token ids of a text; with `special`, control tokens spelled in it are recognised. */
  tokenize(text: string, special: boolean): number[] {
    return text === '' ? [] : Array.from(this.model.tokenize(text, special))
  }

  /** Text of ids, control tokens spelled out; `previous` keeps a leading space that a start would drop. */
  detokenize(ids: readonly number[], previous: readonly number[] = []): string {
    if (ids.length === 0) return ''
    const alone = (of: readonly number[]): string => this.model.detokenize(Uint32Array.from(of), true)
    if (previous.length === 0) return alone(ids)
    const before = alone(previous)
    const text = alone([...previous, ...ids])
    return before !== '' && text.startsWith(before) ? text.slice(before.length) : alone(ids)
  }

  /** Whether a token is a control token (a turn's beginning or end, a placeholder). */
  isControl(id: number): boolean {
    return (this.model.getTokenAttributes(id) & CONTROL) !== 0
  }

  /** Id of a text that the vocabulary has as one token set apart from ordinary text. */
  specialToken(text: string): number | undefined {
    const tokens = this.tokenize(text, true)
    if (tokens.length !== 1) return undefined
    return (this.model.getTokenAttributes(tokens[0]!) & (CONTROL | USER_DEFINED)) !== 0 ? tokens[0] : undefined
  }

  /** Texts that the vocabulary holds as one token each, apart from what its merges make (GGUF token type 4). */
  get literals(): readonly string[] {
    this.knownLiterals ??= Array.from({ length: this.vocabulary }, (_, id) => id)
      .filter((id) => (this.model.getTokenAttributes(id) & USER_DEFINED) !== 0)
      .map((id) => this.detokenize([id]))
    return this.knownLiterals
  }

  async close(): Promise<void> {
    await this.context.dispose()
    for (const lora of this.loras) await lora.dispose()
    await this.model.dispose()
    await this.addon.dispose()
  }
}

async function readHeader(path: string): Promise<Header> {
  try {
    const file = await GgufFile.open(path)
    try {
      const tokens = (file.array('tokenizer.ggml.tokens')?.items ?? []) as readonly string[]
      return {
        name: file.text('general.name'),
        architecture: file.text('general.architecture') ?? 'unknown',
        chatTemplate: file.text('tokenizer.chat_template'),
        tokens: tokens.length,
        vocabularyHash: vocabularyHash(tokens),
      }
    } finally {
      await file.close()
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new EngineError('load', `llama.cpp cannot use ${path}: ${reason}`, { cause: error })
  }
}

/** SHA-256 (hex) over the token texts, each followed by a zero byte. */
export function vocabularyHash(tokens: readonly string[]): string {
  const hash = createHash('sha256')
  for (let at = 0; at < tokens.length; at += 4096) hash.update(`${tokens.slice(at, at + 4096).join('\0')}\0`)
  return hash.digest('hex')
}

function optionalText<K extends string>(key: K, model: AddonModel, token: number): { [P in K]?: string } {
  if (token < 0) return {}
  return { [key]: model.detokenize(Uint32Array.of(token), true) } as { [P in K]?: string }
}

function roundUp(value: number, to: number): number {
  return Math.ceil(value / to) * to
}

async function needFile(path: string, what: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw new EngineError('load', `There is no ${what} file at ${path}.`)
  if (!found.isFile()) throw new EngineError('load', `${path} is not a file, so it cannot be the ${what}.`)
}
