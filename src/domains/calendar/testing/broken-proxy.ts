import { connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** What the proxy does to requests of a method. */
export type Breakage =
  /** Passes on. */
  | 'pass'
  /** Takes the request and never answers; the server never sees it. */
  | 'hang'
  /** Drops the connection before the server sees the request. */
  | 'drop before'
  /** Lets the server do it and drops the connection instead of the answer. */
  | 'drop after'
  /** Lets the server do it and never answers. */
  | 'hang after'
  /** Answers with bytes that are no HTTP. */
  | 'garbage'
  /** Answers with a web page. */
  | 'page'
  /** Answers without end. */
  | 'endless'

/** A proxy in front of a server that breaks what it is told to. */
export interface BrokenProxy {
  readonly url: string
  /** What happens to a request line ("PUT /ann/…"); default passes all. */
  breaks: (request: string, body: string) => Breakage
  /** Added to every answer's headers. */
  header: string
  /** Changes the text of an answer. */
  rewrite: (answer: string, request: string, body: string) => string
  /** Request lines seen so far. */
  readonly seen: string[]
  /** Request lines that the server has done and nobody was told of. */
  readonly answered: string[]
}

/** Starts a proxy to a local port; it ends with the test. One request a connection. */
export async function brokenProxy(port: number): Promise<BrokenProxy> {
  const sockets = new Set<Socket>()
  const self = {
    url: '',
    breaks: (_line: string, _body: string): Breakage => 'pass',
    header: '',
    rewrite: (answer: string, _line: string, _body: string) => answer,
    seen: [] as string[],
    answered: [] as string[],
  }
  const server: Server = createServer((client) => {
    sockets.add(client)
    client.on('close', () => sockets.delete(client))
    client.on('error', () => client.destroy())
    let text = Buffer.alloc(0)
    let begun = false
    client.on('data', (chunk) => {
      if (begun) return
      text = Buffer.concat([text, chunk])
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = text.subarray(0, end).toString('latin1')
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
      if (text.length < end + 4 + length) return
      begun = true
      const line = head.split('\r\n')[0] ?? ''
      self.seen.push(line)
      const body = text.subarray(end + 4).toString()
      const what = self.breaks(line, body)
      if (what === 'hang') return
      if (what === 'drop before') return void client.destroy()
      if (what === 'garbage') return void client.end('\u0000\u0001 what? \r\n\r\n')
      if (what === 'page')
        return void client.end(
          'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n<h1>Welcome</h1>',
        )
      if (what === 'endless') {
        client.write('HTTP/1.1 207 Multi-Status\r\ncontent-type: text/xml\r\nconnection: close\r\n\r\n')
        const block = Buffer.alloc(1 << 20, 'a')
        const more = () => {
          while (!client.destroyed && client.write(block));
        }
        client.on('drain', more)
        return more()
      }
      const upstream = connect(port, '127.0.0.1')
      sockets.add(upstream)
      let answer = Buffer.alloc(0)
      upstream.on('data', (part) => {
        answer = Buffer.concat([answer, part])
      })
      upstream.on('error', () => client.destroy())
      upstream.on('close', () => {
        sockets.delete(upstream)
        if (what === 'drop after') return void client.destroy()
        if (what === 'hang after') return void self.answered.push(line)
        // The connection's end tells the length of what was rewritten.
        const changed = self.rewrite(answer.toString(), line, body).replace(/^content-length:.*\r\n/im, '')
        const added = self.header === '' ? '' : `\r\n${self.header}`
        client.end(changed.replace('\r\n', () => `${added}\r\n`))
      })
      upstream.write(
        Buffer.concat([
          Buffer.from(
            `${head.replace(/^(?:connection|accept-encoding):.*(?:\r\n|$)/gim, '').trimEnd()}\r\nconnection: close\r\n\r\n`,
            'latin1',
          ),
          text.subarray(end + 4),
        ]),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  self.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  )
  return self
}
