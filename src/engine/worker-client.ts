import { Agent, type IncomingMessage, request } from 'node:http'
import { decode, encode } from '@msgpack/msgpack'
import type { z } from 'zod'
import { WorkerCrashError, WorkerError } from './worker-error.js'
import { type WorkerOptions, WorkerProcess } from './worker-process.js'
import * as wire from './worker-protocol.js'

export { type WorkerCrashCode, WorkerCrashError, WorkerError } from './worker-error.js'
export type { WorkerOptions } from './worker-process.js'
export type {
  Capabilities,
  CreateModel,
  ForwardBackward,
  ForwardBackwardResult,
  ForwardResult,
  ModelDescription,
  OptimStep,
  OptimStepResult,
  SampleRequest,
  SampleResult,
  SaveModel,
  SaveResult,
  WorkerBatch,
  WorkerLoss,
} from './worker-protocol.js'

/**
 * Talks to a training worker that it started (trainer/PROTOCOL.md). Requests run one at a time in the order of the
 * calls. Every method throws {@link WorkerError} for a refusal and {@link WorkerCrashError} when the worker is gone.
 */
export class WorkerClient {
  readonly #worker: WorkerProcess
  readonly #agent = new Agent({ keepAlive: true })

  private constructor(worker: WorkerProcess) {
    this.#worker = worker
  }

  /**
   * Starts a worker process.
   * @throws {WorkerCrashError} when it does not become ready; {@link PythonEnvError} when there is no Python for it.
   */
  static async start(options: WorkerOptions = {}): Promise<WorkerClient> {
    return new WorkerClient(await WorkerProcess.start(options))
  }

  /** Process id of the worker. */
  get pid(): number | undefined {
    return this.#worker.pid
  }

  /** Resolves when the worker process has ended, for whatever reason. */
  get exited(): Promise<void> {
    return this.#worker.exited
  }

  /** What this worker can do and which models it holds. */
  async capabilities(): Promise<wire.Capabilities> {
    return await this.#call('GET', '/v1/capabilities', undefined, wire.Capabilities)
  }

  /** Creates a model from a checkpoint or a configuration. */
  async createModel(spec: wire.CreateModel): Promise<wire.ModelDescription> {
    return await this.#call('POST', '/v1/models', spec, wire.ModelDescription)
  }

  /** The models that the worker holds. */
  async models(): Promise<readonly wire.ModelDescription[]> {
    return (await this.#call('GET', '/v1/models', undefined, wire.ModelList)).models
  }

  /** Frees a model. */
  async deleteModel(id: string): Promise<void> {
    await this.#call('DELETE', `/v1/models/${encodeURIComponent(id)}`, undefined, wire.Empty)
  }

  /** Natural-log probability of each token (T), and optionally the `topK` most probable in its place (T × topK). */
  async forward(model: string, batch: wire.WorkerBatch, topK?: number): Promise<wire.ForwardResult> {
    return await this.#call('POST', '/v1/forward', { model, batch, topK }, wire.ForwardResult)
  }

  /** Adds the gradient of Σ weights · loss / divisor. */
  async forwardBackward(body: wire.ForwardBackward): Promise<wire.ForwardBackwardResult> {
    return await this.#call('POST', '/v1/forward_backward', body, wire.ForwardBackwardResult)
  }

  /** Clips, steps and clears the gradient. */
  async optimStep(body: wire.OptimStep): Promise<wire.OptimStepResult> {
    return await this.#call('POST', '/v1/optim_step', body, wire.OptimStepResult)
  }

  /** Drops what was accumulated. */
  async zeroGrad(model: string): Promise<void> {
    await this.#call('POST', '/v1/zero_grad', { model }, wire.Empty)
  }

  /** Samples continuations. */
  async sample(body: wire.SampleRequest): Promise<wire.SampleResult> {
    return await this.#call('POST', '/v1/sample', body, wire.SampleResult)
  }

  /** Writes a checkpoint folder, whole or not at all. */
  async save(body: wire.SaveModel): Promise<wire.SaveResult> {
    return await this.#call('POST', '/v1/save', body, wire.SaveResult)
  }

  /** Loads weights (and state, unless `state` is false) into an existing model. @returns the step of the checkpoint. */
  async load(model: string, path: string, state = true): Promise<number> {
    return (await this.#call('POST', '/v1/load', { model, path, state }, wire.LoadResult)).step
  }

  /** Ends the worker and waits until it is gone. Requests that wait fail with `stopped`. */
  async close(): Promise<void> {
    await this.#worker.stop()
    this.#agent.destroy()
  }

  async #call<S extends z.ZodType>(method: string, path: string, body: unknown, answer: S): Promise<z.infer<S>> {
    const { status, bytes } = await this.#send(method, path, body)
    let content: unknown
    try {
      content = decode(bytes)
    } catch {
      throw this.#badAnswer(path, 'it is not msgpack')
    }
    if (status >= 400) {
      const failure = wire.ErrorBody.safeParse(content)
      if (!failure.success) throw this.#badAnswer(path, `status ${status} without an error body`)
      const { code, message, where, help } = failure.data.error
      throw new WorkerError(code, status, where, message, help)
    }
    const parsed = answer.safeParse(content)
    if (!parsed.success)
      throw this.#badAnswer(path, parsed.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; '))
    return parsed.data
  }

  #badAnswer(path: string, why: string): WorkerCrashError {
    return new WorkerCrashError(
      'bad-answer',
      `The worker's answer to ${path} is not understood: ${why}.`,
      this.#worker.stderrTail,
    )
  }

  // Not fetch: a step on a large model may take longer than its five-minute limit for the first byte.
  #send(method: string, path: string, body: unknown): Promise<{ status: number; bytes: Uint8Array }> {
    return new Promise((resolve, reject) => {
      const payload = body === undefined ? undefined : encode(body, { ignoreUndefined: true })
      const message = request(
        {
          host: '127.0.0.1',
          port: this.#worker.port,
          method,
          path,
          agent: this.#agent,
          headers: {
            authorization: `Bearer ${this.#worker.token}`,
            ...(payload === undefined
              ? {}
              : { 'content-type': 'application/msgpack', 'content-length': payload.byteLength }),
          },
        },
        (response: IncomingMessage) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', fail)
          response.on('end', () => {
            forget()
            resolve({ status: response.statusCode ?? 0, bytes: Buffer.concat(chunks) })
          })
        },
      )
      const forget = this.#worker.onDeath((error) => {
        reject(error)
        message.destroy()
      })
      // A broken connection mostly means that the process is dying: its exit tells more than ECONNRESET.
      const fail = (error: Error) => {
        setTimeout(() => {
          forget()
          reject(new WorkerCrashError('crashed', `The worker hung up: ${error.message}.`, this.#worker.stderrTail))
        }, 2_000).unref()
      }
      message.on('error', fail)
      message.end(payload)
    })
  }
}
