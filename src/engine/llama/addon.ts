import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EngineError } from '../errors.js'

/** Version of node-llama-cpp whose native interface is described here. */
const WRITTEN_FOR = '3.21.1'
/** Log levels of the native side: 2 is errors. */
const LOG_ERRORS = 2

/** A model's weights and vocabulary. */
export interface AddonModel {
  init(): Promise<boolean>
  loadLora(lora: AddonLora): Promise<void>
  dispose(): Promise<void>
  tokenize(text: string, special: boolean): Uint32Array
  detokenize(tokens: Uint32Array, special: boolean): string
  getTrainContextSize(): number
  tokenBos(): number
  tokenEos(): number
  getTokenAttributes(token: number): number
  isEogToken(token: number): boolean
  shouldPrependBosToken(): boolean
}

/** A LoRA adapter; only ever handed back. */
export interface AddonLora {
  dispose(): Promise<void>
}

/** The evaluation state of all sequences. Calls that return a promise run on another thread; one at a time. */
export interface AddonContext {
  init(): Promise<boolean>
  dispose(): Promise<void>
  initBatch(size: number): void
  /** Returns the positions in the batch whose logits were asked for. */
  addToBatch(sequence: number, firstPosition: number, tokens: Uint32Array, logitsAt: Uint32Array): Uint32Array
  decodeBatch(): Promise<void>
  sampleToken(position: number, sampler: AddonSampler): Promise<number>
  sampleToken(
    position: number,
    sampler: AddonSampler,
    probabilities: boolean,
    confidence: boolean,
  ): Promise<[token: number, probabilities: number[] | undefined, confidence: number | undefined]>
  disposeSequence(sequence: number): void
  removeTokenCellsFromSequence(sequence: number, start: number, end: number): boolean
  saveSequenceStateToFile(path: string, sequence: number, tokens: Uint32Array): Promise<number>
  loadSequenceStateFromFile(path: string, sequence: number, mostTokens: number): Promise<Uint32Array>
  setThreads(threads: number): void
  setLoras(loras: AddonLora[], scales: number[]): void
  restoreCheckpoint(checkpoint: AddonCheckpoint, lastPosition: number): Promise<boolean>
}

/** The recurrent part of a sequence's state at one moment. */
export interface AddonCheckpoint {
  init(context: AddonContext, sequence: number): Promise<void>
  dispose(): void
}

/** A compiled grammar; only ever handed back. */
export interface AddonGrammar {
  isTextCompatible(text: string): boolean
}

/** How far a generation has come in a grammar; only ever handed back. */
export interface AddonGrammarState {
  readonly opaque?: never
}

/** Settings of a sampler; it reads them anew before each token. */
export interface SamplerConfig {
  readonly temperature: number
  readonly topK: number
  readonly topP: number
  readonly minP: number
  readonly seed: number
  readonly repeatPenalty?: number
  readonly repeatPenaltyMaxTokens?: number
  readonly repeatPenaltyTokens?: Uint32Array
  readonly repeatPenaltyPresencePenalty?: number
  readonly repeatPenaltyFrequencyPenalty?: number
  readonly grammarEvaluationState?: AddonGrammarState
  /** Tokens whose logits change, and by how much. */
  readonly tokenBiasKeys?: Uint32Array
  readonly tokenBiasValues?: Float32Array
}

/** Chooses tokens; holds the random state of one generation. */
export interface AddonSampler {
  applyConfig(config: SamplerConfig): void
  dispose(): void
}

/** The native module of node-llama-cpp, as far as we use it. */
export interface Addon {
  readonly AddonModel: new (path: string, options: object) => AddonModel
  readonly AddonModelLora: new (model: AddonModel, path: string) => AddonLora
  readonly AddonContext: new (model: AddonModel, options: object) => AddonContext
  readonly AddonContextSequenceCheckpoint: new () => AddonCheckpoint
  readonly AddonGrammar: new (gbnf: string, options: object) => AddonGrammar
  readonly AddonGrammarEvaluationState: new (model: AddonModel, grammar: AddonGrammar) => AddonGrammarState
  readonly AddonSampler: (new (
    model: AddonModel,
  ) => AddonSampler) & {
    acceptGrammarEvaluationStateToken(state: AddonGrammarState, token: number): void
    canBeNextTokenForGrammarEvaluationState(state: AddonGrammarState, token: number): boolean
  }
  markLoaded(): boolean
  setLogger(logger: (level: number, message: string) => void): void
  setLoggerLogLevel(level: number): void
  loadBackends(folder?: string): void
  getGpuType(): 'cuda' | 'vulkan' | 'metal' | false | undefined
  getIsArchRecurrent(architecture: string): boolean | undefined
  getIsArchHybrid(architecture: string): boolean | undefined
  init(): Promise<void>
  dispose(): Promise<void>
}

/** The loaded native library. */
export interface OpenAddon {
  readonly addon: Addon
  readonly device: 'cpu' | 'cuda' | 'vulkan' | 'metal'
  /** Versions of node-llama-cpp and of the llama.cpp inside. */
  readonly build: string
}

/**
 * Loads llama.cpp. Where only the plain build of this platform is installed its library is opened directly; importing
 * node-llama-cpp and letting it probe would take more than a second of every start. Where a GPU build is installed too (or
 * on macOS, or when the direct way fails), node-llama-cpp chooses. Throws EngineError `no-native-build`.
 */
export async function openAddon(gpu: 'auto' | 'off', log: (message: string) => void): Promise<OpenAddon> {
  const packages = new Packages()
  if (gpu === 'off' || !packages.gpuInstalled()) {
    const direct = packages.plainBuild()
    if (direct !== undefined)
      try {
        return await openDirectly(direct, packages.version, log)
      } catch (error) {
        log(error instanceof Error ? error.message : String(error))
      }
  }
  return openThroughLibrary(gpu, packages.version, log)
}

async function openDirectly(path: string, version: string, log: (message: string) => void): Promise<OpenAddon> {
  const addon = createRequire(import.meta.url)(path) as Addon
  addon.markLoaded()
  addon.setLogger((_level, message) => log(message))
  addon.setLoggerLogLevel(LOG_ERRORS)
  addon.loadBackends()
  if (addon.getGpuType() === undefined) addon.loadBackends(dirname(path))
  await addon.init()
  const release = /"release":\s*"([^"]+)"/.exec(
    readFileSync(join(dirname(path), '_nlcBuildMetadata.json'), 'utf8'),
  )?.[1]
  return { addon, device: 'cpu', build: `${version} ${release}` }
}

async function openThroughLibrary(
  gpu: 'auto' | 'off',
  version: string,
  log: (message: string) => void,
): Promise<OpenAddon> {
  const { getLlama, LlamaLogLevel, NoBinaryFoundError } = await import('node-llama-cpp')
  try {
    const llama = await getLlama({
      gpu: gpu === 'off' ? false : 'auto',
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logLevel: LlamaLogLevel.error,
      logger: (_level, message) => log(message),
    })
    const addon = (llama as unknown as { readonly _bindings?: Addon })._bindings
    if (addon === undefined)
      throw new EngineError('no-native-build', `node-llama-cpp ${version} hides its native module; use ${WRITTEN_FOR}.`)
    return {
      addon,
      device: llama.gpu === false ? 'cpu' : llama.gpu,
      build: `${version} ${llama.llamaCppRelease.release}`,
    }
  } catch (error) {
    if (!(error instanceof NoBinaryFoundError)) throw error
    throw new EngineError(
      'no-native-build',
      `No prebuilt llama.cpp fits this machine (${process.platform}-${process.arch}); docs/install.md tells which do. A model behind an endpoint works everywhere: --model URL.`,
    )
  }
}

/** What is installed of node-llama-cpp. */
class Packages {
  private readonly require: NodeJS.Require
  readonly version: string

  constructor() {
    const main = fileURLToPath(import.meta.resolve('node-llama-cpp'))
    this.require = createRequire(main)
    const json: unknown = JSON.parse(readFileSync(join(dirname(main), '..', 'package.json'), 'utf8'))
    this.version = String((json as { version?: unknown }).version)
  }

  /** The native module of the build without GPU code, for the platforms where it runs as it is. */
  plainBuild(): string | undefined {
    const { platform, arch } = process
    if (this.version !== WRITTEN_FOR || (platform !== 'linux' && platform !== 'win32')) return undefined
    const name = `${platform === 'win32' ? 'win' : platform}-${arch === 'arm' ? 'armv7l' : arch}`
    const path = join(this.bins(name) ?? '', name, 'llama-addon.node')
    return existsSync(path) ? path : undefined
  }

  /** Whether a build with GPU code is installed (the stand-ins of a default install hold none). */
  gpuInstalled(): boolean {
    if (process.platform === 'darwin') return true
    const base = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
    return ['cuda', 'vulkan'].some((kind) => this.bins(`${base}-${kind}`) !== undefined)
  }

  private bins(name: string): string | undefined {
    let entry: string
    try {
      entry = this.require.resolve(`@node-llama-cpp/${name}`)
    } catch {
      return undefined
    }
    const folder = join(dirname(entry), '..', 'bins')
    return existsSync(folder) && readdirSync(folder).length > 0 ? folder : undefined
  }
}
