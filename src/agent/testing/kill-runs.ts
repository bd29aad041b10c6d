import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { createDomains } from '../../domains/domains.js'
import { packageRoot } from '../../engine/package-root.js'
import { Journal } from '../journal.js'

/** What became of runs that were killed again and again. */
export interface KillReport {
  /** Processes ended by SIGKILL while they worked. */
  readonly kills: number
  /** Runs brought to their end. */
  readonly runs: number
  /** Effects found more than once. */
  readonly repeated: number
  /** Effects intended and not found. */
  readonly lost: number
  /** Effects that were on disk without their outcome when a kill came, and were found again by their key. */
  readonly reconciled: number
  /** Kills by how many effects were on disk then, to show that they fell all over the run. */
  readonly at: number[]
}

const CHILD = fileURLToPath(new URL('./kill-child.ts', import.meta.url))

/** Bundles the child once, so that each of its many lives starts in a fraction of a second. */
async function bundleChild(): Promise<string> {
  const outDir = join(packageRoot(), 'node_modules', '.cache', `botpsy-kill-${process.pid}`)
  await build({
    configFile: false,
    logLevel: 'silent',
    build: { ssr: CHILD, outDir, emptyOutDir: true, target: 'node20', minify: false },
  })
  return join(outDir, 'kill-child.js')
}

/**
 * Starts runs of `writes` writes, kills each with SIGKILL at random moments, starts it again until it ends, and compares
 * the effects with what was intended. The moment is drawn as a number of events of the run (up to ten) and a delay after
 * them (up to 40 ms), so that kills fall inside engine turns, effects and commits however busy the machine is.
 *
 * @param kills number of kills to reach
 * @param random numbers in [0, 1)
 */
export async function killRuns(kills: number, writes: number, random: () => number): Promise<KillReport> {
  let done = 0
  let runs = 0
  let repeated = 0
  let lost = 0
  let reconciled = 0
  const at: number[] = []
  const child = await bundleChild()
  while (done < kills) {
    const folder = mkdtempSync(join(tmpdir(), 'botpsy-kill-'))
    for (let going = true; going; ) {
      const moment = done < kills ? { events: Math.floor(random() * 11), delayMs: random() * 40 } : undefined
      const killed = await once(child, folder, writes, moment)
      if (killed) {
        done++
        at.push(outcomes(folder))
      } else going = false
    }
    runs++
    const texts = await effects(folder)
    for (let n = 1; n <= writes; n++) {
      const times = texts.filter((text) => text === `note ${n}`).length
      if (times > 1) repeated += times - 1
      if (times === 0) lost++
    }
    const journal = new Journal(join(folder, 'journal.sqlite'))
    const run = journal.runs(1)[0]?.run ?? ''
    const ended = journal.entries(run).flatMap(({ body }) => (body.type === 'outcome' ? [body] : []))
    reconciled += ended.filter((body) => body.reconciled).length
    if (ended.filter((body) => body.ok).length !== writes || journal.openRuns().length > 0) lost++
    journal.close()
    rmSync(folder, { recursive: true, force: true })
  }
  rmSync(dirname(child), { recursive: true, force: true })
  return { kills: done, runs, repeated, lost, reconciled, at }
}

/** All effects in the stores, as often as they are there. */
async function effects(folder: string): Promise<string[]> {
  const files = ['files/log.txt', 'calendar/personal.ics']
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'utf8'))
  const found = files.flatMap((text) => text.match(/(?:^|SUMMARY:)note \d+\r?$/gm) ?? [])
  const domains = createDomains({ home: folder })
  const show = domains.find((tool) => tool.name === 'list_show')
  const context = { now: () => new Date(), timeZone: 'UTC', request: '', idempotencyKey: '' }
  const list = (await show?.run({ list: 'kill' }, context))?.content ?? ''
  domains.close()
  // The list is shown as a sentence or as lines; the last number of an item ends at a comma, a line or the end.
  return [...found, ...(list.match(/note \d+/g) ?? [])].map((text) => /note \d+/.exec(text)?.[0] ?? '')
}

/** Outcomes in the journal of a killed run. */
function outcomes(folder: string): number {
  if (!existsSync(join(folder, 'journal.sqlite'))) return 0
  const journal = new Journal(join(folder, 'journal.sqlite'))
  const found = journal.ofType('outcome', 10_000).length
  journal.close()
  return found
}

/** One life of the process. True when it was killed before it ended by itself. */
function once(
  script: string,
  folder: string,
  writes: number,
  moment: { readonly events: number; readonly delayMs: number } | undefined,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, folder, String(writes)], { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let errors = ''
    let timer: NodeJS.Timeout | undefined
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (moment && timer === undefined && output.length > moment.events) {
        timer = setTimeout(() => child.kill('SIGKILL'), moment.delayMs)
      }
    })
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString()
    })
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (signal === 'SIGKILL') resolve(true)
      else if (code === 0 && output.includes('DONE') && !output.includes('BUSY')) resolve(false)
      else reject(new Error(`The process ended with ${code ?? signal}: ${errors || output}`))
    })
  })
}
