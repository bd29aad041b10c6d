import type { Connection, ConnectionAdapter, Finding } from './contract.js'

/** The longest that a check may take; adapters promise ten seconds, this holds them to it. */
export const PROBE_MS = 15_000

/**
 * Tries a connection in at most `limitMs`, whatever its adapter does: a probe that hangs, throws or says nothing is a
 * finding too. Findings hold no secret and no control characters.
 */
export async function probeConnection(
  adapter: ConnectionAdapter,
  connection: Connection,
  redact: (text: string) => string,
  limitMs: number = PROBE_MS,
): Promise<readonly Finding[]> {
  const abort = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<readonly Finding[]>((resolve) => {
    timer = setTimeout(() => {
      resolve([
        {
          ok: false,
          text: `the ${adapter.title} did not answer within ${Math.round(limitMs / 100) / 10} seconds`,
          todo: 'Check that the server runs and that this machine reaches it.',
        },
      ])
      abort.abort()
    }, limitMs)
  })
  const tried = (async (): Promise<readonly Finding[]> => {
    try {
      const found = await adapter.probe(connection, abort.signal)
      if (found.length > 0) return found
      return [{ ok: false, text: `the ${adapter.title} gave no answer`, todo: 'Try again.' }]
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      return [{ ok: false, text, todo: `Connect it again with: botpsy connect ${adapter.kind}` }]
    }
  })()
  try {
    const found = await Promise.race([tried, late])
    return found.map(({ ok, text, todo }) => ({
      ok,
      text: redact(text),
      ...(todo === undefined ? {} : { todo: redact(todo) }),
    }))
  } finally {
    clearTimeout(timer)
  }
}
