import fc from 'fast-check'
import { z } from 'zod'
import { parseAll } from '../chat/parse-all.js'
import { render } from '../chat/render.js'
import { ChatTemplate } from '../chat/template.js'
import type { Engine } from '../engine/contract.js'
import { CALL_OPENING, callGrammar } from '../tools/grammar.js'
import { toolSpec } from '../tools/tool-spec.js'
import { validateArguments } from '../tools/validate.js'
import { collect } from './collect.js'

/** A tool as far as a model and the check of its arguments see it. */
export interface RandomTool {
  readonly name: string
  readonly description: string
  readonly parameters: z.ZodObject
}

const names = fc.stringMatching(/^[a-z][a-z_]{1,11}$/)

const leaf: fc.Arbitrary<z.ZodType> = fc.oneof(
  fc.constant(z.string()),
  fc.constant(z.string().min(1)),
  fc.constant(z.int()),
  fc.constant(z.int().min(0)),
  fc.constant(z.number()),
  fc.constant(z.boolean()),
  fc
    .uniqueArray(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 _-]{0,9}$/), { minLength: 1, maxLength: 5 })
    .map((values) => z.enum(values as [string, ...string[]])),
)

const object = (value: fc.Arbitrary<z.ZodType>, most: number): fc.Arbitrary<z.ZodObject> =>
  fc
    .uniqueArray(fc.tuple(names, value, fc.boolean()), { maxLength: most, selector: ([name]) => name })
    .map((members) =>
      z.object(Object.fromEntries(members.map(([name, type, needed]) => [name, needed ? type : type.optional()]))),
    )

const value: fc.Arbitrary<z.ZodType> = fc.oneof(
  { weight: 5, arbitrary: leaf },
  {
    weight: 1,
    arbitrary: fc.tuple(leaf, fc.integer({ min: 1, max: 5 })).map(([item, most]) => z.array(item).max(most)),
  },
  { weight: 1, arbitrary: object(leaf, 3) },
  { weight: 1, arbitrary: fc.tuple(leaf, leaf).map(([a, b]) => z.union([a, b])) },
)

/** One to four tools with up to eight parameters each: plain values, enumerations, lists, objects, alternatives. */
export const randomTools: fc.Arbitrary<readonly RandomTool[]> = fc.uniqueArray(
  fc.record({ name: names, description: fc.constant('Do it.'), parameters: object(value, 8) }),
  { minLength: 1, maxLength: 4, selector: ({ name }) => name },
)

/** What a model wrote where it had to write a call. */
export interface ConstrainedCall {
  /** `whole`: one call, read and valid. `cut`: the limit of tokens came first. `wrong`: anything else. */
  readonly verdict: 'whole' | 'cut' | 'wrong'
  readonly text: string
  readonly tokens: number
  readonly problem: string
}

/** Has a model write one constrained call of some tools at temperature 2 and reads it back as the host does. */
export async function constrainedCall(
  engine: Engine,
  tools: readonly RandomTool[],
  seed: number,
  maxTokens: number,
): Promise<ConstrainedCall> {
  const { chatTemplate, dialect } = engine.model
  const specs = tools.map(toolSpec)
  const grammar = callGrammar(specs, dialect)
  if (chatTemplate === undefined || grammar === undefined) throw new Error('the model has no template or no calls')
  const request = { messages: [{ role: 'user', content: 'do it' } as const], tools: specs, think: false }
  const prompt = `${render(new ChatTemplate(chatTemplate), request).text}${CALL_OPENING}`
  const written = await collect(engine, {
    prompt,
    // From the first token: the opening stands in the prompt.
    grammar: { gbnf: grammar.gbnf },
    sampling: { temperature: 2, topK: 0, topP: 1, minP: 0, seed },
    maxTokens,
    stopTexts: [],
  })
  const result = { text: written.text, tokens: written.ids.length }
  if (written.stop === 'length') return { ...result, verdict: 'cut', problem: '' }
  const { message, malformed } = parseAll(CALL_OPENING + written.text, { dialect, tools: specs })
  const [call, ...others] = message.toolCalls
  const tool = tools.find(({ name }) => name === call?.name)
  if (call === undefined || tool === undefined || others.length > 0 || malformed.length > 0)
    return { ...result, verdict: 'wrong', problem: malformed[0]?.message ?? `${message.toolCalls.length} calls` }
  const checked = validateArguments(tool, call.arguments)
  return checked.ok
    ? { ...result, verdict: 'whole', problem: '' }
    : { ...result, verdict: 'wrong', problem: checked.message }
}
