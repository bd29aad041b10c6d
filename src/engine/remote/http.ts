import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, type Dispatcher, EnvHttpProxyAgent, fetch, ProxyAgent, type Response } from 'undici'
import { EngineError } from '../errors.js'
import { reason, saidBy } from './reasons.js'

/** Longest pause before another try, whatever the endpoint asks for. */
const LONGEST_PAUSE_MS = 30_000

/** How requests reach an endpoint. */
export interface HttpOptions {
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Proxy address, or `env` (default) for HTTP_PROXY, HTTPS_PROXY and NO_PROXY, or `none`. */
  readonly proxy?: string
  /** Tries after the first one. Default 4. */
  readonly retries?: number
  /** First pause before another try in milliseconds; doubles each time. Default 500. */
  readonly pauseMs?: number
  /** Longest silence of the endpoint in milliseconds. Default 120,000. */
  readonly silenceMs?: number
}

/** Sends JSON to one endpoint, tries again what is worth it, and turns failures into EngineError. */
export class HttpClient {
  private readonly dispatcher: Dispatcher

  constructor(
    readonly baseUrl: string,
    private readonly options: HttpOptions,
  ) {
    const silence = options.silenceMs ?? 120_000
    const timeouts = { headersTimeout: silence, bodyTimeout: silence, connect: { timeout: 10_000 } }
    const proxy = options.proxy ?? 'env'
    if (proxy === 'none') this.dispatcher = new Agent(timeouts)
    else if (proxy === 'env') this.dispatcher = new EnvHttpProxyAgent(timeouts)
    else this.dispatcher = new ProxyAgent({ uri: proxy, ...timeouts })
  }

  /**
   * The endpoint's answer once it is a success. Refused connections, 408, 429 and 5xx are tried again with growing pauses
   * (or the pause that Retry-After asks for). Throws EngineError.
   */
  async send(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
    const retries = this.options.retries ?? 4
    for (let attempt = 0; ; attempt++) {
      let failure: EngineError
      let pause = (this.options.pauseMs ?? 500) * 2 ** attempt * (0.75 + Math.random() / 2)
      try {
        const response = await this.once(path, body, signal)
        if (response.ok) return response
        failure = await this.refusal(response)
        if (!worthAnotherTry(response.status)) throw failure
        pause = retryAfter(response) ?? pause
      } catch (error) {
        if (error instanceof EngineError) throw error
        if (signal?.aborted === true) throw new EngineError('aborted', 'The request was aborted.')
        failure = new EngineError('network', `${this.baseUrl} cannot be reached: ${reason(error)}.`, { cause: error })
      }
      if (attempt >= retries) throw failure
      await sleep(Math.min(pause, LONGEST_PAUSE_MS), undefined, signal === undefined ? {} : { signal }).catch(() => {
        throw new EngineError('aborted', 'The request was aborted.')
      })
    }
  }

  async close(): Promise<void> {
    await this.dispatcher.destroy()
  }

  private once(path: string, body: unknown, signal: AbortSignal | undefined): Promise<Response> {
    return fetch(`${this.baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(this.options.apiKey === undefined ? {} : { authorization: `Bearer ${this.options.apiKey}` }),
        ...this.options.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
      dispatcher: this.dispatcher,
    })
  }

  private async refusal(response: Response): Promise<EngineError> {
    const { status } = response
    const said = saidBy(await response.text().catch(() => ''))
    const options = { status }
    if (status === 401 || status === 403)
      return new EngineError('unauthorized', `${this.baseUrl} refuses the key (${status}): ${said}`, options)
    if (status === 429)
      return new EngineError('rate-limited', `${this.baseUrl} asks to come back later: ${said}`, options)
    if (status === 400 && /context.{0,20}(length|window|size)|too many tokens|exceed.{0,30}tokens/i.test(said))
      return new EngineError('context-full', `The prompt does not fit the model's context: ${said}`, options)
    return new EngineError('endpoint', `${this.baseUrl} answered ${status}: ${said}`, options)
  }
}

function worthAnotherTry(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

/** Milliseconds that Retry-After asks for, given in seconds or as a date. */
function retryAfter(response: Response): number | undefined {
  const value = response.headers.get('retry-after')
  if (value === null) return undefined
  const seconds = Number(value)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
