import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import type { Conversation } from './conversation.js'
import type { LazyExample } from './example.js'
import { fingerprint, type SourceSpec } from './recipe.js'
import { deriveSeed, shuffle } from './seed.js'
import { SftError } from './sft-error.js'
import { type Tokeniser, tokeniseFile } from './token-cache.js'

/** A generator of training examples: fresh ones every epoch, the same ones for the same epoch and seed. */
export interface ExampleSource {
  /** How many examples an epoch has, where known. */
  readonly size?: number
  /** Changes when the same epoch and seed would give other examples. */
  readonly version?: string
  /** The examples of one epoch (counted from 0), in an order that depends on the arguments alone. */
  epoch(epoch: number, seed: number): AsyncIterable<Conversation> | Iterable<Conversation>
}

/** Makes a source from the `options` of a recipe; it checks them itself. */
export type SourceFactory = (options: Readonly<Record<string, unknown>>) => ExampleSource | Promise<ExampleSource>

/** A source after tokenisation. */
export interface TokenSource {
  readonly name: string
  /** Changes when the examples do, as far as can be known. */
  readonly identity: string
  /** Relative frequency of draws from it. */
  readonly share: number
  epoch(epoch: number): AsyncIterable<LazyExample>
}

const registered = new Map<string, SourceFactory>()

/** Makes a generator available to recipes as `generator: NAME`. */
export function registerSource(name: string, factory: SourceFactory): void {
  registered.set(name, factory)
}

/**
 * Opens what a recipe names.
 * @throws {SftError} `bad-source` for an unknown generator or a module without the export; `bad-data` for a wrong line.
 */
export async function openSource(
  spec: SourceSpec,
  index: number,
  seed: number,
  tokeniser: Tokeniser,
  cache: string,
  say: (line: string) => void,
): Promise<TokenSource> {
  if (spec.file !== undefined) {
    const file = spec.file
    const examples = await tokeniseFile(file, tokeniser, cache, say)
    return {
      name: file,
      identity: fingerprint([...examples.slice(0, 1000).map((example) => [...example.tokens]), examples.length]),
      share: spec.share ?? examples.length,
      async *epoch(epoch) {
        const order = shuffle([...examples.keys()], deriveSeed(seed, 'file', index, epoch))
        for (const at of order) yield () => examples.slice(at, at + 1)
      },
    }
  }
  const source = await (await factoryOf(spec))(spec.options)
  const name = spec.generator ?? `${spec.module}`
  return {
    name,
    identity: fingerprint([spec.generator ?? spec.export, spec.options, source.version ?? '']),
    share: spec.share ?? source.size ?? 1,
    async *epoch(epoch) {
      for await (const conversation of source.epoch(epoch, deriveSeed(seed, 'generator', index, epoch))) {
        yield () => tokeniser.tokenise(conversation)
      }
    },
  }
}

async function factoryOf(spec: SourceSpec): Promise<SourceFactory> {
  if (spec.generator !== undefined) {
    const factory = registered.get(spec.generator)
    if (factory !== undefined) return factory
    const known = [...registered.keys()].join(', ') || 'none'
    throw new SftError('bad-source', spec.generator, `no generator has this name; known: ${known}.`)
  }
  const path = spec.module as string
  const loaded: unknown = await import(pathToFileURL(path).href)
  const factory = z.record(z.string(), z.unknown()).parse({ ...(loaded as object) })[spec.export]
  if (typeof factory !== 'function') {
    throw new SftError('bad-source', path, `has no function exported as ${spec.export}.`)
  }
  return factory as SourceFactory
}
