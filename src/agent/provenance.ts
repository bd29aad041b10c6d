import type { JsonObject, JsonValue } from '../chat/types.js'
import { meansChoice } from './choice-words.js'
import { type Clause, clausesOf, revokes } from './clauses.js'
import { atoms, contentWords, plain, plainWords, Wording } from './wording.js'

/** A text that entered the conversation, and where from. */
export interface Source {
  readonly kind: 'owner' | 'trusted' | 'untrusted'
  /** Shown to the owner: `you`, or the tool that gave it. */
  readonly label: string
  readonly text: string
  /** For an owner's message: it answers a question that an earlier one led to, so both are one request. */
  readonly answers?: boolean
  /** For a result: the arguments of its call, as text. What the owner looked for describes what was found. */
  readonly about?: string
}

/**
 * Where a value came from. `model`: in no source, so the model composed or made it up; once untrusted text is in the
 * conversation that may mean "derived from it". `unnamed`: it stands in trusted data, but nothing that the owner said
 * tells that this one was meant.
 */
export interface Origin {
  readonly kind: 'owner' | 'trusted' | 'untrusted' | 'model' | 'unnamed' | 'empty'
  readonly label: string
}

/** One thing that the owner asked for, with everything that may name its target. */
export interface Asking {
  readonly clause: Clause
  /** The clause, what it points back to, and the owner's answers to questions about it. */
  readonly words: Wording
}

/** How a value is looked at. */
export interface TraceOptions {
  /** Only these words of the owner name it. Default: everything that the owner said. */
  readonly words?: Wording
  /** As one phrase, not as words in any order: for what leaves the device. */
  readonly exact?: boolean
  /** The values that the schema allows, when it lists them. */
  readonly choices?: readonly JsonValue[]
  /** Names of members that the schema prescribes: they carry nothing. */
  readonly members?: ReadonlySet<string>
  /** Does an ISO date or time say what the owner's words mean? */
  readonly sameTime?: (iso: string, words: string) => boolean
}

interface Known {
  readonly source: Source
  readonly text: string
  readonly words: ReadonlySet<string>
  /** Lines of a trusted text with their atoms, made when first needed. */
  lines?: readonly {
    readonly plain: string
    readonly atoms: ReadonlySet<string>
    readonly words: ReadonlySet<string>
  }[]
}

const ALL = /\b(?:all|every|everything|each|both|any|whole|entire)\b/i
const ISO = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?(?:\[[\w/+-]+\])?)?$/

/**
 * All texts of a thread by origin, ready to trace values. The owner's own words count for what they were said of; a value
 * that stands in both trusted and untrusted text counts as untrusted.
 */
export class Provenance {
  readonly #sources: Known[] = []
  /** The owner's messages by request: a message with its later answers. */
  readonly #requests: { readonly texts: string[]; asked?: readonly Asking[] }[] = []
  #everything: Wording | undefined

  /** Adds a text. Empty texts are ignored. */
  add(source: Source): void {
    const text = plain(source.text)
    if (source.text.trim() === '') return
    this.#sources.push({ source, text, words: new Set(text.trim().split(' ')) })
    if (source.kind !== 'owner') return
    this.#everything = undefined
    const last = this.#requests.at(-1)
    // "Never mind" takes back the request before; what is then asked for stands by itself.
    if (last && revokes(source.text)) {
      this.#requests.pop()
      this.#requests.push({ texts: [source.text] })
    } else if (source.answers && last) {
      last.texts.push(source.text)
      delete last.asked
    } else this.#requests.push({ texts: [source.text] })
  }

  /** True once any untrusted text entered. */
  get exposed(): boolean {
    return this.#sources.some(({ source }) => source.kind === 'untrusted')
  }

  /** The owner's messages, oldest first. */
  get ownerMessages(): string[] {
    return this.#sources.filter(({ source }) => source.kind === 'owner').map(({ source }) => source.text)
  }

  /** Texts of the owner and of trusted data, in which names and addresses stand as they should be. */
  get known(): string[] {
    return this.#sources.filter(({ source }) => source.kind !== 'untrusted').map(({ source }) => source.text)
  }

  /** Everything that the owner asked for, thing by thing, each with the words that may name its target. */
  get askings(): readonly Asking[] {
    const all = this.#requests.flatMap((request, index) => {
      request.asked ??= this.#askingsOf(request.texts, this.#requests[index - 1]?.texts)
      return request.asked
    })
    // What was forbidden later is not asked for any more, however it was worded before.
    return all.filter(({ clause }, at) => !all.slice(at + 1).some(({ clause: later }) => forbids(later, clause)))
  }

  #askingsOf(texts: readonly string[], before: readonly string[] | undefined): Asking[] {
    const clauses = texts.map(clausesOf)
    return clauses.flatMap((own, message) =>
      own.map((clause, at) => {
        const back = !clause.refersBack ? '' : (own[at - 1]?.text ?? (message > 0 ? '' : (before?.join('\n') ?? '')))
        // An answer names the target of what was asked before; it may itself refer to all of it.
        const around =
          texts.length > 1 ? texts.filter((_, other) => other !== message && (other > 0 || message > 0)) : []
        return { clause, words: new Wording([clause.text, back, ...around].join('\n')) }
      }),
    )
  }

  /** Where one value came from. Objects and arrays take their worst part. */
  trace(value: JsonValue, options: TraceOptions = {}): Origin {
    if (value === null || (typeof value === 'string' && value.trim() === '')) return { kind: 'empty', label: 'nothing' }
    if (typeof value === 'object') {
      const parts = Array.isArray(value)
        ? value
        : [...Object.keys(value).filter((key) => !options.members?.has(key)), ...Object.values(value)]
      return worst(parts.map((part) => this.trace(part, options)))
    }
    const words = options.words ?? this.#allWords()
    if (options.choices?.includes(value)) return meansChoice(value, options.choices, words) ? OWNER : MODEL
    // A yes or no stands in no text: only the model can have chosen it.
    if (typeof value === 'boolean') return MODEL
    const text = String(value)
    if (words.says(text, options.exact)) return OWNER
    if (ISO.test(text) && options.sameTime?.(text, words.text)) {
      return { kind: 'owner', label: 'you, as a date and time' }
    }
    return this.#outside(text) ?? this.#inside(text, options.words) ?? this.#invented(text, words)
  }

  /** Origins of all top-level arguments. */
  traceAll(args: JsonObject, optionsOf: (name: string) => TraceOptions = () => ({})): Map<string, Origin> {
    return new Map(Object.entries(args).map(([name, value]) => [name, this.trace(value, optionsOf(name))]))
  }

  #allWords(): Wording {
    this.#everything ??= new Wording(this.ownerMessages.join('\n'))
    return this.#everything
  }

  #invented(text: string, words: Wording): Origin {
    const elsewhere = words !== this.#everything && this.#allWords().says(text)
    return elsewhere ? { kind: 'model', label: 'the model, out of words that you said of something else' } : MODEL
  }

  /** In text from outside: as a phrase, or word by word from several places. */
  #outside(value: string): Origin | undefined {
    const outside = this.#sources.filter(({ source }) => source.kind === 'untrusted')
    if (outside.length === 0) return undefined
    const wanted = plain(value)
    const found =
      wanted === ''
        ? outside.find(({ source }) => source.text.includes(value.trim()))
        : outside.find(({ text }) => text.includes(wanted))
    if (found) return { kind: 'untrusted', label: found.source.label }
    const words = contentWords(value)
    if (words.length === 0 || !words.every((word) => outside.some((known) => known.words.has(word)))) return undefined
    return { kind: 'untrusted', label: outside[0]!.source.label }
  }

  /** In trusted data: and did the owner say which? */
  #inside(value: string, named: Wording | undefined): Origin | undefined {
    const wanted = plain(value)
    const exactly = atoms(value)
    const has = (line: NonNullable<Known['lines']>[number]): boolean =>
      line.plain.includes(wanted) && exactly.every((atom) => line.atoms.has(atom))
    if (wanted === '') return undefined
    let unnamed: Origin | undefined
    for (const known of this.#sources) {
      if (known.source.kind !== 'trusted' || !known.text.includes(wanted)) continue
      const lines = linesOf(known)
      const holding = lines.filter(has)
      if (holding.length === 0) continue
      const label = known.source.label
      if (!named) return { kind: 'trusted', label }
      if (holding.some((line) => this.#meant(line.words, named, value, has))) return { kind: 'trusted', label }
      // What the owner looked for describes what was found, when it is one thing or all of it is meant.
      const sought =
        known.source.about !== undefined && contentWords(known.source.about).some((w) => named.words.has(w))
      if (sought && (lines.length <= 2 || ALL.test(named.text))) return { kind: 'trusted', label }
      unnamed = { kind: 'unnamed', label: `${label}, but you did not say which` }
    }
    return unnamed
  }

  /** Does the owner's description fit this line of trusted data and no other that lacks the value? */
  #meant(
    line: ReadonlySet<string>,
    named: Wording,
    value: string,
    has: (line: NonNullable<Known['lines']>[number]) => boolean,
  ): boolean {
    const own = new Set(contentWords(value))
    const description = [...line].filter((word) => named.words.has(word) && word.length > 1)
    if (description.length === 0) return false
    if (ALL.test(named.text)) return true
    const others = this.#sources.filter(({ source }) => source.kind === 'trusted').flatMap(linesOf)
    const rivals = others.filter((other) => !has(other) && description.every((word) => other.words.has(word)))
    return rivals.length === 0 || description.some((word) => own.has(word) && rivals.every((r) => !r.words.has(word)))
  }
}

const OWNER: Origin = { kind: 'owner', label: 'you' }
const MODEL: Origin = { kind: 'model', label: 'the model' }

function linesOf(known: Known): NonNullable<Known['lines']> {
  known.lines ??= known.source.text
    .split(/\n|;\s/)
    .filter((line) => line.trim() !== '')
    .map((line) => ({ plain: plain(line), atoms: new Set(atoms(line)), words: new Set(plainWords(line)) }))
  return known.lines
}

/** Does a later "don't …" take back an earlier thing that was asked for? It does when both speak of the same. */
function forbids(later: Clause, earlier: Clause): boolean {
  if (!later.negated || earlier.negated) return false
  const words = new Set(contentWords(earlier.text))
  const shared = contentWords(later.text).filter((word) => words.has(word))
  return shared.length > 1 || (shared.length === 1 && contentWords(later.text).length <= 3)
}

function worst(origins: readonly Origin[]): Origin {
  for (const kind of ['untrusted', 'model', 'unnamed', 'trusted', 'owner'] as const) {
    const found = origins.find((origin) => origin.kind === kind)
    if (found) return found
  }
  return { kind: 'empty', label: 'nothing' }
}
