import { z } from 'zod'
import type { Message, ToolSpec } from '../../chat/types.js'

const Logprob = z.object({ token: z.string(), logprob: z.number() })

const CallDelta = z.object({
  index: z.number().int().nonnegative().nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
})

/** Token accounting as endpoints report it. */
export const WireUsage = z.object({
  prompt_tokens: z.number().nullish(),
  completion_tokens: z.number().nullish(),
  prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
  completion_tokens_details: z.object({ reasoning_tokens: z.number().nullish() }).nullish(),
})

/** One chunk of a streamed chat or text completion; unknown members pass. */
export const WireChunk = z.object({
  error: z.unknown().optional(),
  choices: z
    .array(
      z.object({
        index: z.number().nullish(),
        text: z.string().nullish(),
        delta: z
          .object({
            content: z.string().nullish(),
            reasoning_content: z.string().nullish(),
            reasoning: z.string().nullish(),
            tool_calls: z.array(CallDelta).nullish(),
          })
          .nullish(),
        logprobs: z
          .object({
            content: z.array(Logprob).nullish(),
            tokens: z.array(z.string()).nullish(),
            token_logprobs: z.array(z.number().nullable()).nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
        stop_reason: z.union([z.string(), z.number()]).nullish(),
      }),
    )
    .nullish(),
  usage: WireUsage.nullish(),
})

/** A piece of a tool call as it streams in. */
export type WireCallDelta = z.infer<typeof CallDelta>

/** A parsed chunk. */
export type WireChunk = z.infer<typeof WireChunk>

/** Answer of `GET /models`; servers tell the context length under different names. */
export const WireModels = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      max_model_len: z.number().nullish(),
      context_length: z.number().nullish(),
      meta: z.object({ n_ctx_train: z.number().nullish() }).nullish(),
    }),
  ),
})

/** Answer of a text completion with `echo`, as far as scoring needs it. */
export const WireEcho = z.object({
  choices: z
    .array(z.object({ logprobs: z.object({ token_logprobs: z.array(z.number().nullable()) }).nullish() }))
    .min(1),
})

/** Messages in the endpoint's form. */
export function toWireMessages(messages: readonly Message[]): unknown[] {
  return messages.map((message) => {
    switch (message.role) {
      case 'assistant':
        return {
          role: 'assistant',
          content: message.content,
          ...(message.reasoning === undefined ? {} : { reasoning_content: message.reasoning }),
          ...(message.toolCalls.length === 0
            ? {}
            : {
                tool_calls: message.toolCalls.map((call) => ({
                  id: call.id,
                  type: 'function',
                  function: { name: call.name, arguments: JSON.stringify(call.arguments) },
                })),
              }),
        }
      case 'tool':
        return { role: 'tool', tool_call_id: message.callId, content: message.content }
      default:
        return { role: message.role, content: message.content }
    }
  })
}

/** Tools in the endpoint's form. */
export function toWireTools(tools: readonly ToolSpec[]): unknown[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))
}
