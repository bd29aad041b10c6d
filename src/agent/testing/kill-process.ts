import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { packageRoot } from '../../engine/package-root.js'
import type { Task } from './kill-child.js'

const CHILD = fileURLToPath(new URL('./kill-child.ts', import.meta.url))

/** When a life is ended: after so many events, and then so many milliseconds. */
export interface Moment {
  readonly events: number
  readonly delayMs: number
}

interface Standby {
  readonly child: ChildProcessWithoutNullStreams
  readonly ready: Promise<void>
}

/** Lives of the kill tests' process. The next one loads its code while the present one works. */
export class KillProcess {
  #next: Standby | undefined

  private constructor(private readonly script: string) {}

  /** Bundles the process once, so that each of its many lives starts in a fraction of a second. */
  static async make(): Promise<KillProcess> {
    const outDir = join(packageRoot(), 'node_modules', '.cache', `botpsy-kill-${process.pid}`)
    await build({
      configFile: false,
      logLevel: 'silent',
      build: { ssr: CHILD, outDir, emptyOutDir: true, target: 'node20', minify: false },
    })
    return new KillProcess(join(outDir, 'kill-child.js'))
  }

  /**
   * One life. True when it was killed before it ended by itself.
   * @throws Error with what it printed, when it ended in any other way than by the kill or having done everything
   */
  async once(task: Task, moment: Moment | undefined): Promise<boolean> {
    const { child, ready } = this.#next ?? this.#start()
    this.#next = undefined
    await ready
    const killed = new Promise<boolean>((resolve, reject) => {
      let dots = 0
      let output = ''
      let errors = ''
      let timer: NodeJS.Timeout | undefined
      const arm = (): void => {
        if (moment && timer === undefined && dots >= moment.events) {
          timer = setTimeout(() => child.kill('SIGKILL'), moment.delayMs)
        }
      }
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        dots = output.length
        arm()
      })
      child.stderr.on('data', (chunk: Buffer) => {
        errors += chunk.toString()
      })
      child.once('error', reject)
      child.once('close', (code, signal) => {
        clearTimeout(timer)
        if (signal === 'SIGKILL') resolve(true)
        else if (code === 0 && output.includes('DONE')) resolve(false)
        else reject(new Error(`The process ended with ${code ?? signal}: ${errors || output}`))
      })
      child.stdin.write(`${JSON.stringify(task)}\n`)
      arm()
    })
    this.#next = this.#start()
    return killed
  }

  close(): void {
    this.#next?.child.kill('SIGKILL')
    rmSync(dirname(this.script), { recursive: true, force: true })
  }

  #start(): Standby {
    const child = spawn(process.execPath, [this.script], { stdio: ['pipe', 'pipe', 'pipe'] })
    child.stdin.on('error', () => {})
    const ready = new Promise<void>((resolve, reject) => {
      let errors = ''
      const hear = (chunk: Buffer): void => {
        errors += chunk.toString()
      }
      child.stderr.on('data', hear)
      child.stdout.once('data', () => {
        child.stderr.off('data', hear)
        resolve()
      })
      child.once('close', () => reject(new Error(`The process did not start: ${errors}`)))
    })
    // Whoever awaits it is told; a standby that is never used is no failure.
    ready.catch(() => {})
    return { child, ready }
  }
}
