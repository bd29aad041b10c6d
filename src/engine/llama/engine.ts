import { resolve } from 'node:path'
import { render } from '../../chat/render.js'
import { ChatTemplate, sharedLength } from '../../chat/template.js'
import type { Dialect, Message, ToolSpec } from '../../chat/types.js'
import type { Engine, EngineEvent, GenerateRequest, ModelInfo, ScoreRequest } from '../contract.js'
import { EngineError } from '../errors.js'
import { EventQueue } from './event-queue.js'
import { NativeChild } from './native-child.js'
import type { LoadedModel, LoadOptions, WireRequest } from './protocol.js'
import { physicalCores } from './threads.js'

/** Room that states of prompts may take on disk unless told otherwise: 1 GiB. */
const DEFAULT_CACHE_BYTES = 1024 ** 3
/** A user's text that no conversation begins with, to find what does not depend on it. */
const PROBE = '\u{1F9EA}'
/** After so many crashes in a row without a finished request the model is given up. */
const MOST_CRASHES = 3

/** How to run a model in-process through llama.cpp. */
export interface LlamaOptions {
  /** Path of the GGUF file. */
  readonly gguf: string
  /** LoRA adapters (GGUF), each a path or a path with a scale. */
  readonly lora?: readonly (string | { readonly file: string; readonly scale?: number })[]
  /** Jinja source, where it is not the file's own. */
  readonly chatTemplate?: string
  /** Call format, where it is not the one that the template suggests. */
  readonly dialect?: Dialect
  /** Shown to the user; default: the name in the file. */
  readonly name?: string
  /** Tokens that one conversation may hold. Default: the model's own limit, at most 8,192. */
  readonly contextLength?: number
  /** Requests that run at the same time (batched); each needs a context of its own in memory. Default 1. */
  readonly parallel?: number
  /** Exactly so many. Default: up to the number of physical cores, fewer while other programs hold them. */
  readonly threads?: number
  /** Tokens per native call while a prompt is read. Default 128: no slower than more, and an abort is quick. */
  readonly batch?: number
  /** Precision of cached keys and values. Default `f16`; `f32` takes twice the memory and adds no rounding (for comparisons). */
  readonly cachePrecision?: 'f16' | 'f32'
  /** `off` (default `auto`) keeps to the CPU even where a GPU build is installed. */
  readonly gpu?: 'auto' | 'off'
  /** Folder in which states of shared prompts are kept across runs. Absent: none are. */
  readonly cacheFolder?: string
  /** Most bytes in that folder; the least recently used states go first. Default 1 GiB. */
  readonly cacheBytes?: number
  /** Thinking when a request does not say. Default: as the template has it. */
  readonly think?: boolean | number
}

/**
 * llama.cpp in a child process. A native crash fails the requests in flight with EngineError `crashed` and nothing else:
 * the next request starts a new process.
 */
export class LlamaEngine implements Engine {
  private crashes = 0
  private closed = false
  private readonly prefixes = new WeakMap<readonly ToolSpec[], { readonly system: string; readonly text: string }>()

  private constructor(
    readonly model: ModelInfo,
    /** What the file says and where it runs. */
    readonly loaded: LoadedModel,
    private readonly template: ChatTemplate | undefined,
    private readonly think: boolean | number | undefined,
    private readonly options: LoadOptions,
    private child: NativeChild,
  ) {}

  /**
   * Starts the native process and loads the model. Throws EngineError `load` (missing, damaged or unknown file),
   * `no-native-build`, `crashed`; ChatError when the chat template is not Jinja.
   */
  static async load(options: LlamaOptions): Promise<LlamaEngine> {
    const native = loadOptions(options)
    const child = NativeChild.start(native)
    try {
      const loaded = await child.loaded
      const source = options.chatTemplate ?? loaded.chatTemplate
      const template =
        source === undefined
          ? undefined
          : new ChatTemplate(source, {
              ...(options.dialect === undefined ? {} : { dialect: options.dialect }),
              ...(loaded.bosText === undefined ? {} : { bosToken: loaded.bosText }),
              ...(loaded.eosText === undefined ? {} : { eosToken: loaded.eosText }),
            })
      const model: ModelInfo = {
        name: options.name ?? loaded.name,
        file: native.gguf,
        contextLength: loaded.contextLength,
        dialect: options.dialect ?? template?.dialect ?? 'plain',
        ...(source === undefined ? {} : { chatTemplate: source }),
        vocabularyHash: loaded.vocabularyHash,
      }
      return new LlamaEngine(model, loaded, template, options.think, native, child)
    } catch (error) {
      await child.close()
      throw error
    }
  }

  /** Process id of the native process, for tests and reports. */
  get pid(): number | undefined {
    return this.child.pid
  }

  async *generate(request: GenerateRequest): AsyncGenerator<EngineEvent, void, void> {
    const wire = this.toWire(request)
    if (request.signal?.aborted === true) throw new EngineError('aborted', 'The request was aborted before it began.')
    const child = await this.process()
    const queue = new EventQueue<EngineEvent>()
    const id = child.request((id) => ({ type: 'generate', id, request: wire }), {
      message: (message) => {
        if (message.type === 'event') queue.push(message.event)
      },
      fail: (error) => queue.fail(error),
    })
    const abort = (): void => child.abort(id)
    request.signal?.addEventListener('abort', abort, { once: true })
    try {
      for await (const event of queue) {
        if (event.type === 'end') this.crashes = 0
        yield event
        if (event.type === 'end') return
      }
    } catch (error) {
      this.note(error)
      throw error
    } finally {
      request.signal?.removeEventListener('abort', abort)
      if (!queue.ended) child.abort(id)
      child.forget(id)
    }
  }

  async score(request: ScoreRequest): Promise<Float32Array> {
    const { tokens, from, signal } = request
    if (!Number.isInteger(from) || from < 1 || from > tokens.length)
      throw new EngineError('bad-request', `Scoring must start between 1 and ${tokens.length}, not at ${from}.`)
    if (signal?.aborted === true) throw new EngineError('aborted', 'The request was aborted before it began.')
    return this.ask<Float32Array>(
      (id) => ({ type: 'score', id, tokens, from }),
      (message) => (message.type === 'scored' ? message.logprobs : undefined),
      signal,
    )
  }

  async tokenize(text: string, special = false): Promise<number[]> {
    return this.ask(
      (id) => ({ type: 'tokenize', id, text, special }),
      (message) => (message.type === 'tokens' ? [...message.tokens] : undefined),
    )
  }

  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    await this.child.close()
  }

  /** The running process, or a new one when the last one ended. */
  private async process(): Promise<NativeChild> {
    if (this.closed) throw new EngineError('closed', 'The engine was closed.')
    if (!this.child.alive) {
      if (this.crashes >= MOST_CRASHES)
        throw new EngineError(
          'crashed',
          `The native process ended ${this.crashes} times in a row; it is not started again. Try another model file, --gpu off, or a shorter context.`,
        )
      this.child = NativeChild.start(this.options)
    }
    try {
      await this.child.loaded
    } catch (error) {
      this.note(error)
      throw error
    }
    return this.child
  }

  private note(error: unknown): void {
    if (error instanceof EngineError && error.code === 'crashed') this.crashes++
  }

  private async ask<T>(
    build: Parameters<NativeChild['request']>[0],
    pick: (message: Parameters<Parameters<NativeChild['request']>[1]['message']>[0]) => T | undefined,
    signal?: AbortSignal,
  ): Promise<T> {
    const child = await this.process()
    let id = 0
    const abort = (): void => child.abort(id)
    try {
      return await new Promise<T>((resolve, reject) => {
        id = child.request(build, {
          message: (message) => {
            const found = pick(message)
            if (found !== undefined) resolve(found)
          },
          fail: reject,
        })
        signal?.addEventListener('abort', abort, { once: true })
      })
    } catch (error) {
      this.note(error)
      throw error
    } finally {
      signal?.removeEventListener('abort', abort)
      child.forget(id)
    }
  }

  private toWire(request: GenerateRequest): WireRequest {
    const think = request.think ?? this.think
    const { prompt, sharedPrefix } = this.prompt(request, think)
    const { maxTokens, grammar, cacheKey } = request
    if (maxTokens !== undefined && !(maxTokens >= 1))
      throw new EngineError('bad-request', `The token budget must be at least 1, not ${maxTokens}.`)
    return {
      prompt,
      sampling: request.sampling ?? {},
      stopIds: request.stopIds ?? [],
      stopTexts: (request.stopTexts ?? []).filter((text) => text !== ''),
      logprobs: request.logprobs === true,
      ...(sharedPrefix === undefined ? {} : { sharedPrefix }),
      ...(maxTokens === undefined ? {} : { maxTokens: Math.floor(maxTokens) }),
      ...(typeof think === 'number' ? { thinkBudget: Math.max(0, think) } : {}),
      ...(grammar === undefined ? {} : { grammar }),
      ...(cacheKey === undefined ? {} : { cacheKey }),
    }
  }

  private prompt(
    request: GenerateRequest,
    think: boolean | number | undefined,
  ): { readonly prompt: string | readonly number[]; readonly sharedPrefix?: string } {
    if (request.prompt !== undefined) {
      const { prompt, sharedPrefix } = request
      return sharedPrefix === undefined ? { prompt } : { prompt, sharedPrefix }
    }
    if (request.messages === undefined) throw new EngineError('bad-request', 'Give messages or a prompt.')
    if (this.template === undefined)
      throw new EngineError('bad-request', `${this.model.name} has no chat template; give one in its model folder.`)
    const prompt = render(this.template, { messages: request.messages, tools: request.tools, think }).text
    const prefix = this.prefixOf(request.messages, request.tools)
    return { prompt, sharedPrefix: prompt.slice(0, sharedLength(prompt, prefix)) }
  }

  /** What every conversation with this system text and these tools begins with. */
  private prefixOf(messages: readonly Message[], tools: readonly ToolSpec[] | undefined): string {
    const system = messages.filter((message) => message.role === 'system')
    const key = system.map((message) => message.content).join('\n')
    const known = tools === undefined ? undefined : this.prefixes.get(tools)
    if (known?.system === key) return known.text
    const probe: Message = { role: 'user', content: PROBE }
    const { text } = render(this.template!, { messages: [...system, probe], tools, addGenerationPrompt: false })
    const prefix = text.slice(0, Math.max(0, text.lastIndexOf(PROBE)))
    if (tools !== undefined) this.prefixes.set(tools, { system: key, text: prefix })
    return prefix
  }
}

function loadOptions(options: LlamaOptions): LoadOptions {
  const whole = (value: number | undefined, fallback: number, what: string): number => {
    if (value === undefined) return fallback
    if (!Number.isInteger(value) || value < 1)
      throw new EngineError('bad-request', `${what} must be a whole number above 0, not ${value}.`)
    return value
  }
  return {
    gguf: resolve(options.gguf),
    lora: (options.lora ?? []).map((adapter) =>
      typeof adapter === 'string'
        ? { file: resolve(adapter), scale: 1 }
        : { file: resolve(adapter.file), scale: adapter.scale ?? 1 },
    ),
    contextLength: whole(options.contextLength, 0, 'The context length'),
    parallel: whole(options.parallel, 1, 'The number of parallel requests'),
    threads: whole(options.threads, physicalCores(), 'The number of threads'),
    fixedThreads: options.threads !== undefined,
    batch: whole(options.batch, 128, 'The batch size'),
    cachePrecision: options.cachePrecision ?? 'f16',
    gpu: options.gpu ?? 'auto',
    ...(options.cacheFolder === undefined ? {} : { cacheFolder: resolve(options.cacheFolder) }),
    cacheBytes: options.cacheBytes ?? DEFAULT_CACHE_BYTES,
  }
}
