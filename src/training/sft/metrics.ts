import { existsSync } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { z } from 'zod'
import { writeWhole } from '../../model/index.js'

/** One optimizer step. */
export interface StepMetrics {
  readonly type: 'step'
  /** Steps taken, this one included. */
  readonly step: number
  readonly epoch: number
  /** Mean cross-entropy in nats over the taught tokens of the step. */
  readonly loss: number
  readonly lr: number
  /** Before clipping. */
  readonly gradNorm: number
  readonly tokens: number
  /** Tokens with a weight. */
  readonly taught: number
  readonly seconds: number
}

/** One evaluation of one file. */
export interface EvaluationMetrics {
  readonly type: 'evaluation'
  readonly step: number
  readonly file: string
  /** Mean cross-entropy in nats over taught tokens. */
  readonly loss: number
  /** Share of taught tokens that are the most probable one. */
  readonly tokenAccuracy: number
  /** Share of assistant turns all of whose tokens are: what greedy decoding would write exactly. */
  readonly turnAccuracy: number
  readonly turns: number
  readonly seconds: number
}

/** A line of the run's metrics. */
export type Metrics =
  | StepMetrics
  | EvaluationMetrics
  | { readonly type: 'session'; readonly step: number; readonly started: string }

/** Appends one line of JSON. */
export async function appendMetrics(file: string, metrics: Metrics): Promise<void> {
  await appendFile(file, `${JSON.stringify(metrics)}\n`)
}

/** Drops the lines of steps after `step`: a resumed run takes those steps again. */
export async function cutMetrics(file: string, step: number): Promise<void> {
  if (!existsSync(file)) return
  const line = z.looseObject({ step: z.number() })
  const kept = (await readFile(file, 'utf8')).split('\n').filter((text) => {
    try {
      return text !== '' && line.parse(JSON.parse(text)).step <= step
    } catch {
      // The last line may be torn by the kill.
      return false
    }
  })
  await writeWhole(file, kept.map((text) => `${text}\n`).join(''))
}
