import type { JsonObject, JsonValue } from '../chat/types.js'
import { resolveWhen } from '../domains/time/index.js'
import { digitise } from '../domains/words/numbers.js'
import type { Effect, Tool } from '../tools/contract.js'
import type { ToolRegistry } from '../tools/registry.js'
import { toolIndex } from '../tools/shortlist.js'
import { CHOICE_WORDS } from './choice-words.js'
import type { Asking, Origin, Provenance, TraceOptions } from './provenance.js'
import { contentWords, plainWords } from './wording.js'

/** How near to the best match of the owner's words a tool must come to count as asked for, and among how many. */
const ASKED_SHARE = 0.7
const ASKED_AMONG = 3
/** The same for a change where the owner's words fit looking best. */
const BEYOND_LOOKING = 0.9

/** A look that lets something out needs only to be among what the owner's words fit: its harm is in its values. */
const LOOKING_SHARE = 0.35
const LOOKING_AMONG = 8

/** Tools that take something away, and the words with which people ask for that; the same for what adds something. */
const REMOVES = /(?:cancel|remove|trash|delete|clear|purge|erase)/i
const REMOVING =
  /\b(?:cancel\w*|delet\w*|remov\w*|eras\w*|clear\w*|trash\w*|drop|off|stop\w*|end|rid|cross|scratch|discard|throw|bin|empty|kill|dismiss|disable\w*|dump|destroy|wipe|take|cut|strike|shut|unset|undo|deactivate|silence|no|not|forget|skip|end|call off)\b/i
const ADDS = /_(?:create|add|set|write|append|log)$/
const ADDING =
  /\b(?:add\w*|creat\w*|set\w*|put\w*|make|mak\w*|new|writ\w*|note\w*|schedul\w*|remind\w*|start\w*|save|log\w*|need|want|wake|append|include|insert|record|book|plan|invite|enter|change|turn|have|buy|get)\b/i

/** Verbs of requests: they say what to do, not with what. */
const DOING = new Set(
  (
    'turn switch make put set get give take do go let start stop keep want need like can could would will you i ll d ve ' +
    'cancel delete remove add move change check show tell read write send create open close look find search list play ' +
    'pause skip trash call name named called up down out off over now again just also too later hey ok okay botpsy thanks ' +
    'thank please all every each any some more there here what which who when where how me us if so not no yes then am pm ' +
    'today tonight tomorrow new old next last first one ones erase drop dump get rid wipe scheduled schedule longer time'
  ).split(' '),
)

/** What a call is judged by. */
export interface AskedContext {
  readonly registry: ToolRegistry
  readonly provenance: Provenance
  readonly now?: () => Date
  readonly timeZone?: string
}

/** What a call does, as far as judging goes. */
export interface Doing {
  readonly effect: Effect
  /** Something leaves the device. */
  readonly leaves: boolean
}

/** Did the owner ask for a call, and where did its values come from? */
export interface Judgement {
  readonly provenance: 'clean' | 'tainted'
  readonly why: string
  readonly origins: ReadonlyMap<string, Origin>
}

/**
 * Judges a call that has an effect or lets something out. Before outside text entered the thread every call is clean.
 * Afterwards it is clean only if one thing that the owner asked for calls for this tool, every value stems from what the
 * owner said of that thing, or from trusted data that they described, and the call is not wider than what they said.
 * Whatever the model wrote counts for nothing.
 */
export function judge(tool: Tool, args: JsonObject, doing: Doing, context: AskedContext): Judgement {
  const { provenance } = context
  const optionsFor = optionsOf(tool, doing.leaves && doing.effect !== 'read', context)
  if (!provenance.exposed) {
    const origins = provenance.traceAll(args, optionsFor())
    return { provenance: 'clean', why: 'nothing from outside was read in this thread', origins }
  }
  let nearest: Judgement | undefined
  for (const asking of askingsFor(tool, doing.effect !== 'read', context)) {
    const origins = provenance.traceAll(args, optionsFor(asking))
    const foul = [...origins].find(([, { kind }]) => kind === 'untrusted' || kind === 'model' || kind === 'unnamed')
    if (!foul && !(doing.effect !== 'read' && widens(tool, args, asking, context))) {
      return { provenance: 'clean', why: 'you asked for it in your own words', origins }
    }
    nearest ??= { provenance: 'tainted', why: foul ? reason(foul) : WIDER, origins }
  }
  if (nearest) return nearest
  const origins = provenance.traceAll(args, optionsFor())
  const foul = [...origins].find(([, { kind }]) => kind === 'untrusted' || kind === 'model')
  return { provenance: 'tainted', why: foul ? reason(foul) : UNASKED, origins }
}

const UNASKED = 'outside text was read, and your own words do not ask for this'
const WIDER = 'outside text was read, and this would reach further than what you said'

function reason([name, origin]: readonly [string, Origin]): string {
  if (origin.kind === 'untrusted') return `${name} comes from ${origin.label}`
  if (origin.kind === 'unnamed') return `${name} comes from ${origin.label}`
  return `${name} was written by ${origin.label} after it read outside text`
}

/** The things that the owner asked for which this tool would do, judged by the shortlist's scores, one by one. */
function askingsFor(tool: Tool, effect: boolean, { registry, provenance }: AskedContext): Asking[] {
  const index = toolIndex(registry)
  return provenance.askings.filter(({ clause }) => {
    if (clause.negated || (effect && clause.asksOnly)) return false
    if (REMOVES.test(tool.name) && !REMOVING.test(clause.text)) return false
    if (ADDS.test(tool.name) && REMOVING.test(clause.text) && !ADDING.test(clause.text)) return false
    const ranked = index.rank(clause.text)
    const best = ranked[0]
    if (!best || best.score <= 0) return false
    const looks = effect && best.name !== tool.name && onlyLooks(registry.get(best.name))
    const share = !effect ? LOOKING_SHARE : looks ? BEYOND_LOOKING : ASKED_SHARE
    return ranked
      .slice(0, effect ? ASKED_AMONG : LOOKING_AMONG)
      .some(({ name, score }) => name === tool.name && score > 0 && score >= share * best.score)
  })
}

function onlyLooks(tool: Tool | undefined): boolean {
  try {
    return tool?.effect({}) === 'read'
  } catch {
    return false
  }
}

/**
 * Does a call leave out what the owner named? "Turn off the kitchen light" does not ask to turn off all lights. True when
 * the owner named something that the tool's own words do not, the tool could be told, and the call holds none of it.
 */
function widens(tool: Tool, args: JsonObject, { clause }: Asking, { registry }: AskedContext): boolean {
  const spec = registry.spec(tool.name)
  const open = Object.entries(spec?.parameters.properties ?? {}).filter(([, schema]) => schema.enum === undefined)
  if (open.length === 0) return false
  // A light too many is soon off again; what is taken away must be what was named, in every word.
  const removes = REMOVES.test(tool.name)
  const own = removes ? vocabulary(registry, tool.field) : undefined
  const named = contentWords(clause.text).filter((word) =>
    own === undefined
      ? SINGLES_OUT.test(word)
      : !DOING.has(word) &&
        !CHOICE_WORDS.has(word) &&
        ![word, word.replace(/s$/, ''), `${word}s`].some((form) => own.has(form)),
  )
  if (named.length === 0) return false
  const held = new Set(plainWords(open.map(([name]) => digits(args[name])).join(' ')))
  return ![...named, ...plainWords(digitise(clause.text.toLowerCase())).filter((word) => /\p{N}/u.test(word))].some(
    (word) => held.has(word),
  )
}

/** Words that single out one of many alike. */
const SINGLES_OUT =
  /^(?:kitchen|bedroom|bathroom|living|dining|hall|hallway|office|garage|garden|cellar|basement|attic|nursery|upstairs|downstairs|porch|patio|front|back|left|right|\p{N}+)$/u

const vocabularies = new WeakMap<
  object,
  Map<string, { readonly version: number; readonly words: ReadonlySet<string> }>
>()

/** The words of all contracts of a field: they name kinds of things, not one of them. */
function vocabulary(registry: ToolRegistry, field: string): ReadonlySet<string> {
  const fields = vocabularies.get(registry) ?? new Map<string, { version: number; words: ReadonlySet<string> }>()
  vocabularies.set(registry, fields)
  const known = fields.get(field)
  if (known?.version === registry.version) return known.words
  const tools = registry.list().filter((tool) => tool.field === field)
  const texts = tools.map(
    (tool) => `${tool.name.replaceAll('_', ' ')} ${JSON.stringify(registry.spec(tool.name) ?? '')}`,
  )
  const words = new Set(plainWords(texts.join(' ')))
  fields.set(field, { version: registry.version, words })
  return words
}

function digits(value: JsonValue | undefined): string {
  const text = value === undefined ? '' : JSON.stringify(value)
  return `${text} ${digitise(text.toLowerCase())}`
}

/** How the arguments of a tool are traced, given what the owner asked. */
function optionsOf(tool: Tool, exact: boolean, { registry, now, timeZone }: AskedContext) {
  const properties = registry.spec(tool.name)?.parameters.properties ?? {}
  const members = new Set<string>()
  const collect = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'properties' && typeof value === 'object' && value !== null) {
        for (const name of Object.keys(value)) members.add(name)
      }
      collect(value)
    }
  }
  collect(properties)
  return (asking?: Asking) =>
    (name: string): TraceOptions => {
      const choices: readonly JsonValue[] | undefined = properties[name]?.enum
      return {
        members,
        // Words in another order may name another recipient; the sense of a note does not hang on it.
        exact,
        ...(asking ? { words: asking.words } : {}),
        ...(choices ? { choices } : {}),
        ...(now && timeZone ? { sameTime: (iso, words) => sameTime(iso, words, now(), timeZone) } : {}),
      }
    }
}

/** Does an ISO date or time say what the time in these words is? */
function sameTime(iso: string, words: string, now: Date, zone: string): boolean {
  const read = (text: string): string | undefined => {
    const when = resolveWhen(text, { now, zone })
    if (when.kind !== 'resolved') return undefined
    return `${when.start.getTime()}${when.allDay ? ' day' : ''}`
  }
  try {
    const said = words.split('\n').map(read)
    const meant = read(iso)
    return meant !== undefined && said.includes(meant)
  } catch {
    return false
  }
}
