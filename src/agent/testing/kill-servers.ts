import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Journal } from '../journal.js'
import type { Task } from './kill-child.js'
import { serverPlan } from './kill-plan.js'
import { KillProcess } from './kill-process.js'

/** What became of calls to servers in runs that were killed again and again. */
export interface ServerKillReport {
  readonly kills: number
  readonly runs: number
  /** Effects found more than once on a server, by what they are. */
  readonly repeated: readonly string[]
  /** Effects that the journal calls done, or says nothing of, and that no server has. */
  readonly lost: readonly string[]
  /** Effects found again by their key. */
  readonly reconciled: number
  /** Effects that were put to the owner, since nobody can know whether they happened. */
  readonly unknown: number
}

/**
 * Kills runs over {@link serverPlan} at random moments until they end, and counts each effect on the servers.
 * @param fresh empties the servers before a run
 * @param count how often the servers have what the nth call was to do
 */
export async function killServerRuns(
  kills: number,
  random: () => number,
  rounds: number,
  connections: NonNullable<Task['connections']>,
  fresh: () => Promise<void>,
  count: (call: number) => Promise<number>,
): Promise<ServerKillReport> {
  const lives = await KillProcess.make()
  let done = 0
  let runs = 0
  let reconciled = 0
  let unknown = 0
  const repeated: string[] = []
  const lost: string[] = []
  try {
    while (done < kills) {
      await fresh()
      const folder = mkdtempSync(join(tmpdir(), 'botpsy-kill-'))
      const task: Task = { folder, rounds, connections }
      for (let going = true; going; ) {
        // A call to a server takes longer than the next event: the delay reaches into it.
        const moment = { events: Math.floor(random() * 9), delayMs: random() * 250 }
        going = await lives.once(task, done < kills ? moment : undefined)
        if (going) done++
      }
      runs++
      const journal = new Journal(join(folder, 'home', 'journal.sqlite'))
      const entries = journal.entries(journal.runsOf('kill')[0] ?? '')
      journal.close()
      const ends = entries.flatMap(({ body }) => (body.type === 'outcome' || body.type === 'refused' ? [body] : []))
      const given = entries.some(({ body }) => body.type === 'run.end' && body.status !== 'done')
      const calls = entries.flatMap(({ body }) => (body.type === 'assistant' ? body.toolCalls : []))
      for (const [n, { name }] of serverPlan(rounds).entries()) {
        const end = ends.find((body) => body.call === calls[n]?.id)
        const times = await count(n)
        const what = `${name} ${n}: ${end?.content ?? 'no outcome'} (${times} times)`
        if (end?.type === 'outcome' && end.reconciled) reconciled++
        const told = end?.type === 'refused' && end.reason === 'unknown-outcome'
        if (told) unknown++
        if (times > 1) repeated.push(what)
        // Kills between an ask and its answer ask again, so a run may reach the most asks and stop: the owner is told.
        const stopped = end === undefined && given
        if (times === 0 && end?.type !== 'refused' && !stopped) lost.push(what)
      }
      rmSync(folder, { recursive: true, force: true })
    }
  } finally {
    lives.close()
  }
  return { kills: done, runs, repeated, lost, reconciled, unknown }
}
