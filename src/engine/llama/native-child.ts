import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { EngineError } from '../errors.js'
import type { FromChild, LoadedModel, LoadOptions, ToChild } from './protocol.js'

/** Characters of the native process's last words that a crash report carries. */
const LAST_WORDS = 2000

/** What one request waits for. */
interface Pending {
  message(message: FromChild): void
  fail(error: EngineError): void
}

/** One native process with a loaded model. Does not restart by itself: see LlamaEngine. */
export class NativeChild {
  private readonly pending = new Map<number, Pending>()
  private nextId = 1
  private lastWords = ''
  private ended: EngineError | undefined
  private closing = false
  private readonly exited: Promise<void>

  private constructor(
    private readonly child: ChildProcess,
    readonly loaded: Promise<LoadedModel>,
    settle: { readonly resolve: (model: LoadedModel) => void; readonly reject: (error: EngineError) => void },
  ) {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.lastWords = (this.lastWords + text).slice(-LAST_WORDS)
    })
    child.on('message', (message: FromChild) => {
      if (message.type === 'loaded') {
        if (this.pending.size === 0) this.rest()
        return settle.resolve(message.model)
      }
      if (message.type === 'failed' && message.id === undefined) {
        this.rest()
        return settle.reject(new EngineError(message.code, message.message))
      }
      const id = message.id
      if (id === undefined) return
      const waiting = this.pending.get(id)
      if (message.type === 'failed') {
        this.forget(id)
        waiting?.fail(new EngineError(message.code, message.message))
      } else waiting?.message(message)
    })
    this.exited = new Promise((resolve) => {
      const end = (how: string): void => {
        resolve()
        if (this.ended !== undefined) return
        this.ended = this.closing
          ? new EngineError('closed', 'The engine was closed.')
          : new EngineError('crashed', crashMessage(how, this.lastWords))
        settle.reject(this.ended)
        for (const [id, waiting] of [...this.pending]) {
          this.forget(id)
          waiting.fail(this.ended)
        }
      }
      child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`))
      child.once('error', (error) => end(error.message))
    })
  }

  /** Starts the process and begins to load the model; `loaded` tells when it is ready. */
  static start(options: LoadOptions): NativeChild {
    const here = import.meta.url
    const source = here.endsWith('.ts')
    const child = fork(fileURLToPath(new URL(`./native-process.${source ? 'ts' : 'js'}`, here)), [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: source ? ['--import', import.meta.resolve('tsx')] : [],
    })
    let resolve!: (model: LoadedModel) => void
    let reject!: (error: EngineError) => void
    const loaded = new Promise<LoadedModel>((yes, no) => {
      resolve = yes
      reject = no
    })
    loaded.catch(() => undefined)
    const started = new NativeChild(child, loaded, { resolve, reject })
    started.send({ type: 'load', options })
    return started
  }

  /** True while the process runs. */
  get alive(): boolean {
    return this.ended === undefined && !this.closing
  }

  /** Process id, for tests that kill it. */
  get pid(): number | undefined {
    return this.child.pid
  }

  /** Sends a request; `pending` gets what comes back until `forget`. Returns the request's id. */
  request(build: (id: number) => ToChild, pending: Pending): number {
    const id = this.nextId++
    if (this.ended !== undefined) {
      pending.fail(this.ended)
      return id
    }
    this.pending.set(id, pending)
    this.busy()
    this.send(build(id))
    return id
  }

  /** Asks the process to stop working on a request; it still answers it. */
  abort(id: number): void {
    this.send({ type: 'abort', id })
  }

  /** Ends the bookkeeping of a request. */
  forget(id: number): void {
    if (this.pending.delete(id) && this.pending.size === 0) this.rest()
  }

  /** Ends the process, gently first. */
  async close(): Promise<void> {
    this.closing = true
    this.busy()
    this.send({ type: 'close' })
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 3000)
    await this.exited
    clearTimeout(timer)
  }

  private send(message: ToChild): void {
    if (this.child.connected) this.child.send(message, () => undefined)
  }

  /** With nothing to wait for, the process must not keep its parent alive. */
  private rest(): void {
    this.child.unref()
    this.child.channel?.unref()
    if (this.child.stderr !== null) (this.child.stderr as { unref?: () => void }).unref?.()
  }

  private busy(): void {
    this.child.ref()
    this.child.channel?.ref()
  }
}

function crashMessage(how: string, lastWords: string): string {
  const words = lastWords.trim()
  return `The native process ended unexpectedly (${how}). The next request starts a new one.${words === '' ? '' : ` Its last words: ${words}`}`
}
