/** Characters of an endpoint's error text that a message carries. */
const MOST_SAID = 500

/** What an endpoint says went wrong: the `message` of its error object, else its text. */
export function saidBy(text: string): string {
  try {
    const value = JSON.parse(text) as { error?: { message?: unknown } | string; message?: unknown } | null
    const error = value?.error
    const message = typeof error === 'string' ? error : (error?.message ?? value?.message)
    if (typeof message === 'string') return message.slice(0, MOST_SAID)
  } catch {
    // Not JSON: the text itself is all there is.
  }
  return text.trim().slice(0, MOST_SAID) || 'no explanation'
}

/** The innermost reason of a failed fetch. */
export function reason(error: unknown): string {
  let inner: unknown = error
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause
  if (inner instanceof AggregateError && inner.errors.length > 0) inner = inner.errors[0]
  return inner instanceof Error ? inner.message || inner.name : String(inner)
}
