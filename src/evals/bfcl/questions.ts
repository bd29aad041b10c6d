import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Message } from '../../chat/types.js'
import { benchmarkPath } from '../datasets-place.js'
import { parsePythonJson } from '../python/json.js'
import { PyDict } from '../python/values.js'
import { BfclDataError } from './cases.js'
import { hintedDocument } from './function-docs.js'

/** The categories that are one question each. */
export const SINGLE_TURN_CATEGORIES = [
  'simple_python',
  'simple_java',
  'simple_javascript',
  'multiple',
  'parallel',
  'parallel_multiple',
  'irrelevance',
  'live_simple',
  'live_multiple',
  'live_parallel',
  'live_parallel_multiple',
  'live_irrelevance',
  'live_relevance',
] as const

/** A question with the documents that a model is shown. */
export interface BfclQuestion {
  readonly id: string
  readonly category: string
  readonly messages: readonly Message[]
  /** With the language's hints. */
  readonly documents: readonly PyDict[]
}

const lineSchema = z.looseObject({
  id: z.string(),
  question: z.array(z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))).min(1),
})

/** The questions of a category in the file's order. @throws MissingDataError, BfclDataError */
export async function readQuestions(category: string, datasets?: string): Promise<BfclQuestion[]> {
  const name = `BFCL_v4_${category}.json`
  const content = await readFile(join(benchmarkPath('bfcl_v4/data', datasets), name), 'utf8')
  return content
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const parsed = lineSchema.safeParse(JSON.parse(line))
      const exact = parsePythonJson(line)
      const documents = exact instanceof PyDict ? exact.get('function') : undefined
      if (!parsed.success || !Array.isArray(documents))
        throw new BfclDataError(name, '?', 'not a question with functions')
      const messages = (parsed.data.question[0] ?? []).map(
        ({ role, content: text }): Message =>
          role === 'assistant' ? { role, content: text, toolCalls: [] } : { role, content: text },
      )
      return {
        id: parsed.data.id,
        category,
        messages,
        documents: documents.filter((one) => one instanceof PyDict).map((one) => hintedDocument(one, category)),
      }
    })
}

/** Puts a system prompt first; one that the question brings follows it. */
export function withSystem(messages: readonly Message[], prompt: string): Message[] {
  const [first, ...rest] = messages
  return first?.role === 'system'
    ? [{ role: 'system', content: `${prompt}\n\n${first.content}` }, ...rest]
    : [{ role: 'system', content: prompt }, ...messages]
}
