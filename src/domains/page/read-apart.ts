import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import type { ReadablePage } from './readable.js'

/** A page that could not be read as text. */
export class PageError extends Error {
  override readonly name = 'PageError'
  constructor(
    /** `slow`: took too long. `broken`: the parser gave up. */
    readonly code: 'slow' | 'broken',
    readonly where: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

const answerSchema = z.union([
  z.object({
    page: z.object({
      title: z.string(),
      byline: z.string().optional(),
      site: z.string().optional(),
      date: z.string().optional(),
      text: z.string(),
      links: z.array(z.object({ text: z.string(), url: z.string() })),
    }),
  }),
  z.object({ error: z.string() }),
])

/** Starting a thread takes a moment on a busy machine. */
const START_MS = 60_000

function start(workerData: { readonly html: string; readonly url: string }): Worker {
  const options = { workerData, resourceLimits: { maxOldGenerationSizeMb: 384, stackSizeMb: 4 } }
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./readable-worker.js', import.meta.url), options)
  // From source (tests): a thread does not inherit the loader that reads TypeScript.
  const loader = pathToFileURL(
    createRequire(import.meta.url)
      .resolve('tsx/esm/api')
      .replace(/cjs$/, 'mjs'),
  ).href
  const code = `import(${JSON.stringify(loader)}).then((tsx) => (tsx.register(), import(${JSON.stringify(new URL('./readable-worker.ts', import.meta.url).href)})))`
  return new Worker(code, { ...options, eval: true })
}

/**
 * Reads an HTML page in a thread of its own, with limits of memory and time: a page made to keep a parser busy, or to
 * overflow it, ends there and not here.
 * @param url address of the page
 * @throws PageError; the signal's reason
 */
export function readApart(html: string, url: string, signal?: AbortSignal, seconds = 15): Promise<ReadablePage> {
  const worker = start({ html, url })
  const host = URL.canParse(url) ? new URL(url).host : url
  return new Promise<ReadablePage>((resolve, reject) => {
    const broken = (cause?: unknown): void =>
      reject(new PageError('broken', host, `The page of ${host} is built so that it cannot be read.`, { cause }))
    const slow = (): void =>
      reject(new PageError('slow', host, `The page of ${host} takes too long to read, so it was left.`))
    let timer = setTimeout(slow, START_MS)
    const gaveUp = (): void => reject(signal?.reason)
    signal?.addEventListener('abort', gaveUp)
    if (signal?.aborted) gaveUp()
    worker.on('message', (message: unknown) => {
      if (message === 'ready') {
        clearTimeout(timer)
        timer = setTimeout(slow, seconds * 1000)
        return
      }
      const answer = answerSchema.safeParse(message)
      if (!answer.success || 'error' in answer.data) broken(message)
      else {
        const { byline, site, date, ...rest } = answer.data.page
        resolve({ ...rest, byline, site, date })
      }
    })
    worker.once('error', broken)
    worker.once('exit', () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', gaveUp)
      broken('the thread ended')
    })
  }).finally(() => void worker.terminate())
}
