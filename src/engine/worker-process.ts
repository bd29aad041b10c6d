import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setPriority } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { packageRoot } from './package-root.js'
import { ensurePythonEnv } from './python-env.js'
import { WorkerCrashError } from './worker-error.js'

/** How the worker process is started. */
export interface WorkerOptions {
  /** CPU threads of PyTorch; default 1. */
  readonly threads?: number
  readonly device?: 'cpu' | 'cuda'
  /** Scheduling priority from 0 to 19 (19: only time that nobody else wants); default 0. */
  readonly nice?: number
  /** Interpreter; default: the environment that {@link ensurePythonEnv} finds or makes. */
  readonly python?: string
  /** Longest request body in MiB; default 512. */
  readonly maxBodyMb?: number
  /** Longest wait until the worker is ready, in milliseconds; default three minutes. */
  readonly startTimeoutMs?: number
  /** Receives the worker's log lines and those of a first installation. */
  readonly onLog?: (line: string) => void
  readonly signal?: AbortSignal
}

const Ready = z.object({ port: z.number().int(), protocol: z.number().int(), pid: z.number().int() })

/** Version of trainer/PROTOCOL.md that this client speaks. */
export const WORKER_PROTOCOL = 1

const TAIL_LINES = 30

/** A running worker process; ends with this process, whatever way this process ends. */
export class WorkerProcess {
  readonly #child: ChildProcess
  readonly #tail: string[]
  readonly #waiters = new Set<(error: WorkerCrashError) => void>()
  readonly exited: Promise<void>
  #dead: WorkerCrashError | undefined
  #stopping = false

  private constructor(
    child: ChildProcess,
    tail: string[],
    readonly port: number,
    readonly token: string,
  ) {
    this.#child = child
    this.#tail = tail
    this.exited = new Promise((resolve) => {
      child.once('close', (status, signal) => {
        const how = signal === null ? `exit status ${status}` : `signal ${signal}`
        this.#dead = this.#stopping
          ? new WorkerCrashError('stopped', 'The training worker was stopped.', '')
          : new WorkerCrashError('crashed', `The training worker died (${how}).`, this.stderrTail)
        for (const fail of this.#waiters) fail(this.#dead)
        this.#waiters.clear()
        resolve()
      })
    })
  }

  /**
   * Starts a worker and waits until it listens.
   * @throws {WorkerCrashError} `start-failed` or `start-timeout`, with what the worker wrote to stderr.
   * @throws {PythonEnvError} when there is no Python for it.
   */
  static async start(options: WorkerOptions = {}): Promise<WorkerProcess> {
    const python =
      options.python ??
      (
        await ensurePythonEnv({
          ...(options.onLog === undefined ? {} : { onProgress: options.onLog }),
          ...(options.signal === undefined ? {} : { signal: options.signal }),
        })
      ).python
    options.signal?.throwIfAborted()
    const trainer = join(packageRoot(), 'trainer')
    const token = randomBytes(24).toString('hex')
    const args = ['-m', 'botpsy_trainer', '--threads', String(options.threads ?? 1), '--port', '0']
    if (options.device !== undefined) args.push('--device', options.device)
    if (options.maxBodyMb !== undefined) args.push('--max-body-mb', String(options.maxBodyMb))
    const path = process.env.PYTHONPATH ? `${trainer}${delimiter}${process.env.PYTHONPATH}` : trainer
    const child = spawn(python, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own: Ctrl+C in the terminal must not take the worker before the client saved. Its end of stdin
      // tells it when the client is gone.
      detached: process.platform !== 'win32',
      windowsHide: true,
      env: { ...process.env, PYTHONPATH: path, PYTHONUNBUFFERED: '1', BOTPSY_WORKER_TOKEN: token },
    })
    if (options.nice && child.pid !== undefined) setPriority(child.pid, options.nice)
    child.stdin?.on('error', () => {})
    const tail: string[] = []
    createInterface({ input: child.stderr }).on('line', (line) => {
      tail.push(line)
      if (tail.length > TAIL_LINES) tail.shift()
      options.onLog?.(line)
    })
    try {
      const ready = await firstLine(child, tail, options)
      if (ready.protocol !== WORKER_PROTOCOL) {
        const message = `The worker speaks protocol ${ready.protocol}, this program ${WORKER_PROTOCOL}; install both from one version.`
        throw new WorkerCrashError('start-failed', message, '')
      }
      return new WorkerProcess(child, tail, ready.port, token)
    } catch (error) {
      child.kill('SIGKILL')
      throw error
    }
  }

  /** Process id of the worker. */
  get pid(): number | undefined {
    return this.#child.pid
  }

  /** The last lines of the worker's log. */
  get stderrTail(): string {
    return this.#tail.join('\n')
  }

  /** Calls back once when the worker dies; at once when it is dead. @returns a function that takes the wish back. */
  onDeath(fail: (error: WorkerCrashError) => void): () => void {
    if (this.#dead !== undefined) {
      fail(this.#dead)
      return () => {}
    }
    this.#waiters.add(fail)
    return () => this.#waiters.delete(fail)
  }

  /** Asks the worker to end and waits; after `graceMs` (default 5 s) it is killed. */
  async stop(graceMs = 5_000): Promise<void> {
    if (this.#dead !== undefined) return
    this.#stopping = true
    this.#child.stdin?.end()
    this.#child.kill('SIGTERM')
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), graceMs)
    await this.exited
    clearTimeout(timer)
  }
}

async function firstLine(child: ChildProcess, tail: string[], options: WorkerOptions): Promise<z.infer<typeof Ready>> {
  const limit = options.startTimeoutMs ?? 180_000
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      finish(
        new WorkerCrashError('start-timeout', `The worker was not ready after ${limit / 1000} s.`, tail.join('\n')),
      )
    }, limit)
    const onAbort = () => finish(new WorkerCrashError('stopped', 'Stopped while the worker was starting.', ''))
    const onClose = (status: number | null) =>
      finish(
        new WorkerCrashError('start-failed', `The worker ended at its start (exit status ${status}).`, tail.join('\n')),
      )
    const onError = (error: Error) => finish(new WorkerCrashError('start-failed', error.message, tail.join('\n')))
    const lines = createInterface({ input: child.stdout as NonNullable<ChildProcess['stdout']> })
    const finish = (outcome: z.infer<typeof Ready> | Error) => {
      clearTimeout(timer)
      options.signal?.removeEventListener('abort', onAbort)
      child.off('close', onClose)
      child.off('error', onError)
      if (outcome instanceof Error) reject(outcome)
      else resolve(outcome)
    }
    options.signal?.addEventListener('abort', onAbort, { once: true })
    child.once('close', onClose)
    child.once('error', onError)
    lines.once('line', (line) => {
      const parsed = Ready.safeParse(parseJson(line))
      finish(
        parsed.success
          ? parsed.data
          : new WorkerCrashError('start-failed', `The worker's first line is not understood: ${line}`, tail.join('\n')),
      )
    })
  })
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
