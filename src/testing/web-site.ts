import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { Socket } from 'node:net'

/** Answers one request of a {@link WebSite}. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A web server on 127.0.0.1 that a test fills. */
export interface WebSite {
  readonly port: number
  /** "http://127.0.0.1:1234" */
  readonly origin: string
  /** Paths that were asked for, with query. */
  readonly asked: readonly string[]
  stop(): Promise<void>
}

/**
 * Starts a site. A path without an answer gives 404. `stop` cuts what is still open, so that endless answers end.
 * @param tls key and certificate (PEM) for https
 */
export async function startSite(
  answers: { readonly [path: string]: Answer },
  tls?: { readonly key: string; readonly cert: string },
): Promise<WebSite> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const handle: Answer = (request, response) => {
    const path = request.url ?? '/'
    asked.push(path)
    response.on('error', () => undefined)
    const answer = answers[path.split('?')[0] ?? '/']
    if (answer) answer(request, response)
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<p>nothing here</p>')
  }
  const server = tls ? createSecure(tls, handle) : createServer(handle)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    port,
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    asked,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** An answer with a body and headers. */
export const page =
  (body: string | Uint8Array, headers: { readonly [name: string]: string } = {}, status = 200): Answer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)
  }

/** An answer that sends visitors on. */
export const redirect =
  (to: string, status = 302): Answer =>
  (_, response) => {
    response.writeHead(status, { location: to }).end()
  }
