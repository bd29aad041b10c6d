import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
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
 * the effects with what was intended. The moment is drawn after the process is ready, from zero to a little more than
 * what the rest of the run takes.
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
    let ended = false
    while (!ended) {
      const before = count(folder)
      const patience = done < kills ? random() * 6 * (writes - before + 2) : undefined
      const killed = await once(child, folder, writes, patience)
      if (killed) {
        done++
        at.push(count(folder))
      } else ended = true
    }
    runs++
    const texts = lines(folder)
    for (let n = 1; n <= writes; n++) {
      const times = texts.filter((text) => text === `note ${n}`).length
      if (times > 1) repeated += times - 1
      if (times === 0) lost++
    }
    const journal = new Journal(join(folder, 'journal.sqlite'))
    const run = journal.runs(1)[0]?.run ?? ''
    const outcomes = journal.entries(run).filter(({ body }) => body.type === 'outcome')
    reconciled += outcomes.filter(({ body }) => body.type === 'outcome' && body.reconciled).length
    if (outcomes.length !== writes || journal.openRuns().length > 0) lost++
    journal.close()
    rmSync(folder, { recursive: true, force: true })
  }
  rmSync(dirname(child), { recursive: true, force: true })
  return { kills: done, runs, repeated, lost, reconciled, at }
}

function lines(folder: string): string[] {
  try {
    return readFileSync(join(folder, 'notes.txt'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t')[1] ?? '')
  } catch {
    return []
  }
}

function count(folder: string): number {
  return lines(folder).length
}

/** One life of the process. True when it was killed before it ended by itself. */
function once(script: string, folder: string, writes: number, patienceMs: number | undefined): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, folder, String(writes)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    let errors = ''
    let timer: NodeJS.Timeout | undefined
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (timer === undefined && patienceMs !== undefined && output.includes('READY')) {
        timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
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
