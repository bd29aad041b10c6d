import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDomains } from '../../domains/domains.js'
import { Ledger } from '../../domains/later/index.js'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

interface Running {
  readonly child: ChildProcess
  readonly events: { readonly type: string; readonly ring?: { readonly title: string }; readonly list?: unknown[] }[]
  errors: string
}

/** The real program in a process of its own. */
function startService(home: string): Running {
  const args = ['--import', 'tsx', MAIN, 'service', '--json', '--no-sound', '--no-desktop', '--data', home]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const running: Running = { child, events: [], errors: '' }
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    const lines = (text + chunk.toString()).split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) running.events.push(JSON.parse(line) as Running['events'][number])
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    running.errors += chunk.toString()
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return running
}

const ended = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) =>
    child.exitCode === null && child.signalCode === null ? child.once('exit', resolve) : resolve(0),
  )

const within = { timeout: 60_000, interval: 20 }

describe('the service as a process', () => {
  it('notices what another process sets, rings it once though it is killed, and is alone on its folder', async () => {
    const home = mkdtempSync(join(tmpdir(), 'botpsy-service-'))
    const domains = createDomains({ home })
    onTestFinished(() => {
      domains.close()
      rmSync(home, { recursive: true, force: true })
    })
    let n = 0
    const call = (name: string, args: { readonly [name: string]: string }) =>
      domains
        .find((tool) => tool.name === name)
        ?.run(args, { now: () => new Date(), timeZone: 'UTC', request: '', idempotencyKey: `k${++n}` })

    const first = startService(home)
    const ledger = new Ledger(domains.stores.records)
    await vi.waitFor(() => expect(ledger.last()).toBeDefined(), within)

    const second = startService(home)
    await ended(second.child)
    expect(second.child.exitCode).toBe(1)
    expect(second.errors).toMatch(/already runs/)

    await call('timer_set', { duration: '2 seconds', label: 'tea' })
    await vi.waitFor(() => expect(first.events.map(({ type }) => type)).toEqual(['ring']), within)
    await vi.waitFor(() => expect(ledger.ringing()[0]?.state).toBe('ringing'), within)
    first.child.kill('SIGKILL')
    await ended(first.child)

    // The lock is free at once, and the ringing that was cut off is told, not rung again.
    const third = startService(home)
    await vi.waitFor(() => expect(third.events.map(({ type }) => type)).toEqual(['missed']), within)
    expect(third.events[0]?.list).toMatchObject([{ title: 'tea', why: 'cut-off' }])

    await call('timer_set', { duration: '1 second', label: 'egg' })
    await vi.waitFor(() => expect(third.events.at(-1)?.ring?.title).toBe('egg'), within)
    expect((await call('timer_cancel', {}))?.content).toBe('The timer is off.')
    await vi.waitFor(() => expect(third.events.map(({ type }) => type)).toEqual(['missed', 'ring', 'ring.end']), within)
    third.child.kill('SIGTERM')
    await ended(third.child)
    expect([third.child.exitCode, third.errors]).toEqual([0, ''])
  }, 240_000)
})
