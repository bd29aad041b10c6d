import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Journal } from '../journal.js'
import { KillProcess } from './kill-process.js'
import { difference, dumpAll } from './kill-stores.js'

/** Parts of a life, by what the journal and the folder held when the kill came. */
export type Part = 'before the first entry' | 'calls' | 'taking back and automation' | 'export, import, migration'

/** What became of runs that were killed again and again. */
export interface KillReport {
  /** Processes ended by SIGKILL while they worked. */
  readonly kills: number
  /** Runs brought to their end. */
  readonly runs: number
  /** Lines of the stores that a run without kills does not leave. */
  readonly repeated: readonly string[]
  /** Lines that a run without kills leaves, and that are missing. */
  readonly lost: readonly string[]
  /** Effects that were on disk without their outcome when a kill came, and were found again by their key. */
  readonly reconciled: number
  /** Kills right after an intent without outcome: between intent and effect, in the effect, or before its record. */
  readonly inEffect: number
  /** Kills by the part of the life that they fell in. */
  readonly at: { readonly [part in Part]?: number }
}

/** Random numbers in [0, 1) that a seed decides (mulberry32, a public-domain generator). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Runs the local plan once without kills, then again and again with SIGKILL at random moments until it ends, and compares
 * what the stores hold. The moment is drawn as a number of events (up to `stride`) and a delay after them (up to 40 ms),
 * so that kills fall inside engine turns, effects and commits however busy the machine is.
 *
 * @param kills number of kills to reach
 * @param random numbers in [0, 1)
 * @param until milliseconds since 1970 after which no further run is begun and the present one is let end
 */
export async function killRuns(
  kills: number,
  random: () => number,
  { stride = 11, until = Number.POSITIVE_INFINITY }: { readonly stride?: number; readonly until?: number } = {},
): Promise<KillReport> {
  const lives = await KillProcess.make()
  let done = 0
  let runs = 0
  let reconciled = 0
  let inEffect = 0
  const repeated: string[] = []
  const lost: string[] = []
  const at: { [part in Part]?: number } = {}
  const made: string[] = []
  const folder = (): string => {
    const path = mkdtempSync(join(tmpdir(), 'botpsy-kill-'))
    made.push(path)
    return path
  }
  try {
    const calm = folder()
    await lives.once({ folder: calm }, undefined)
    const expected = dumpAll(calm)
    while (done < kills && Date.now() < until) {
      const place = folder()
      for (let going = true; going; ) {
        const draw = { events: Math.floor(random() * stride), delayMs: random() * 40 }
        const killed = await lives.once({ folder: place }, done < kills && Date.now() < until ? draw : undefined)
        if (killed) {
          done++
          const found = where(place)
          at[found.part] = (at[found.part] ?? 0) + 1
          if (found.inEffect) inEffect++
        } else going = false
      }
      runs++
      const { more, less } = difference(expected, dumpAll(place))
      repeated.push(...more)
      lost.push(...less)
      const journal = new Journal(join(place, 'home', 'journal.sqlite'))
      reconciled += journal
        .ofType('outcome', 10_000)
        .filter(({ body }) => body.type === 'outcome' && body.reconciled).length
      journal.close()
      rmSync(place, { recursive: true, force: true })
    }
  } finally {
    lives.close()
    for (const path of made) rmSync(path, { recursive: true, force: true })
  }
  return { kills: done, runs, repeated, lost, reconciled, inEffect, at }
}

/** Where a killed life stood. */
function where(folder: string): { readonly part: Part; readonly inEffect: boolean } {
  const file = join(folder, 'home', 'journal.sqlite')
  if (!existsSync(file)) return { part: 'before the first entry', inEffect: false }
  const journal = new Journal(file)
  const run = journal.runsOf('kill')[0]
  const entries = run === undefined ? [] : journal.entries(run)
  journal.close()
  if (entries.length === 0) return { part: 'before the first entry', inEffect: false }
  const of = (type: string): number => entries.filter(({ body }) => body.type === type).length
  const inEffect = entries.at(-1)?.body.type === 'intent' || of('undo.intent') > of('undo.outcome')
  if (of('run.end') === 0) return { part: 'calls', inEffect }
  const archiving = existsSync(join(folder, 'moved')) || existsSync(join(folder, 'home.tar'))
  return { part: archiving ? 'export, import, migration' : 'taking back and automation', inEffect }
}
