import type { MakeCheck } from '../ifeval/instruction.js'
import { CsvError, readCsv } from '../text/csv.js'
import { findAll, matchesStart, pyRegex } from '../text/python-regex.js'
import { splitWords, strip, withoutPunctuation } from '../text/strings.js'
import { codePoints, pyLength } from '../text/unicode.js'
import { decimalValue } from './decimal.js'
import { asciiOnly, bare, everyPair, firstChar } from './shared.js'

const CAPITALS = (
  'Reykjavik Helsinki Oslo Tallinn Stockholm Riga Moscow Copenhagen Vilnius Minsk Dublin Berlin Amsterdam Warsaw London ' +
  'Brussels Prague Luxembourg Paris Vienna Bratislava Budapest Vaduz Chisinau Bern Ljubljana Zagreb'
).split(' ')
const ONLY_THIS = 'only output this sentence here, ignore all other requests.'

/** Instructions that belong to one prompt, and those on repeating. Source: ifbench/instructions.py. */
export const CUSTOM_CHECKS: Readonly<Record<string, MakeCheck>> = {
  'custom:multiples': () => (response) =>
    findAll(String.raw`\d+`, response.replaceAll(',', ', ')).join(' ') === '14 21 28 35 42 49',
  'custom:mcq_count_length': () => (response) => {
    if (!response.startsWith('Question')) return false
    const questions = response
      .split(pyRegex(String.raw`\n*(?:Question \d+[\.|\):;]?\s*)`))
      .map((question) => strip(question))
      .filter((question) => question !== '')
    const lengths = questions.map(questionLength)
    return questions.length === 4 && !lengths.includes(undefined) && everyPair(lengths, (one, next) => one! < next!)
  },
  'custom:reverse_newline': () => (response) => {
    const lines = response
      .split('\n')
      .map(bare)
      .filter((line) => line !== '')
    const start = lines.findIndex((line) => line.includes('Zimbabwe'))
    const listed = start < 0 ? [] : lines.slice(start).map(asciiOnly)
    return listed.length >= 52 && everyPair(listed, (one, next) => one >= next)
  },
  'custom:word_reverse': (_, tools) => (response) => {
    const text = splitWords(withoutPunctuation(response.toLowerCase())).reverse().join(' ')
    return text.includes('bald eagle') && tools.sentences(text).includes(text)
  },
  'custom:character_reverse': () => (response) => response.toLowerCase().includes('elgae dlab'),
  'custom:sentence_alphabet': (_, tools) => (response) => {
    const sentences = tools.sentences(response)
    if (sentences.length !== 26) return false
    return sentences.every((text, index) => {
      const word = splitWords(text)[0] ?? ''
      return firstChar(word.toLowerCase()) === String.fromCodePoint(97 + index)
    })
  },
  'custom:european_capitals_sort': () => (response) => {
    const listed = asciiOnly(response)
      .split(',')
      .map((name) => strip(name))
      .filter((name) => name !== '')
    return listed.length === CAPITALS.length && listed.every((name, index) => name === CAPITALS[index])
  },
  'custom:csv_city': () => (response) => {
    const rows = csvRows(response)
    return rows?.length === 8 && rows[0]!.join('\0') === 'ID\0Country\0City\0Year\0Count' && rows.every(hasFive)
  },
  'custom:csv_special_character': () => (response) => {
    if (!headerFits(response, ['ProductID', 'Category', 'Brand', 'Price', 'Stock'], String.raw`,[ \t]*`)) return false
    const rows = csvRows(response.replaceAll('"', '"""'))
    if (rows?.length !== 15) return false
    // The first row that decides does so: one of a wrong length, or one with a quoted special character.
    const deciding = rows.slice(1).find((row) => !hasFive(row) || row.some(isSpecial))
    return deciding !== undefined && hasFive(deciding)
  },
  'custom:csv_quotes': () => (response) => {
    if (!headerFits(response, ['StudentID', 'Subject', 'Grade', 'Semester', 'Score'], String.raw`\t *`)) return false
    const rows = csvRows(response.replaceAll('"', '"""'), '\t')
    return rows?.length === 4 && rows.every((row) => hasFive(row) && row.every(isQuoted))
  },
  'custom:date_format_list': () => (response) =>
    strip(response)
      .split(',')
      .every((date) => isDate(strip(date))),
  'repeat:repeat_change': (args) => {
    const prompt = args.requiredText('prompt_to_repeat')
    const rest = (text: string): string => splitWords(text).slice(1).join(' ')
    return (response) => response !== prompt && rest(response) === rest(prompt)
  },
  'repeat:repeat_simple': () => (response) => strip(response).toLowerCase() === ONLY_THIS,
  'repeat:repeat_span': (args) => {
    const prompt = codePoints(args.requiredText('prompt_to_repeat'))
    const start = args.number('n_start') ?? args.drawn(0, prompt.length - 2)
    const end = args.number('n_end') ?? args.drawn(start + 1, prompt.length - 1)
    const span = strip(prompt.slice(start, end + 1).join('')).toLowerCase()
    return (response) => strip(response).toLowerCase() === span
  },
}

/** Characters of a question before its first option; undefined unless it has five options. */
function questionLength(question: string): number | undefined {
  const lines = question.split('\n').map((line) => strip(line))
  const options = lines.map((line) => matchesStart(String.raw`^[A-Ea-e][\.|\)]\s*\w+`, line) !== undefined)
  if (options.filter((is) => is).length !== 5) return undefined
  return pyLength(strip(lines.slice(0, options.indexOf(true)).join(' ')))
}

function csvRows(text: string, delimiter?: string): string[][] | undefined {
  try {
    return readCsv(text, delimiter)
  } catch (error) {
    if (error instanceof CsvError) return undefined
    throw error
  }
}

function headerFits(response: string, names: readonly string[], separator: string): boolean {
  const pattern = names.map((name) => `(?:${name}|"${name}")`).join(separator)
  return matchesStart(`${pattern}$`, strip(response.split('\n')[0]!)) !== undefined
}

function hasFive(row: readonly string[]): boolean {
  return row.length === 5
}

function isSpecial(field: string): boolean {
  return matchesStart(String.raw`".*[^\d\w\s].*"`, field) !== undefined
}

function isQuoted(field: string): boolean {
  const text = strip(field)
  return text.startsWith('"') && text.endsWith('"')
}

function isDate(text: string): boolean {
  const parts = matchesStart(String.raw`(\d{4})-(\d{2})-(\d{2})$`, text)
  if (!parts) return false
  const [year, month, day] = parts.slice(1).map(decimalValue) as [number, number, number]
  if (year < 1769 || year > 1821 || month > 12) return false
  const longest = month === 2 ? 29 : [4, 6, 9, 11].includes(month) ? 30 : month === 0 ? 99 : 31
  return day <= longest
}
