import type { JsonSchema } from '../chat/types.js'
import type { ToolContract } from './contract.js'
import type { ToolRegistry } from './registry.js'
import { features } from './text-features.js'

/** Above this many registered tools only the best few are shown to the model. */
export const SHOW_ALL_UP_TO = 10
/** How many tools are shown then. */
export const SHORTLIST_SIZE = 8

/** What steers a shortlist beside the request. */
export interface ShortlistOptions {
  /** Names of tools that the current thread used or asked about, latest last: they stay in sight (at most a third of k). */
  readonly thread?: readonly string[]
  /** Most tools to show. Default {@link SHORTLIST_SIZE}. */
  readonly k?: number
}

/** A tool with its score; only the order of scores means something. */
export interface RankedTool {
  readonly name: string
  readonly score: number
}

/** Times that a tool's texts must be outnumbered before a feature of theirs counts fully; keeps tools with few texts in check. */
const SMOOTHING = 4
const FLOOR = 0.002

/**
 * Scores tools by the features that a request shares with their texts: name, description, parameters, and every way
 * people ask for them, each phrasing a text of its own. A feature counts by how much likelier it is in this tool's texts
 * than in the average tool's: log(1 + p(f|tool) / (mean p(f) + ε)). That is the class-wise cousin of BM25's inverse
 * document frequency; on held-out human requests it put the right class among eight as often as BM25 over single
 * phrasings with neighbour voting, and as a trained linear classifier, in a fifth of the time.
 */
export class ToolIndex {
  readonly #names: string[]
  /** Feature → tool numbers and weights, flat pairs. */
  readonly #postings = new Map<string, Float32Array>()
  #latest: { readonly request: string; readonly ranked: readonly RankedTool[] } | undefined

  /** Reads every text of the registry once (tens of milliseconds for thousands of phrasings). */
  constructor(registry: Pick<ToolRegistry<ToolContract>, 'list' | 'spec' | 'phrasings'>) {
    const tools = registry.list()
    this.#names = tools.map((tool) => tool.name)
    // Flat pairs of tool number and count; tools are read one after the other, so the last pair is the current tool's.
    const counts = new Map<string, number[]>()
    const totals = new Float64Array(tools.length)
    tools.forEach((tool, index) => {
      const read = (text: string, weight: number): void => {
        for (const feature of features(text).keys()) {
          const tally = counts.get(feature)
          if (!tally) counts.set(feature, [index, weight])
          else if (tally[tally.length - 2] === index) tally[tally.length - 1]! += weight
          else tally.push(index, weight)
        }
        totals[index]! += weight
      }
      read(tool.name, 1)
      read(tool.description, 1)
      const spec = registry.spec(tool.name)
      if (spec) read(parameterText(spec.parameters), 0.5)
      for (const text of tool.examples ?? []) read(text, 1)
      for (const text of registry.phrasings(tool.name)) read(text, 1)
    })
    for (const [feature, tally] of counts) {
      let sum = 0
      for (let i = 0; i < tally.length; i += 2) sum += tally[i + 1]! / (totals[tally[i]!]! + SMOOTHING)
      const mean = sum / tools.length + FLOOR
      const flat = Float32Array.from(tally)
      for (let i = 0; i < flat.length; i += 2) {
        flat[i + 1] = Math.log1p(flat[i + 1]! / (totals[flat[i]!]! + SMOOTHING) / mean)
      }
      this.#postings.set(feature, flat)
    }
  }

  /** All tools, best first; equal scores keep the order of registration. */
  rank(request: string): readonly RankedTool[] {
    // What is shown and what may be called are both asked for, one after the other, of one request.
    if (this.#latest?.request !== request) this.#latest = { request, ranked: this.#rank(request) }
    return this.#latest.ranked
  }

  #rank(request: string): readonly RankedTool[] {
    const scores = new Float64Array(this.#names.length)
    for (const [feature, weight] of features(request.slice(0, 2000))) {
      const postings = this.#postings.get(feature)
      if (!postings) continue
      for (let i = 0; i < postings.length; i += 2) scores[postings[i]!]! += weight * postings[i + 1]!
    }
    return this.#names
      .map((name, index) => ({ name, score: scores[index]!, index }))
      .sort((a, b) => b.score - a.score || a.index - b.index)
      .map(({ name, score }) => ({ name, score }))
  }
}

const indexes = new WeakMap<object, { version: number; index: ToolIndex }>()

/** The index of a registry, made on first use and again after the registry changed. */
export function toolIndex(registry: ToolRegistry<ToolContract> | ToolRegistry): ToolIndex {
  const known = indexes.get(registry)
  if (known && known.version === registry.version) return known.index
  const index = new ToolIndex(registry)
  indexes.set(registry, { version: registry.version, index })
  return index
}

/**
 * Gives a registry the index of another one that holds the same texts, so that a thousand worlds read the phrasings once.
 * Nothing happens when the names of the tools differ; any later change of the registry makes an index of its own.
 */
export function shareToolIndex(
  from: ToolRegistry<ToolContract> | ToolRegistry,
  to: ToolRegistry<ToolContract> | ToolRegistry,
): void {
  if (from.names().join() !== to.names().join()) return
  indexes.set(to, { version: to.version, index: toolIndex(from) })
}

/**
 * Names of the tools to show for a request, best first. Up to {@link SHOW_ALL_UP_TO} registered tools all are shown, in
 * order of registration, so that a small fixed tool set keeps one cached prompt. The tools of the thread come last.
 * Deterministic.
 */
export function shortlist(
  registry: ToolRegistry<ToolContract> | ToolRegistry,
  request: string,
  options: ShortlistOptions = {},
): string[] {
  if (registry.size <= SHOW_ALL_UP_TO) return registry.names()
  const k = options.k ?? SHORTLIST_SIZE
  const thread = [...new Set([...(options.thread ?? [])].reverse())]
    .filter((name) => registry.has(name))
    .slice(0, Math.max(1, Math.floor(k / 3)))
  const ranked = toolIndex(registry)
    .rank(request)
    .map(({ name }) => name)
  const best = ranked.slice(0, k)
  const missing = thread.filter((name) => !best.includes(name))
  return [...best.slice(0, k - missing.length), ...missing]
}

/**
 * Natural logarithms of the shown tools' shortlist scores, relative to the best, times `power`; undefined without a power.
 * A tool without any score counts as one of a hundredth of the best.
 */
export function shortlistWeights(
  registry: ToolRegistry<ToolContract> | ToolRegistry,
  request: string,
  shown: readonly string[],
  power: number | undefined,
): ReadonlyMap<string, number> | undefined {
  if (power === undefined || power === 0) return undefined
  const ranked = toolIndex(registry).rank(request)
  const scores = new Map(ranked.map(({ name, score }) => [name, score]))
  const best = Math.max(...shown.map((name) => scores.get(name) ?? 0))
  if (best <= 0) return undefined
  return new Map(shown.map((name) => [name, power * Math.log(Math.max((scores.get(name) ?? 0) / best, 0.01))]))
}

function parameterText(schema: JsonSchema): string {
  const parts: string[] = []
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    parts.push(name, property.description ?? '', ...(property.enum ?? []).map(String))
  }
  return parts.join(' ')
}
