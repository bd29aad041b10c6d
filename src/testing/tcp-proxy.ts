import { connect, createServer, type Socket } from 'node:net'

/** What a proxy does with bytes on their way. */
export interface ProxyRules {
  /** Sees what the client sends; true cuts both sides after it was passed on. */
  readonly cutAfterClient?: (text: string) => boolean
  /** What the client gets for what the server sends (bytes as Latin-1). */
  readonly rewriteServer?: (text: string) => string
  /** Sees what the server sends; true cuts both sides instead of passing it on. */
  readonly cutBeforeServer?: (text: string, fromClient: string) => boolean
}

/** A TCP proxy on the loopback interface, for connections that break at a chosen point. */
export interface TcpProxy {
  readonly port: number
  /** Connections that were made. */
  connections(): number
  /** Ends all connections that are open. */
  cutAll(): void
  stop(): Promise<void>
}

/** Starts a proxy to a port of this machine. */
export async function startProxy(target: number, rules: ProxyRules = {}): Promise<TcpProxy> {
  const open = new Set<Socket>()
  let count = 0
  const server = createServer((client) => {
    count++
    const upstream = connect(target, '127.0.0.1')
    let said = ''
    const cut = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', cut)
      socket.on('close', () => {
        open.delete(socket)
        cut()
      })
    }
    client.on('data', (chunk: Buffer) => {
      said += chunk.toString('latin1')
      upstream.write(chunk, () => {
        if (rules.cutAfterClient?.(said)) cut()
      })
    })
    upstream.on('data', (chunk: Buffer) => {
      if (rules.cutBeforeServer?.(chunk.toString('latin1'), said)) cut()
      else if (rules.rewriteServer) client.write(rules.rewriteServer(chunk.toString('latin1')), 'latin1')
      else client.write(chunk)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    connections: () => count,
    cutAll: () => {
      for (const socket of open) socket.destroy()
    },
    stop: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
