import { z } from 'zod'
import type { JsonObject, JsonSchema, JsonValue, Message, ToolSpec } from '../../chat/types.js'
import { SftError } from './sft-error.js'

/**
 * One training example: a conversation, or many independent exchanges under one system turn (the tool prompt is then
 * paid for once).
 */
export interface Conversation {
  readonly tools?: readonly ToolSpec[]
  /** Application text of the system turn; in `messages` it may as well be the first message. */
  readonly system?: string
  /** One conversation. Exactly one of `messages` and `exchanges` is there. */
  readonly messages?: readonly Message[]
  /** Independent conversations, each taught as if it alone followed the system turn. */
  readonly exchanges?: readonly (readonly Message[])[]
  /** Loss weight of each assistant message, in order; default 1 each. 0 shows a turn without teaching it. */
  readonly weights?: readonly number[]
}

const json: z.ZodType<JsonValue> = z.json() as z.ZodType<JsonValue>
const object: z.ZodType<JsonObject> = z.record(z.string(), json)

const ToolCallShape = z.object({ id: z.string().optional(), name: z.string().min(1), arguments: object.default({}) })

const MessageShape = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: z.string() }),
  z.object({ role: z.literal('user'), content: z.string() }),
  z.object({
    role: z.literal('assistant'),
    reasoning: z.string().optional(),
    content: z.string().default(''),
    toolCalls: z.array(ToolCallShape).default([]),
  }),
  z.object({
    role: z.literal('tool'),
    callId: z.string().default(''),
    name: z.string().default(''),
    content: z.string(),
    isError: z.boolean().optional(),
  }),
])

const ConversationShape = z
  .strictObject({
    tools: z.array(z.object({ name: z.string().min(1), description: z.string(), parameters: object })).optional(),
    system: z.string().optional(),
    messages: z.array(MessageShape).min(1).optional(),
    exchanges: z.array(z.array(MessageShape).min(1)).min(1).optional(),
    weights: z.array(z.number().nonnegative()).optional(),
  })
  .refine((value) => (value.messages === undefined) !== (value.exchanges === undefined), {
    message: 'give exactly one of messages and exchanges',
  })

/**
 * Reads one line of a training file (JSON, the shape of {@link Conversation}; call ids may be left out).
 * @param where for the error, e.g. `train.jsonl:12`.
 * @throws {SftError} `bad-data` naming the member that is wrong.
 */
export function parseConversation(line: string, where: string): Conversation {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    throw new SftError('bad-data', where, `is not JSON (${(error as Error).message}).`, 'Write one object a line.')
  }
  const parsed = ConversationShape.safeParse(value)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new SftError('bad-data', where, `${issue?.path.join('.') || 'the line'}: ${issue?.message ?? 'wrong'}.`)
  }
  const { tools, system, messages, exchanges, weights } = parsed.data
  const turns = (messages ?? exchanges?.flat() ?? []).filter((message) => message.role === 'assistant').length
  if (turns === 0) throw new SftError('bad-data', where, 'has no assistant message, so nothing to learn.')
  if (weights !== undefined && weights.length !== turns) {
    throw new SftError('bad-data', where, `has ${weights.length} weights for ${turns} assistant messages.`)
  }
  return {
    ...(messages === undefined ? {} : { messages: messages.map(toMessage) }),
    ...(exchanges === undefined ? {} : { exchanges: exchanges.map((exchange) => exchange.map(toMessage)) }),
    ...(tools === undefined
      ? {}
      : { tools: tools.map((tool) => ({ ...tool, parameters: tool.parameters as JsonSchema })) }),
    ...(system === undefined ? {} : { system }),
    ...(weights === undefined ? {} : { weights }),
  }
}

function toMessage(message: z.infer<typeof MessageShape>, index: number): Message {
  if (message.role === 'assistant') {
    const { reasoning, content } = message
    const toolCalls = message.toolCalls.map((call, c) => ({ ...call, id: call.id ?? `call_${index}_${c}` }))
    return { role: 'assistant', content, toolCalls, ...(reasoning === undefined ? {} : { reasoning }) }
  }
  if (message.role === 'tool') {
    const { isError, ...rest } = message
    return { ...rest, ...(isError === undefined ? {} : { isError }) }
  }
  return message
}
