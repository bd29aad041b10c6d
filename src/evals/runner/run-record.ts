import { z } from 'zod'
import type { JsonValue } from '../../chat/types.js'

const json: z.ZodType<JsonValue> = z.json() as z.ZodType<JsonValue>

/** What a run is of: written once when it starts. Two runs compare only where suite and version are equal. */
export const runHeaderSchema = z.object({
  format: z.literal(1),
  suite: z.string(),
  suiteVersion: z.string(),
  title: z.string(),
  notes: z.array(z.string()),
  /** How the model is called in tables. */
  model: z.string(),
  /** Path or address that was given. */
  modelFrom: z.string(),
  /** SHA-256 of the weights where they are a file. */
  modelSha256: z.string().optional(),
  dialect: z.string(),
  sampling: json,
  think: z.union([z.boolean(), z.number()]).optional(),
  maxTokens: z.number().optional(),
  trials: z.number().int().positive(),
  seed: z.number().int(),
  /** Cases chosen from the suite's, all by default. */
  limit: z.number().int().positive().optional(),
  sample: z.number().int().positive().optional(),
  /** Version of this package. */
  botpsy: z.string(),
  started: z.string(),
})

/** What a run is of. */
export type RunHeader = z.infer<typeof runHeaderSchema>

/** What the generations of one case cost. */
export const caseUsageSchema = z.object({
  requests: z.number(),
  promptTokens: z.number(),
  cachedTokens: z.number(),
  outputTokens: z.number(),
  reasoningTokens: z.number(),
  /** Milliseconds inside the engine, waiting for a free place included. */
  engineMs: z.number(),
})

/** What the generations of one case cost. */
export type CaseUsage = z.infer<typeof caseUsageSchema>

/** One generation as a transcript keeps it. */
export const transcriptStepSchema = z.object({
  /** Messages, or the ready prompt's text; token ids are not kept. */
  input: json,
  /** Names of the tools that were shown. */
  tools: z.array(z.string()).exactOptional(),
  reasoning: z.string().exactOptional(),
  text: z.string(),
  /** Calls of an endpoint that parses by itself. */
  calls: z.array(z.object({ name: z.string(), arguments: z.string() })).exactOptional(),
  stop: z.enum(['end', 'length', 'stop', 'abort', 'failed']),
  outputTokens: z.number(),
})

/** One generation as a transcript keeps it. */
export type TranscriptStep = z.infer<typeof transcriptStepSchema>

/** One finished case of a run: one line of `results-*.jsonl`. */
export const runRecordSchema = z.object({
  id: z.string(),
  trial: z.number().int().nonnegative(),
  labels: z.record(z.string(), z.string()),
  outcome: json,
  /** What `Score` of suite.ts says. */
  score: z.object({
    value: z.number(),
    metrics: z.record(z.string(), z.number()).exactOptional(),
    judged: z.number().exactOptional(),
    reason: z.string().exactOptional(),
    details: z.record(z.string(), json).exactOptional(),
  }),
  usage: caseUsageSchema,
  /** Wall time of the case, milliseconds. */
  ms: z.number(),
  loops: z.boolean(),
  transcript: z.array(transcriptStepSchema),
})

/** One finished case of a run. */
export type RunRecord = z.infer<typeof runRecordSchema>

/** A run's folder cannot be used. The message says what to do. */
export class RunFolderError extends Error {
  override readonly name = 'RunFolderError'
  constructor(
    readonly code: 'no-run' | 'other-run' | 'damaged' | 'busy' | 'not-comparable',
    readonly where: string,
    message: string,
  ) {
    super(message)
  }
}
