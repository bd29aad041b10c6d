/** Any value that JSON can hold. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }

/** A JSON object, as tool arguments are. */
export type JsonObject = { [key: string]: JsonValue }

/** One tool call as the model made it: `arguments` is already decoded and coerced by the tool's schema. */
export interface ToolCall {
  /** Unique within a conversation; given by the host, the model never sees it in the Qwen dialect. */
  readonly id: string
  readonly name: string
  readonly arguments: JsonObject
}

/** Standing instructions of the application or the owner. */
export interface SystemMessage {
  readonly role: 'system'
  readonly content: string
}

/** What the owner (or a simulated user) said. */
export interface UserMessage {
  readonly role: 'user'
  readonly content: string
}

/** One turn of the model: hidden reasoning, visible text, then calls, in this order. */
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly reasoning?: string
  readonly content: string
  readonly toolCalls: readonly ToolCall[]
}

/** The result of one call. `isError` marks results the model is expected to repair. */
export interface ToolMessage {
  readonly role: 'tool'
  readonly callId: string
  readonly name: string
  readonly content: string
  readonly isError?: boolean
}

/** One message of a conversation. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage

/** A JSON Schema object (draft 2020-12 subset that the grammar and the coercion understand; other keywords pass through). */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: { readonly [key: string]: JsonSchema }
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly enum?: readonly JsonValue[]
  readonly const?: JsonValue
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly [keyword: string]: unknown
}

/** What the model is shown of a tool. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  /** JSON Schema of type object. */
  readonly parameters: JsonSchema
}

/** Text formats of tool calls that we can render and parse; `plain` is chat without tools. */
export type Dialect = 'qwen3.5' | 'hermes' | 'pythonic' | 'plain'
