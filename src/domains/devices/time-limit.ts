/** A signal that fires after a time, or when the given one does. */
export function within(ms: number, signal?: AbortSignal): AbortSignal {
  const limit = AbortSignal.timeout(ms)
  return signal ? AbortSignal.any([signal, limit]) : limit
}

/** Waits for a promise until a signal fires; then rejects with what `why` makes. */
export function orAbort<T>(work: Promise<T>, signal: AbortSignal, why: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(why())
    if (signal.aborted) {
      // Its own failure is nobody's any more.
      work.catch(() => {})
      return stop()
    }
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
