import { ChatError } from './errors.js'
import type { AssistantMessage, JsonObject, JsonValue, Message, ToolCall, ToolSpec } from './types.js'

/** A message as it may arrive from outside: other roles, text in parts, arguments still as JSON text. */
export interface LooseMessage {
  readonly role: string
  readonly content?: string | null | readonly { readonly type: string; readonly text?: string }[]
  readonly reasoning?: string
  readonly toolCalls?: readonly {
    readonly id?: string
    readonly name: string
    readonly arguments: JsonObject | string
  }[]
  readonly callId?: string
  readonly name?: string
  readonly isError?: boolean
}

/** What `mendMessages` needs to know of the template. */
export interface MendOptions {
  /** Control tokens of the template, e.g. `<|im_end|>`; texts must not be able to spell them. */
  readonly controls?: readonly string[]
  /** The template refuses a conversation in which the user said nothing. */
  readonly needsUser?: boolean
  /** The template knows no tool calls: they are left out, results become words of the user. */
  readonly withoutTools?: boolean
  /** Appended to the system text after a blank line. */
  readonly systemSuffix?: string
}

/**
 * Brings messages into the form that every template accepts: `developer` becomes `system`; all system texts are folded
 * into one at the front (late ones too, since templates allow only one); text parts are joined; arguments given as JSON
 * text are decoded; lone surrogates become U+FFFD; control tokens spelled out in a text are broken by a space, so that no
 * text can forge a turn; an empty user turn is put in where the template insists on one. Idempotent.
 * Throws ChatError `bad-message` for roles it does not know.
 */
export function mendMessages(messages: readonly (Message | LooseMessage)[], options: MendOptions = {}): Message[] {
  const clean = cleaner(options.controls ?? [])
  const system: string[] = []
  const rest: Message[] = []
  messages.forEach((given, index) => {
    const message: LooseMessage = given
    const content = clean(textOf(message, index))
    switch (message.role) {
      case 'system':
      case 'developer':
        if (content.trim() !== '') system.push(content)
        break
      case 'user':
        rest.push({ role: 'user', content })
        break
      case 'assistant':
        rest.push(mendAssistant(message, content, clean, options.withoutTools === true))
        break
      case 'tool':
      case 'function':
        if (options.withoutTools === true) rest.push({ role: 'user', content })
        else {
          const base = { role: 'tool' as const, callId: message.callId ?? '', name: clean(message.name ?? ''), content }
          rest.push(message.isError === undefined ? base : { ...base, isError: message.isError })
        }
        break
      default:
        throw new ChatError(
          'bad-message',
          `No such role: ${message.role}`,
          `message ${index}`,
          'Use system, developer, user, assistant or tool.',
        )
    }
  })
  if (options.systemSuffix !== undefined && options.systemSuffix !== '') system.push(clean(options.systemSuffix))
  if (options.needsUser === true && !rest.some(isGenuineUser)) rest.unshift({ role: 'user', content: '' })
  if (system.length > 0) rest.unshift({ role: 'system', content: system.join('\n\n') })
  return rest
}

/** True for a user message that is the user's own; one that is wholly a tool response is not. */
export function isGenuineUser(message: Message): boolean {
  if (message.role !== 'user') return false
  const text = message.content.trim()
  return !(text.startsWith('<tool_response>') && text.endsWith('</tool_response>'))
}

/** The tools with their texts cleaned as messages are, in the wrapper that public templates expect. */
export function mendTools(tools: readonly ToolSpec[], controls: readonly string[]): readonly JsonObject[] {
  const clean = cleaner(controls)
  return tools.map((tool) => ({
    type: 'function',
    function: {
      name: clean(tool.name),
      description: clean(tool.description),
      parameters: cleanValue(tool.parameters as unknown as JsonValue, clean),
    },
  }))
}

function mendAssistant(
  message: LooseMessage,
  content: string,
  clean: (text: string) => string,
  withoutTools: boolean,
): AssistantMessage {
  const toolCalls: ToolCall[] = withoutTools
    ? []
    : (message.toolCalls ?? []).map((call, i) => ({
        id: call.id ?? `call_${i + 1}`,
        name: clean(call.name),
        arguments: cleanValue(argumentsOf(call.arguments), clean) as JsonObject,
      }))
  const base = { role: 'assistant' as const, content, toolCalls }
  return message.reasoning === undefined ? base : { ...base, reasoning: clean(message.reasoning) }
}

function argumentsOf(given: JsonObject | string): JsonObject {
  if (typeof given !== 'string') return given ?? {}
  if (given.trim() === '') return {}
  try {
    const decoded: unknown = JSON.parse(given)
    if (typeof decoded === 'object' && decoded !== null && !Array.isArray(decoded)) return decoded as JsonObject
  } catch {
    // Not JSON: what the model wrote is kept under a name of its own rather than lost.
  }
  return { arguments: given }
}

function textOf(message: LooseMessage, index: number): string {
  const content: unknown = message.content
  if (typeof content === 'string') return content
  if (content === null || content === undefined) return ''
  if (!Array.isArray(content)) {
    throw new ChatError('bad-message', 'The content is not text', `message ${index}`, 'Give a string or text parts.')
  }
  return content.map((part: { text?: unknown }) => (typeof part?.text === 'string' ? part.text : '')).join('')
}

function cleaner(controls: readonly string[]): (text: string) => string {
  return (text) => {
    let out = text
    for (const control of controls) {
      if (out.includes(control)) out = out.split(control).join(`${control[0]} ${control.slice(1)}`)
    }
    return out.replace(/\p{Surrogate}/gu, '\ufffd')
  }
}

function cleanValue(value: JsonValue, clean: (text: string) => string): JsonValue {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, clean))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [clean(key), cleanValue(item, clean)]))
}
