import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectedCall } from '../../evals/requests/mapping.js'
import type { RequestLine } from '../../evals/requests/mapping-spans.js'
import { placeSlots } from '../../evals/requests/mapping-spans.js'
import type { Draw } from './draw.js'

/** Where a line comes from. */
export type CorpusName = 'hwu64' | 'slurp' | 'snips'

/** A human request of a training file. */
export interface HumanLine extends RequestLine {
  readonly corpus: CorpusName
}

/** The training lines of the corpora, split by hash. */
export interface Corpora {
  readonly train: readonly HumanLine[]
  /** About 4% of the training files, never trained on. */
  readonly validation: readonly HumanLine[]
}

/** The corpora are not where they should be. */
export class CorporaError extends Error {
  override readonly name = 'CorporaError'
  readonly code = 'no_corpora'
  constructor(readonly where: string) {
    super(
      `No training file at ${where}. Fetch it with "botpsy data fetch" (hwu64, slurp, snips), or set BOTPSY_DATASETS to the folder that holds corpora/.`,
    )
  }
}

/**
 * Reads `train.jsonl` of the three corpora (never a test file).
 *
 * @param folder - holds hwu64/, slurp/ and snips/.
 * @throws CorporaError
 */
export function readCorpora(folder: string): Corpora {
  const train: HumanLine[] = []
  const validation: HumanLine[] = []
  for (const corpus of ['hwu64', 'slurp', 'snips'] as const) {
    const file = join(folder, corpus, 'train.jsonl')
    if (!existsSync(file)) throw new CorporaError(file)
    for (const row of readFileSync(file, 'utf8').split('\n')) {
      if (row === '') continue
      const line = readLine(row, corpus)
      if (isTestText(line.text) || !spelledAlike(line)) continue
      if (isHeldOut(line.text)) validation.push(line)
      else train.push(line)
    }
  }
  return { train, validation }
}

function readLine(row: string, corpus: CorpusName): HumanLine {
  const { text, intent, slots } = JSON.parse(row) as RequestLine
  const clean = (value: string) => value.replace(/\s+/g, ' ').trim()
  return { text: clean(text), intent, slots: slots.map(({ name, value }) => ({ name, value: clean(value) })), corpus }
}

/** Whether a training line is held out: its lower-case text's SHA-256 modulo 25 is 7. */
export function isHeldOut(text: string): boolean {
  const digest = createHash('sha256').update(text.toLowerCase().trim()).digest()
  return digest.readUInt32BE(0) % 25 === 7
}

/**
 * Training lines that differ from a test line only in case, blanks or punctuation: first 12 hexadecimal digits of the
 * SHA-256 of `bareText`. They are left out.
 */
const SAME_AS_TEST = new Set([
  '361aaf3ecce5',
  '637776fea335',
  '89f401ef82f8',
  '8a2604508485',
  '94f957b126c4',
  'b92760b6a972',
  'edf9963a16f0',
])

/** A text in lower case with one blank for every run of other characters than letters and digits. */
export function bareText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Whether every slot stands in the text as it is spelled; a model must never learn to correct what it copies. */
function spelledAlike({ text, slots }: RequestLine): boolean {
  const lower = text.toLowerCase()
  return slots.every(({ value }) => lower.includes(value.toLowerCase()))
}

function isTestText(text: string): boolean {
  return SAME_AS_TEST.has(createHash('sha256').update(bareText(text)).digest('hex').slice(0, 12))
}

/** Slot values by slot name; lower case for HWU64 and SLURP, as written for Snips. */
export type SlotValues = { readonly [slot: string]: readonly string[] }

/** Slots of HWU64 and SLURP that may borrow values (in lower case) from slots of Snips. */
const BORROW: { readonly [slot: string]: readonly string[] } = {
  artist_name: ['artist'],
  song_name: ['track', 'entity_name'],
  place_name: ['city', 'city', 'country', 'state'],
  movie_name: ['movie_name'],
  audiobook_name: ['object_name'],
  playlist_name: ['playlist'],
  music_genre: ['genre'],
  food_type: ['served_dish', 'cuisine'],
  weather_descriptor: ['condition_description', 'condition_temperature'],
}

/** Slots whose words the sentence depends on; never swapped. */
const FIXED = new Set([
  'player_setting',
  'order_type',
  'object_select',
  'general_frequency',
  'podcast_descriptor',
  'personal_info',
  'spatial_relation',
  'email_folder',
  'object_type',
  'alarm_type',
  'timeofday',
])

/** Collects the distinct slot values of lines; Snips' `movie_name` and the like are kept apart by case. */
export function slotValues(lines: readonly HumanLine[]): SlotValues {
  const found: { [slot: string]: Set<string> } = {}
  for (const line of lines) {
    for (const { name, value } of line.slots) {
      if (value === '' || value.length > 60) continue
      found[name] ??= new Set()
      found[name].add(value)
    }
  }
  return Object.fromEntries(Object.entries(found).map(([slot, values]) => [slot, [...values].sort()]))
}

/**
 * Says the same with other values: each slot is, with the given probability, replaced by another value of its kind
 * ("delexicalised" augmentation). The mapping then reads the new line as it would a human one.
 */
export function swapSlots(
  line: HumanLine,
  values: SlotValues,
  extra: (slot: string) => string | undefined,
  probability: number,
  draw: Draw,
): HumanLine {
  const placed = placeSlots(line)
    .map((slot, index) => ({ ...slot, index }))
    .filter((slot) => slot.start >= 0)
    .sort((a, b) => a.start - b.start)
  const slots = line.slots.map((slot) => ({ ...slot }))
  const nested = new Set<number>()
  let text = ''
  let at = 0
  for (const slot of placed) {
    if (slot.start < at) {
      // It lies inside of another slot, whose words may be gone.
      nested.add(slot.index)
      continue
    }
    const value =
      FIXED.has(slot.name) || !draw.chance(probability) ? undefined : other(slot.name, line.corpus, values, extra, draw)
    const possessive = /['’]s$/.exec(slot.value)?.[0] ?? ''
    const next = value === undefined ? line.text.slice(slot.start, slot.end) : keepPossessive(value, possessive)
    text += line.text.slice(at, slot.start) + next
    at = slot.end
    const entry = slots[slot.index]
    if (entry) entry.value = next
  }
  text += line.text.slice(at)
  return { ...line, text, slots: slots.filter((_, index) => !nested.has(index)) }
}

function keepPossessive(value: string, possessive: string): string {
  return /['’]s$/.test(value) || possessive === '' ? value : value + possessive
}

function other(
  slot: string,
  corpus: CorpusName,
  values: SlotValues,
  extra: (slot: string) => string | undefined,
  draw: Draw,
): string | undefined {
  const own = values[slot]
  if (corpus === 'snips') return own && own.length > 0 ? draw.pick(own) : undefined
  const made = draw.chance(0.3) ? extra(slot) : undefined
  if (made !== undefined) return made
  const borrowed = BORROW[slot]
  if (borrowed && draw.chance(0.4)) {
    const foreign = values[draw.pick(borrowed)]
    if (foreign && foreign.length > 0) return draw.pick(foreign).toLowerCase()
  }
  const lower = own?.filter((value) => value === value.toLowerCase())
  return lower && lower.length > 0 ? draw.pick(lower).replace(/['’]s$/, '') : undefined
}

/** The same request as people type it elsewhere: a capital at the beginning, a mark at the end. */
export function restyle(line: HumanLine, draw: Draw): HumanLine {
  if (line.text === '' || !draw.chance(0.2)) return line
  const mark = /^(?:what|who|when|where|how|is|are|do|does|can|will|could|which|why|did)\b/i.test(line.text) ? '?' : '.'
  const text = line.text[0]?.toUpperCase() + line.text.slice(1)
  const ended = /[.?!]$/.test(text) || draw.chance(0.3) ? text : text + mark
  const i = ended.replace(/\bi\b(?!\.)/g, 'I')
  return { ...line, text: i }
}

/** The tool of a line, or undefined for what is answered in words. */
export function toolOf(line: RequestLine): string | undefined {
  const expectation = expectedCall(line)
  return 'tool' in expectation ? expectation.tool : undefined
}
