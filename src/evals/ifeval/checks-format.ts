import { PyError } from '../python/errors.js'
import { parsePythonJson } from '../python/json.js'
import { findAll, pyRegex } from '../text/python-regex.js'
import { removePrefix, removeSuffix, strip, stripEnd, stripStart } from '../text/strings.js'
import { pyLength } from '../text/unicode.js'
import type { MakeCheck } from './instruction.js'

const POSTSCRIPTS: ReadonlyMap<string, string> = new Map([
  ['P.P.S', String.raw`p\.\s?p\.\s?s`],
  ['P.S.', String.raw`p\.\s?s\.`],
])
const FIXED_ANSWERS = ['My answer is yes.', 'My answer is no.', 'My answer is maybe.']

/** Content, format, combinations, beginnings and ends. Source: instruction_following_eval/instructions.py. */
export const FORMAT_CHECKS: Readonly<Record<string, MakeCheck>> = {
  'detectable_content:number_placeholders': (args) => {
    const wanted = args.numberOrDrawn('num_placeholders', 1, 4)
    return (response) => findAll(String.raw`\[.*?\]`, response).length >= wanted
  },
  'detectable_content:postscript': (args) => {
    const marker = strip(args.text('postscript_marker') ?? args.random.choice(['P.S.', 'P.P.S']))
    const pattern = POSTSCRIPTS.get(marker) ?? marker.toLowerCase()
    return (response) => findAll(`\\s*${pattern}.*$`, response.toLowerCase(), 'm').length > 0
  },
  'detectable_format:number_bullet_lists': (args) => {
    const wanted = args.numberOrDrawn('num_bullets', 1, 5)
    return (response) => {
      const stars = findAll(String.raw`^\s*\*[^\*].*$`, response, 'm').length
      return stars + findAll(String.raw`^\s*-.*$`, response, 'm').length === wanted
    }
  },
  'detectable_format:constrained_response': () => (response) =>
    FIXED_ANSWERS.some((answer) => response.includes(answer)),
  'detectable_format:number_highlighted_sections': (args) => {
    const wanted = args.numberOrDrawn('num_highlights', 1, 4)
    return (response) => {
      const single = findAll(String.raw`\*[^\n\*]*\*`, response).filter((text) => strip(strip(text, '*')) !== '')
      const double = findAll(String.raw`\*\*[^\n\*]*\*\*`, response).filter(
        (text) => strip(removeSuffix(removePrefix(text, '**'), '**')) !== '',
      )
      return single.length + double.length >= wanted
    }
  },
  'detectable_format:multiple_sections': (args) => {
    const splitter = strip(args.text('section_spliter') ?? args.random.choice(['Section', 'SECTION']))
    const wanted = args.numberOrDrawn('num_sections', 1, 5)
    return (response) => response.split(pyRegex(String.raw`\s?${splitter}\s?\d+\s?`)).length - 1 >= wanted
  },
  'detectable_format:json_format': () => (response) => isJson(unfenced(response)),
  'detectable_format:title': () => (response) =>
    findAll(String.raw`<<[^\n]+>>`, response).some((title) => strip(stripEnd(stripStart(title, '<'), '>')) !== ''),
  'combination:two_responses': () => (response) => {
    const parts = response.split('******').map((part) => strip(part))
    const filled = parts.filter((part) => part !== '')
    return !parts.slice(1, -1).includes('') && filled.length === 2 && filled[0] !== filled[1]
  },
  'combination:repeat_prompt': (args) => {
    const prompt = strip(args.requiredText('prompt_to_repeat')).toLowerCase()
    return (response) => strip(response).toLowerCase().startsWith(prompt)
  },
  'startend:end_checker': (args) => {
    const given = args.text('end_phrase') ?? args.random.choice(ENDINGS)
    const phrase = strip(given).toLowerCase()
    return (response) => strip(strip(response), '"').toLowerCase().endsWith(phrase)
  },
  'startend:quotation': () => (response) => {
    const text = strip(response)
    return pyLength(text) > 1 && text.startsWith('"') && text.endsWith('"')
  },
}

const ENDINGS = ['Any other questions?', 'Is there anything else I can help with?']

/** Takes away one code fence around the text, with or without the word json. */
function unfenced(response: string): string {
  const opened = ['```json', '```Json', '```JSON', '```'].reduce(removePrefix, strip(response))
  return strip(removeSuffix(opened, '```'))
}

function isJson(text: string): boolean {
  try {
    parsePythonJson(text)
    return true
  } catch (error) {
    if (error instanceof PyError) return false
    throw error
  }
}
