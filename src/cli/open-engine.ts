import type { Home } from '../agent/home.js'
import type { Engine, Sampling } from '../engine/contract.js'
import { chooseModel, embeddedModel } from './model-folder.js'
import type { RunFlags } from './options.js'

/** A running model and how it is to be treated. */
export interface OpenedEngine {
  readonly engine: Engine
  readonly sampling: Sampling | undefined
  /** Thinking where the command line does not say. */
  readonly think: boolean | number | undefined
  /** Trained on the host's own format: no standing instructions, checked answers. */
  readonly tiny: boolean
}

/**
 * Loads the model that the flags name; without one the embedded model.
 * @throws NoModelError; EngineError `load` when a file cannot be run
 */
export async function openEngine(
  flags: Pick<RunFlags, 'model' | 'lora' | 'think'>,
  home: Pick<Home, 'cache'>,
): Promise<OpenedEngine> {
  const choice = await chooseModel(flags.model)
  const { LlamaEngine } = await import('../engine/llama/engine.js')
  const { manifest } = choice
  const think = flags.think ?? manifest?.think
  const engine = await LlamaEngine.load({
    gguf: choice.gguf,
    name: choice.name,
    lora: [...choice.lora, ...(flags.lora ?? [])],
    cacheFolder: home.cache,
    ...(choice.chatTemplate === undefined ? {} : { chatTemplate: choice.chatTemplate }),
    ...(manifest?.dialect ? { dialect: manifest.dialect } : {}),
    ...(manifest?.contextLength ? { contextLength: manifest.contextLength } : {}),
    ...(think === undefined ? {} : { think }),
  })
  const sampling = manifest?.sampling
  return {
    engine,
    // Greedy unless the folder says otherwise: the same request does the same thing.
    sampling: sampling ? (sampling as Sampling) : { temperature: 0 },
    think,
    tiny: manifest?.tiny ?? choice.gguf.startsWith(embeddedModel()),
  }
}
