import { dirname, join } from 'node:path'
import type { Home } from '../agent/home.js'
import type { Engine, Sampling } from '../engine/contract.js'
import { packageRoot } from '../engine/package-root.js'
import { resolveModel } from '../model/model-folder.js'
import type { RunFlags } from './options.js'

/** A running model and how it is to be treated. */
export interface OpenedEngine {
  readonly engine: Engine
  readonly sampling: Sampling | undefined
  /** Thinking where the command line does not say. */
  readonly think: boolean | number | undefined
  /** Trained on the host's own format: no standing instructions, checked answers. */
  readonly tiny: boolean
  /** See the model manifest. */
  readonly shortlistWeight?: number | undefined
  /** See the model manifest. */
  readonly quote?: boolean | undefined
}

/** Name of the model that comes with the package. */
export const EMBEDDED_MODEL = 'botpsy-nano'

/** Folder with the package's own model folders. */
export function packagedModels(): string {
  return join(packageRoot(), 'models')
}

/**
 * Loads the model that the flags name: a model folder, a GGUF file, a name, or the address of an OpenAI-compatible
 * endpoint (`http://localhost:8000/v1`, with `#NAME` where it serves several); without one the embedded model. Nothing is
 * downloaded.
 * @throws ModelFolderError; EngineError `load` when a file cannot be run
 */
export async function openEngine(
  flags: Pick<RunFlags, 'model' | 'lora' | 'think'> & { readonly parallel?: number },
  home: Pick<Home, 'root' | 'cache'>,
): Promise<OpenedEngine> {
  if (flags.model !== undefined && /^https?:\/\//.test(flags.model)) return openRemote(flags.model, flags.think)
  const wanted = flags.model ?? join(packagedModels(), EMBEDDED_MODEL)
  const named = [packagedModels(), join(home.root, 'models')]
  const [choice, { LlamaEngine }] = await Promise.all([
    resolveModel(wanted, { named, cache: home.cache }),
    import('../engine/llama/engine.js'),
  ])
  const { manifest } = choice
  const think = flags.think ?? manifest?.think
  const engine = await LlamaEngine.load({
    gguf: choice.gguf,
    name: choice.name,
    lora: [...choice.lora, ...(flags.lora ?? [])],
    cacheFolder: join(home.cache, 'prompts'),
    ...(choice.chatTemplate === undefined ? {} : { chatTemplate: choice.chatTemplate }),
    ...(manifest?.dialect ? { dialect: manifest.dialect } : {}),
    ...(manifest?.threads ? { threads: manifest.threads } : {}),
    ...(manifest?.contextLength ? { contextLength: manifest.contextLength } : {}),
    ...(think === undefined ? {} : { think }),
    ...(flags.parallel === undefined ? {} : { parallel: flags.parallel }),
  })
  return {
    engine,
    // Greedy unless the folder says otherwise: the same request does the same thing.
    sampling: (manifest?.sampling as Sampling | undefined) ?? { temperature: 0 },
    think,
    tiny: manifest?.tiny ?? dirname(choice.gguf) === join(packagedModels(), EMBEDDED_MODEL),
    shortlistWeight: manifest?.shortlistWeight,
    quote: manifest?.quote,
  }
}

async function openRemote(address: string, think: boolean | number | undefined): Promise<OpenedEngine> {
  const { RemoteEngine } = await import('../engine/remote/engine.js')
  const [baseUrl = '', model] = address.split('#', 2)
  const key = process.env.BOTPSY_API_KEY
  const engine = await RemoteEngine.connect({ baseUrl, ...(model ? { model } : {}), ...(key ? { apiKey: key } : {}) })
  return { engine, sampling: undefined, think, tiny: false }
}
