import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { SftError } from './sft-error.js'

/** File beside the weights that says where the run stood. */
export const PROGRESS_FILE = 'sft-progress.json'

const ProgressShape = z.object({
  version: z.literal(1),
  /** Optimizer steps taken. */
  step: z.number().int(),
  position: z.object({ epoch: z.number().int(), pool: z.number().int(), step: z.number().int() }),
  /** Tokens seen so far, and of these the taught ones. */
  tokens: z.number(),
  taught: z.number(),
  /** Seconds of training so far, over all sessions. */
  seconds: z.number(),
  best: z.object({ step: z.number().int(), loss: z.number() }).optional(),
  /** Fingerprints of the parts of the recipe that decide what a resumed run may take over. */
  fingerprints: z.object({ model: z.string(), data: z.string() }),
})

/** Where a run stood at a checkpoint. */
export type Progress = z.infer<typeof ProgressShape>

/** Folder of one checkpoint. */
export function checkpointFolder(output: string, step: number): string {
  return join(output, `step-${String(step).padStart(7, '0')}`)
}

/** Steps of the complete checkpoints in a run's folder, ascending; the worker makes a folder appear whole or not at all. */
export async function listCheckpoints(output: string): Promise<number[]> {
  if (!existsSync(output)) return []
  const steps: number[] = []
  for (const entry of await readdir(output)) {
    const match = /^step-(\d+)$/.exec(entry)
    if (match !== null && existsSync(join(output, entry, PROGRESS_FILE))) steps.push(Number(match[1]))
  }
  return steps.sort((a, b) => a - b)
}

/** Where the run stood. @throws {SftError} `bad-checkpoint` when the folder holds no progress that this version understands. */
export async function readProgress(folder: string): Promise<Progress> {
  return readCheckpointJson(join(folder, PROGRESS_FILE), ProgressShape, 'Remove this checkpoint.')
}

/** What a JSON file of a checkpoint holds. @throws {SftError} `bad-checkpoint` with `advice` when it has not this shape. */
export async function readCheckpointJson<T>(file: string, shape: z.ZodType<T>, advice: string): Promise<T> {
  try {
    return shape.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    throw new SftError('bad-checkpoint', file, `cannot be read (${(error as Error).message}).`, advice)
  }
}

/** Removes all but the last `keep` checkpoints and the best. */
export async function pruneCheckpoints(output: string, keep: number, best: number | undefined): Promise<void> {
  const steps = await listCheckpoints(output)
  for (const step of steps.slice(0, Math.max(0, steps.length - keep))) {
    if (step !== best) await rm(checkpointFolder(output, step), { recursive: true, force: true })
  }
}

/** Text of {@link PROGRESS_FILE}. */
export function progressText(progress: Progress): string {
  return `${JSON.stringify(progress, undefined, 1)}\n`
}

const BestShape = z.object({ step: z.number().int() })

/** Folder of the best checkpoint of a run, or of its last one when nothing was evaluated. @throws {SftError} `bad-checkpoint` when it has none. */
export async function bestCheckpoint(output: string): Promise<string> {
  const steps = await listCheckpoints(output)
  const file = join(output, 'best.json')
  if (existsSync(file)) {
    const parsed = BestShape.safeParse(JSON.parse(await readFile(file, 'utf8')))
    if (parsed.success && steps.includes(parsed.data.step)) return checkpointFolder(output, parsed.data.step)
  }
  const last = steps.at(-1)
  if (last === undefined) throw new SftError('bad-checkpoint', output, 'holds no checkpoint.')
  return checkpointFolder(output, last)
}
