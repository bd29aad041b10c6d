import { createHash } from 'node:crypto'

/** A request as the corpora hold it. */
export interface CorpusLine {
  readonly text: string
  readonly intent: string
  readonly slots: readonly { readonly name: string; readonly value: string }[]
}

/** A source file as it was fetched: its name below the set's sources, and its bytes. */
export interface SourceFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Lines of each file to be made, by its name below the corpus. */
export type CorpusFiles = ReadonlyMap<string, readonly CorpusLine[]>

/**
 * NLU-Evaluation-Data, first fold of its cross validation: test and training files together are all its requests. Split
 * by {@link hashPercent} of the text: below 70 train, 70 to 84 test, the rest unused.
 */
export function convertHwu64(sources: readonly SourceFile[]): CorpusFiles {
  const lines = readHwu64(sources)
  return splitByText(lines, 70, 85)
}

/** All requests of NLU-Evaluation-Data, each text once. */
export function readHwu64(sources: readonly SourceFile[]): CorpusLine[] {
  const seen = new Map<string, CorpusLine>()
  for (const { bytes } of sources) {
    for (const row of decode(bytes).split(/\r?\n/).slice(1)) {
      const [, scenario, intent, annotation] = semicolonFields(row)
      if (scenario === undefined || intent === undefined || annotation === undefined) continue
      const line = withoutGenitives(fromAnnotation(annotation, `${scenario}_${intent}`))
      if (line.text !== '' && !seen.has(line.text)) seen.set(line.text, line)
    }
  }
  return [...seen.values()]
}

/**
 * SLURP, its files devel and test, without what `others` (NLU-Evaluation-Data) holds too. Split by {@link hashPercent}
 * of the text: below 50 train, 50 to 74 test, the rest unused.
 */
export function convertSlurp(sources: readonly SourceFile[], others: readonly CorpusLine[]): CorpusFiles {
  const known = new Set(others.map(({ text }) => text.toLowerCase()))
  const seen = new Map<string, CorpusLine>()
  for (const { bytes } of sources) {
    for (const row of decode(bytes)
      .split('\n')
      .filter((text) => text.trim() !== '')) {
      const { sentence, sentence_annotation, scenario, action } = record(JSON.parse(row))
      const { slots, intent } = fromAnnotation(String(sentence_annotation), `${String(scenario)}_${String(action)}`)
      const line = { text: squeeze(String(sentence)).toLowerCase(), intent, slots }
      if (line.text !== '' && !known.has(line.text) && !seen.has(line.text)) seen.set(line.text, line)
    }
  }
  return splitByText([...seen.values()], 50, 75)
}

/**
 * Snips: the published training files are train; half of the published validation files, by hash of the text as it
 * stands there, is test. One text stands in both, as published.
 */
export function convertSnips(sources: readonly SourceFile[]): CorpusFiles {
  const files = new Map<string, CorpusLine[]>([
    ['train', []],
    ['test', []],
  ])
  for (const { name, bytes } of sources) {
    const intent = name.split('/')[0] ?? ''
    const train = name.includes('/train_')
    for (const one of list(record(JSON.parse(decode(bytes)))[intent])) {
      const parts = list(record(one).data).map(record)
      const text = parts.map((part) => String(part.text)).join('')
      if (!train && hashPercent(text) >= 50) continue
      const slots = parts
        .filter((part) => typeof part.entity === 'string')
        .map((part) => ({ name: String(part.entity), value: String(part.text).trim() }))
      files.get(train ? 'train' : 'test')?.push({ text: text.trim(), intent, slots })
    }
  }
  return files
}

/** xSID: the validation files are dev; of the test files those whose {@link hashPercent} of "xsid" and id is below 50. */
export function convertXsid(sources: readonly SourceFile[]): CorpusFiles {
  const files = new Map<string, CorpusLine[]>()
  for (const { name, bytes } of sources) {
    const [language = '', kind = ''] = (name.split('/').at(-1) ?? '').split('.')
    const lines: CorpusLine[] = []
    const blocks = decode(bytes).split(/\r?\n\s*\r?\n/)
    for (const [index, block] of blocks.entries()) {
      const head = (key: string): string => new RegExp(`^# ${key}\\s*[=:]\\s*(.*)$`, 'm').exec(block)?.[1]?.trim() ?? ''
      const [id, text, intent] = [head('id') || String(index + 1), head('text'), head('intent')]
      if (text === '' || (kind === 'test' && hashPercent(`xsid${id}`) >= 50)) continue
      const tokens = block
        .split(/\r?\n/)
        .filter((row) => /^\d+\t/.test(row))
        .map((row) => row.split('\t'))
      lines.push({ text, intent, slots: slotsOfTags(text, tokens) })
    }
    files.set(`${language}.${kind === 'valid' ? 'dev' : 'test'}`, lines)
  }
  return files
}

/** The rule of all splits: SHA-256 of the UTF-8 text, read as one hexadecimal number, modulo 100. */
export function hashPercent(text: string): number {
  return Number(BigInt(`0x${createHash('sha256').update(text, 'utf8').digest('hex')}`) % 100n)
}

/** Lines as they are written: JSON with a space after commas and colons, as Python writes it. */
export function formatCorpus(lines: readonly CorpusLine[]): string {
  return lines
    .map(({ text, intent, slots }) => {
      const values = slots.map(
        ({ name, value }) => `{"name": ${JSON.stringify(name)}, "value": ${JSON.stringify(value)}}`,
      )
      return `{"text": ${JSON.stringify(text)}, "intent": ${JSON.stringify(intent)}, "slots": [${values.join(', ')}]}\n`
    })
    .join('')
}

function splitByText(lines: readonly CorpusLine[], train: number, test: number): CorpusFiles {
  const place = lines.map((line) => ({ line, at: hashPercent(line.text) }))
  return new Map([
    ['train', place.filter(({ at }) => at < train).map(({ line }) => line)],
    ['test', place.filter(({ at }) => at >= train && at < test).map(({ line }) => line)],
  ])
}

/** The name without its genitive, as the call has it: "emma" of "emma's birthday". */
function withoutGenitives(line: CorpusLine): CorpusLine {
  return { ...line, slots: line.slots.map(({ name, value }) => ({ name, value: value.replace(/'s$/, '') })) }
}

/** Reads `wake me at [time : nine am]`. */
function fromAnnotation(annotation: string, intent: string): CorpusLine {
  const slots: { name: string; value: string }[] = []
  const text = annotation.replace(/\[\s*([^\][:]*?)\s*:\s*([^\][]*?)\s*\]/g, (_, name: string, value: string) => {
    slots.push({ name, value: squeeze(value) })
    return value
  })
  return { text: squeeze(text), intent, slots }
}

function slotsOfTags(text: string, tokens: readonly (readonly string[])[]): CorpusLine['slots'] {
  const slots: { name: string; from: number; to: number }[] = []
  let at = 0
  for (const [, word = '', , tag = 'O'] of tokens) {
    const found = text.indexOf(word, at)
    const from = found < 0 ? at : found
    const to = found < 0 ? at : found + word.length
    at = to
    const last = slots.at(-1)
    if (tag.startsWith('B-')) slots.push({ name: tag.slice(2), from, to })
    else if (tag.startsWith('I-') && last?.name === tag.slice(2)) last.to = to
  }
  return slots.map(({ name, from, to }) => ({ name, value: text.slice(from, to) }))
}

function semicolonFields(row: string): string[] {
  return [...row.matchAll(/(?:^|;)(?:"((?:[^"]|"")*)"|([^;]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  )
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** UTF-8, else Latin-1: a few of the published files are. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('latin1').decode(bytes)
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
