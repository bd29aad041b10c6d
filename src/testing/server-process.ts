import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A server program that a test started on the loopback interface. */
export interface ServerProcess {
  readonly port: number
  /** Folder of its own, removed by `stop`. */
  readonly folder: string
  /** What it printed so far. */
  output(): string
  /** Stops it as a crash would (`SIGKILL`), keeping the folder, for tests of servers that go away. */
  kill(): Promise<void>
  /** Stops it and removes its folder. */
  stop(): Promise<void>
}

/** Path of a program on the PATH (Debian keeps servers in sbin), or undefined: for `needs(name, program(name))`. */
export function program(name: string): string | undefined {
  const path = `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin:/sbin`
  const found = spawnSync('sh', ['-c', `command -v "${name}"`], {
    env: { ...process.env, PATH: path },
    encoding: 'utf8',
  })
  return found.status === 0 && found.stdout.trim() !== '' ? found.stdout.trim() : undefined
}

/** A port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/**
 * Starts a server in a new folder and waits until its port answers.
 * @param command what to run, given the port and the folder; may write configuration into the folder first
 * @throws Error with what the server printed, when it ends or does not answer within `seconds` (default 30)
 */
export async function startServer(
  command: (
    port: number,
    folder: string,
  ) => { readonly file: string; readonly args: readonly string[]; readonly env?: NodeJS.ProcessEnv },
  options: { readonly seconds?: number; readonly port?: number; readonly folder?: string } = {},
): Promise<ServerProcess> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'botpsy-server-'))
  const port = options.port ?? (await freePort())
  const { file, args, env } = command(port, folder)
  const child: ChildProcess = spawn(file, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  let failure: Error | undefined
  child.once('error', (error) => {
    failure = error
  })
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-20_000)
    })
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null || failure !== undefined) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
  const stop = async (): Promise<void> => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  }
  const deadline = Date.now() + (options.seconds ?? 30) * 1000
  while (!(await answers(port))) {
    const ended = failure !== undefined || child.exitCode !== null || child.signalCode !== null
    if (ended || Date.now() > deadline) {
      await stop()
      throw new Error(`${file} ${ended ? 'ended' : 'did not answer'} on port ${port}: ${failure?.message ?? text}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { port, folder, output: () => text, kill, stop }
}
