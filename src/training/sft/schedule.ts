import { z } from 'zod'

/** Learning-rate schedule of a recipe. Lengths are in optimizer steps. */
export const ScheduleShape = z.strictObject({
  /** `cosine`: half a cosine down to the floor; `wsd`: warm up, stay, decay at the end (1 − square root); `constant`. */
  kind: z.enum(['cosine', 'wsd', 'constant']).default('cosine'),
  /** Highest rate. */
  peak: z.number().positive(),
  warmup: z.number().int().nonnegative().default(0),
  /** Lowest rate as a share of the peak. */
  floor: z.number().min(0).max(1).default(0.1),
  /** `wsd`: steps of the final decay; default a fifth of all. */
  decay: z.number().int().positive().optional(),
})

/** Learning-rate schedule of a recipe. */
export type Schedule = z.infer<typeof ScheduleShape>

/**
 * Learning rate of one optimizer step.
 * @param step counted from 0.
 * @param steps of the whole run; beyond it the rate stays at the floor.
 */
export function learningRate(schedule: Schedule, step: number, steps: number): number {
  const { kind, peak, warmup, floor } = schedule
  if (step < warmup) return (peak * (step + 1)) / warmup
  if (kind === 'constant') return peak
  if (kind === 'cosine') {
    const done = Math.min(1, (step - warmup) / Math.max(1, steps - warmup))
    return peak * (floor + (1 - floor) * 0.5 * (1 + Math.cos(Math.PI * done)))
  }
  const decay = schedule.decay ?? Math.max(1, Math.round(steps / 5))
  const done = Math.min(1, Math.max(0, (step - (steps - decay)) / decay))
  return peak * (floor + (1 - floor) * (1 - Math.sqrt(done)))
}
