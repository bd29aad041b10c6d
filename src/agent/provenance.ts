import type { JsonObject, JsonValue } from '../chat/types.js'

/** A text that entered the conversation, and where from. */
export interface Source {
  readonly kind: 'owner' | 'trusted' | 'untrusted'
  /** Shown to the owner: `you`, or the tool that gave it. */
  readonly label: string
  readonly text: string
}

/**
 * Where a value came from. `model`: in no source, so the model composed or made it up; once untrusted text is in the
 * conversation that may mean "derived from it".
 */
export interface Origin {
  readonly kind: 'owner' | 'trusted' | 'untrusted' | 'model' | 'empty'
  readonly label: string
}

/**
 * All texts of a thread by origin, ready to trace values. Matching is on words, without case, punctuation and accents.
 * A value that stands in both trusted and untrusted text counts as untrusted; the owner's own words win, since the
 * owner typed it.
 */
export class Provenance {
  readonly #sources: { readonly source: Source; readonly text: string; readonly words: ReadonlySet<string> }[] = []

  /** Adds a text. Empty texts are ignored. */
  add(source: Source): void {
    const text = plain(source.text)
    if (text.trim() === '') return
    this.#sources.push({ source, text, words: new Set(text.trim().split(' ')) })
  }

  /** True once any untrusted text entered. */
  get exposed(): boolean {
    return this.#sources.some(({ source }) => source.kind === 'untrusted')
  }

  /** The owner's messages, oldest first. */
  get ownerMessages(): string[] {
    return this.#sources.filter(({ source }) => source.kind === 'owner').map(({ source }) => source.text)
  }

  /** Where one value came from. Numbers and strings are looked up as words; objects and arrays take their worst part. */
  trace(value: JsonValue): Origin {
    if (value === null || value === '') return { kind: 'empty', label: 'nothing' }
    if (typeof value === 'object') {
      const parts = Array.isArray(value) ? value : [...Object.keys(value), ...Object.values(value)]
      return worst(parts.map((part) => this.trace(part)))
    }
    const wanted = plain(String(value))
    if (wanted.trim() === '') return { kind: 'empty', label: 'nothing' }
    const wantedWords = wanted.trim().split(' ')
    for (const kind of ['owner', 'untrusted', 'trusted'] as const) {
      for (const entry of this.#sources) {
        if (entry.source.kind === kind && entry.text.includes(wanted)) return { kind, label: entry.source.label }
      }
      // Words of the owner in another order ("lunch with Ann" for "put Ann in for lunch") are still the owner's; for
      // outside text any such mixture taints.
      const scattered = this.#sources.filter(({ source }) => source.kind === kind)
      if (kind !== 'trusted' && scattered.length > 0) {
        const covered = wantedWords.every((word) => scattered.some((entry) => entry.words.has(word)))
        if (covered) return { kind, label: scattered[0]!.source.label }
      }
    }
    return { kind: 'model', label: 'the model' }
  }

  /** Origins of all top-level arguments. */
  traceAll(args: JsonObject): Map<string, Origin> {
    return new Map(Object.entries(args).map(([name, value]) => [name, this.trace(value)]))
  }
}

/**
 * Is a call clean? Before untrusted text entered the thread every call is. Afterwards a call with an effect or egress is
 * clean only if the owner's own words ask for this tool, and every argument stems from the owner's words or trusted data.
 *
 * @param asked whether the owner's messages alone call for the tool
 */
export function provenanceOf(
  provenance: Provenance,
  origins: ReadonlyMap<string, Origin>,
  asked: boolean,
): { readonly provenance: 'clean' | 'tainted'; readonly why: string } {
  if (!provenance.exposed) return { provenance: 'clean', why: 'nothing from outside was read in this thread' }
  for (const [name, origin] of origins) {
    if (origin.kind === 'untrusted') return { provenance: 'tainted', why: `${name} comes from ${origin.label}` }
    if (origin.kind === 'model')
      return { provenance: 'tainted', why: `${name} was written by the model after it read outside text` }
  }
  if (!asked) return { provenance: 'tainted', why: 'outside text was read, and your own words do not ask for this' }
  return { provenance: 'clean', why: 'you asked for it in your own words' }
}

function plain(text: string): string {
  const found = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
  return found ? ` ${found.join(' ')} ` : ''
}

function worst(origins: readonly Origin[]): Origin {
  for (const kind of ['untrusted', 'model', 'trusted', 'owner'] as const) {
    const found = origins.find((origin) => origin.kind === kind)
    if (found) return found
  }
  return { kind: 'empty', label: 'nothing' }
}
