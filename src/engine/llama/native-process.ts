import { EngineError } from '../errors.js'
import { NativeHost } from './native-host.js'
import type { FromChild, ToChild } from './protocol.js'

/**
 * Entry of the native process: llama.cpp runs here, so that a failed native assertion ends this process and not the
 * assistant. Talks over the IPC channel of `fork` in the messages of protocol.ts and ends when its parent does.
 */
function main(): void {
  const running = new Map<number, AbortController>()
  let host: NativeHost | undefined

  const send = (message: FromChild): void => {
    if (process.connected) process.send?.(message)
  }

  const fail = (id: number | undefined, error: unknown): void => {
    const known = error instanceof EngineError
    const text = error instanceof Error ? error.message : String(error)
    send({ type: 'failed', ...(id === undefined ? {} : { id }), code: known ? error.code : 'internal', message: text })
  }

  /** Runs the work of one request with a signal that the engine's abort message triggers. */
  const run = async (id: number, work: (host: NativeHost, signal: AbortSignal) => Promise<void>): Promise<void> => {
    const controller = new AbortController()
    running.set(id, controller)
    try {
      if (host === undefined) throw new EngineError('internal', 'A request came before the model.')
      await work(host, controller.signal)
    } catch (error) {
      fail(id, error)
    } finally {
      running.delete(id)
    }
  }

  process.on('message', (message: ToChild) => {
    switch (message.type) {
      case 'load':
        NativeHost.load(message.options).then(
          (loaded) => {
            host = loaded
            send({ type: 'loaded', model: loaded.info })
          },
          (error: unknown) => fail(undefined, error),
        )
        return
      case 'generate':
        void run(message.id, (h, signal) =>
          h.generate(message.request, signal, (event) => send({ type: 'event', id: message.id, event })),
        )
        return
      case 'score':
        void run(message.id, async (h, signal) =>
          send({ type: 'scored', id: message.id, logprobs: await h.score(message.tokens, message.from, signal) }),
        )
        return
      case 'tokenize':
        void run(message.id, async (h) =>
          send({ type: 'tokens', id: message.id, tokens: h.tokenize(message.text, message.special) }),
        )
        return
      case 'abort':
        running.get(message.id)?.abort()
        return
      case 'close':
        void (host?.close() ?? Promise.resolve()).catch(() => undefined).finally(() => process.exit(0))
        return
    }
  })
  process.on('disconnect', () => process.exit(0))
  process.on('SIGINT', () => undefined)
}

main()
