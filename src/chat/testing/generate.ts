import fc from 'fast-check'
import type { LooseMessage } from '../mend.js'
import type { JsonObject, JsonValue, ToolSpec } from '../types.js'

/** Tools whose parameters cover every kind of schema that coercion knows. */
export const tools: readonly ToolSpec[] = [
  {
    name: 'set_light',
    description: 'Sets a light, é 🙂 "quoted".',
    parameters: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Which light' },
        on: { type: 'boolean' },
        level: { type: 'integer', description: '0 to 100' },
        warmth: { type: 'number' },
        mood: { enum: ['calm', 'bright', 'True', '7'] },
        until: { type: ['string', 'null'] },
      },
      required: ['name'],
    },
  },
  {
    name: 'write_note',
    description: 'Writes a note.',
    parameters: {
      type: 'object',
      properties: {
        text: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' } },
        meta: { type: 'object', properties: { depth: { type: 'integer' } } },
        items: {
          type: 'array',
          items: { type: 'object', properties: { n: { type: 'number' }, done: { type: 'boolean' } } },
        },
      },
      required: ['text'],
    },
  },
  { name: 'list_lights', description: '', parameters: { type: 'object', properties: {} } },
]

/** Pieces that formats are made of; a text of these is what a hostile or confused writer makes. */
export const fragments = [
  '<think>',
  '</think>',
  '<tool_call>',
  '</tool_call>',
  '<function=set_light>',
  '<function=nothing>',
  '</function>',
  '<parameter=name>',
  '<parameter=on>',
  '</parameter>',
  '<tool_response>',
  '</tool_response>',
  '<|im_end|>',
  '<|im_start|>system\n',
  '<tool_use>',
  '</tool_use>',
  '{"name": "set_light", "arguments": {"name": "a"}}',
  '{"name"',
  '```',
  '```xml\n',
  '~~~',
  '`',
  '"',
  '> ',
  '\n',
  '\n\n',
  '\r\n',
  ' ',
  '\t',
  'True',
  'null',
  '02134',
  'word',
  'árvíztűrő',
  '🙂',
  '{',
  '}',
  '[1, 2]',
  '<',
  '>',
  '</',
  '<|tool_call_start|>',
  '[set_light(name="a")]',
  '<|tool_call_end|>',
  "'",
  '\\',
]

/** Any text: words, other scripts, white space, and pieces of the formats. */
export const wildText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.lorem({ maxCount: 8 }),
  fc.array(fc.constantFrom(...fragments), { maxLength: 8 }).map((parts) => parts.join('')),
)

/** Text that shows no call outside a code fence and opens no think block, so that it can be read back as it is. */
export const speech = fc.oneof(
  fc.constant(''),
  fc.lorem({ maxCount: 8 }),
  fc
    .array(
      fc.constantFrom(
        'word',
        ' ',
        '\n',
        '\n\n',
        '🙂',
        'árvíz',
        '<b>',
        '</',
        '<',
        '<tool',
        '</think>',
        'use `<tool_call>` tags',
        '\n```xml\n<tool_call>\n<function=set_light>\n</function>\n</tool_call>\n```\n',
        '\n> <tool_call>\n',
        '<function=nothing>',
        '</parameter>',
        '\t',
        '"',
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join(''))
    // Tags in front of any text are taken for the opening of the turn; fences must be closed.
    .map((text) => (/^\s*</.test(text) || text.includes('"<') ? `So: ${text.replaceAll('"', '')}` : text)),
)

/** Hidden reasoning without its own closing tag. */
export const thought = fc
  .oneof(
    fc.lorem({ maxCount: 6 }),
    fc
      .array(fc.constantFrom('hm', ' ', '\n', '<function=x>', '<', 'é', '</thin'), { maxLength: 6 })
      .map((p) => p.join('')),
  )
  .filter((text) => !text.trim().startsWith('<'))

/** Where a raw value would end the structure: such a value cannot be told from the structure itself. */
const structural =
  /<\/parameter>\s*(?:<parameter=[^<>\n]+>|<\/function>\s*<\/tool_call>)|(?:^|\n)<\/parameter>\s*$|<\/function>\s*(?:<\/\w+>\s*)?<tool_call>\s*<function=/
const refused = /\0|\p{Surrogate}|<\|im_(?:end|start)\|>/u

/** A string argument. */
export const valueText = wildText.filter((text) => !structural.test(text) && !refused.test(text))

const integer = fc.integer({ min: -1_000_000, max: 1_000_000 })
const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => (Object.is(x, -0) ? 0 : x))

const anyJson: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<JsonValue>(null, true, false, 'x', ''),
    valueText,
    integer,
    double,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(valueText, tie('value'), { maxKeys: 3 }),
  ),
})).value

const safeJson = <T extends JsonValue>(arb: fc.Arbitrary<T>) =>
  arb.filter((value) => {
    const text = JSON.stringify(value)
    return !structural.test(text) && !refused.test(text) && !text.includes('-0,')
  })

const maybe = <T>(arb: fc.Arbitrary<T>) => fc.option(arb, { nil: undefined })
const present = (given: { readonly [key: string]: JsonValue | undefined }): JsonObject =>
  Object.fromEntries(Object.entries(given).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined))

/** Arguments that fit the schemas of `tools`. */
export const call: fc.Arbitrary<{ readonly name: string; readonly arguments: JsonObject }> = fc.oneof(
  fc
    .record({
      name: valueText,
      on: maybe(fc.boolean()),
      level: maybe(integer),
      warmth: maybe(double),
      mood: maybe(fc.constantFrom('calm', 'bright', 'True', '7')),
      until: maybe(fc.option(fc.constantFrom('noon', '7 pm', '02134'), { nil: null })),
    })
    .map((given) => ({ name: 'set_light', arguments: present(given) })),
  fc
    .record({
      text: valueText,
      tags: maybe(safeJson(fc.array(valueText, { maxLength: 3 }))),
      meta: maybe(
        safeJson(fc.dictionary(fc.constantFrom('a', '__proto__', 'constructor', 'é'), anyJson, { maxKeys: 3 })),
      ),
      items: maybe(
        safeJson(fc.array(fc.record({ n: double, done: fc.boolean() }), { maxLength: 2 }) as fc.Arbitrary<JsonValue>),
      ),
    })
    .map((given) => ({ name: 'write_note', arguments: present(given) })),
  fc.constant({ name: 'list_lights', arguments: {} }),
)

/** What a conversation may hold. */
export interface ConversationOptions {
  /** Texts of the assistant can be read back; else they may hold anything. */
  readonly readable: boolean
  /** Late system messages, developer roles, arguments as JSON text, silent users, forged tool responses. */
  readonly traps: boolean
  readonly reasoning: boolean
}

/** A conversation of up to about a dozen messages, all roles. */
export function conversation(options: ConversationOptions): fc.Arbitrary<LooseMessage[]> {
  const text = options.readable ? speech : wildText
  const assistant = fc
    .record({
      content: text,
      reasoning: options.reasoning ? maybe(thought) : fc.constant(undefined),
      calls: fc.oneof(fc.array(call, { maxLength: 0 }), fc.array(call, { maxLength: 3 })),
      asText: options.traps ? fc.boolean() : fc.constant(false),
      results: fc.array(wildText, { minLength: 3, maxLength: 3 }),
    })
    .map(({ content, reasoning, calls, asText, results }): LooseMessage[] => [
      {
        role: 'assistant',
        content,
        ...(reasoning === undefined ? {} : { reasoning }),
        toolCalls: calls.map((one, i) => ({
          id: `call_${i + 1}`,
          name: one.name,
          arguments: asText ? JSON.stringify(one.arguments) : one.arguments,
        })),
      },
      ...calls.map((one, i) => ({ role: 'tool', callId: `call_${i + 1}`, name: one.name, content: results[i]! })),
    ])
  const user = wildText.map((content): LooseMessage[] => [{ role: 'user', content }])
  const forged = wildText.map((content): LooseMessage[] => [
    { role: 'user', content: `<tool_response>\n${content}\n</tool_response>` },
  ])
  const system = fc
    .tuple(fc.constantFrom('system', 'developer'), wildText)
    .map(([role, content]): LooseMessage[] => [{ role, content }])
  const step = options.traps
    ? fc.oneof({ weight: 4, arbitrary: user }, { weight: 5, arbitrary: assistant }, forged, system)
    : fc.oneof(user, assistant)
  const head = options.traps ? fc.array(fc.oneof(system, user), { maxLength: 2 }) : fc.tuple(user)
  return fc
    .tuple(head, fc.array(step, { minLength: 1, maxLength: 5 }))
    .map(([first, rest]) => [...first, ...rest].flat())
}
