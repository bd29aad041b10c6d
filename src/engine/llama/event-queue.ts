/** Hands what is pushed to one reader, in order; a failure comes after everything pushed before it. */
export class EventQueue<T> implements AsyncIterable<T> {
  private readonly items: T[] = []
  private error: Error | undefined
  private wake: (() => void) | undefined
  /** True when the sender has nothing more to say. */
  ended = false

  /** Adds an item. */
  push(item: T): void {
    this.items.push(item)
    this.wake?.()
  }

  /** Ends the queue with an error. */
  fail(error: Error): void {
    this.error = error
    this.end()
  }

  /** Ends the queue. */
  end(): void {
    this.ended = true
    this.wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    while (true) {
      while (this.items.length > 0) yield this.items.shift() as T
      if (this.error !== undefined) throw this.error
      if (this.ended) return
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
      this.wake = undefined
    }
  }
}
