import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { readable } from './readable.js'

const { html, url } = z.object({ html: z.string(), url: z.string() }).parse(workerData)
// Loading is not the page's fault, so its time begins here.
parentPort?.postMessage('ready')
try {
  parentPort?.postMessage({ page: readable(html, url) })
} catch (error) {
  parentPort?.postMessage({ error: String(error) })
}
