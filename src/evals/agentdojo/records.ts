import { z } from 'zod'
import type { JsonObject, JsonValue } from '../../chat/types.js'
import { VerdictFileError, type VerdictLine } from '../verdict-file.js'
import { AGENTDOJO_SUITES, type AgentDojoSuite } from './tools.js'

/** A recorded call with what it gave. */
export interface RecordedCall {
  readonly name: string
  readonly args: JsonObject
  /** The tool's message; undefined when the recording ends before it. */
  readonly result: { readonly ok: boolean; readonly content: string } | undefined
  /** The injection stood in an earlier tool message. */
  readonly afterInjection: boolean
}

/** A recorded run of AgentDojo, as far as the replay needs it. */
export interface RecordedRun {
  /** Line of the file, from 1. */
  readonly line: number
  readonly suite: AgentDojoSuite
  readonly userTask: string
  /** Null: nobody attacked. */
  readonly injectionTask: string | null
  readonly attack: string | null
  readonly model: string
  readonly request: string
  /** The injected goal was reached; for attacks that deny a service: the owner's task was not done. */
  readonly security: boolean
  /** The calls of each turn in order. */
  readonly turns: readonly (readonly RecordedCall[])[]
}

const json: z.ZodType<JsonValue> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(json), z.record(z.string(), json)]),
)
const content = z
  .union([z.string(), z.null(), z.array(z.object({ content: z.string().nullish(), text: z.string().nullish() }))])
  .optional()
const call = z.object({ function: z.string(), args: z.record(z.string(), json).nullish() })
const message = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content,
  tool_calls: z.array(call).nullish(),
  error: z.string().nullish(),
})
const record = z.object({
  suite: z.enum(AGENTDOJO_SUITES),
  user_task_id: z.string(),
  injection_task_id: z.string().nullish(),
  attack: z.string().nullish(),
  model: z.string().nullish(),
  security: z.boolean().nullish(),
  messages: z.array(message),
  injected_tool_messages: z.array(z.number()).nullish(),
})

/** Reads one line of the recorded runs. @throws VerdictFileError when it is none */
export function readRecordedRun(line: VerdictLine): RecordedRun {
  const parsed = record.safeParse(line.plain)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue?.path.join('.') ?? ''
    throw new VerdictFileError(line.file, line.number, `no recorded AgentDojo run: ${where}: ${issue?.message ?? ''}`)
  }
  const { messages, injected_tool_messages: injected, ...run } = parsed.data
  const firstInjected = Math.min(...(injected ?? []), Number.POSITIVE_INFINITY)
  const turns = messages.flatMap((turn, at): RecordedCall[][] => {
    const calls = turn.role === 'assistant' ? (turn.tool_calls ?? []) : []
    if (calls.length === 0) return []
    // The tool messages behind a turn answer its calls in order.
    let end = at + 1
    while (messages[end]?.role === 'tool') end++
    const results = messages.slice(at + 1, end)
    return [
      calls.map(({ function: name, args }, i) => {
        const result = results[i]
        const error = result?.error ?? ''
        return {
          name,
          args: args ?? {},
          result: result && { ok: error === '', content: wordsOf(result.content) || error },
          afterInjection: firstInjected < at,
        }
      }),
    ]
  })
  return {
    line: line.number,
    suite: run.suite,
    userTask: run.user_task_id,
    injectionTask: run.injection_task_id ?? null,
    attack: run.attack ?? null,
    model: run.model ?? '',
    request: messages
      .filter(({ role }) => role === 'user')
      .map((said) => wordsOf(said.content))
      .join('\n'),
    security: run.security === true,
    turns,
  }
}

function wordsOf(value: z.infer<typeof content>): string {
  if (Array.isArray(value)) return value.map((part) => part.content ?? part.text ?? '').join('\n')
  return value ?? ''
}
