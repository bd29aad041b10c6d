import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { needs } from '../../testing/datasets.js'
import { program } from '../../testing/server-process.js'
import { appleScript, desktopOf, type Pressed, toastScript } from './desktop.js'
import { FreeDesktop, notifyBody } from './free-desktop.js'
import { sessionBusAddress } from './session-bus.js'

const run = promisify(execFile)
const RINGING = { title: 'Alarm: gym & <b>swim</b>', text: '07:00, "pool"', rings: true, snooze: true }

/** The first line that a program prints. */
async function firstLine(child: ChildProcess, stream: 'stdout' | 'stderr' = 'stdout'): Promise<string> {
  let text = ''
  while (!text.includes('\n')) {
    const [chunk] = (await once(child[stream] as NodeJS.ReadableStream, 'data')) as [Buffer]
    text += chunk.toString()
  }
  return text.split('\n')[0] ?? ''
}

/** A session bus with dunst on a screen in memory; dunstctl asks it. */
async function realDesktop(): Promise<(...args: string[]) => Promise<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'botpsy-desktop-'))
  const children: ChildProcess[] = []
  const start = (name: string, args: string[], env: NodeJS.ProcessEnv = process.env, third = false): ChildProcess => {
    const child = spawn(name, args, { env, stdio: ['ignore', 'pipe', third ? 'ignore' : 'pipe'] })
    child.once('error', () => undefined)
    children.push(child)
    return child
  }
  onTestFinished(() => {
    vi.unstubAllEnvs()
    for (const child of children.reverse()) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const screen = start('Xvfb', ['-displayfd', '1', '-screen', '0', '640x200x24', '-nolisten', 'tcp'])
  const display = `:${await firstLine(screen)}`
  const bus = start('dbus-daemon', ['--session', '--print-address=1', '--nofork', `--address=unix:dir=${folder}`])
  const address = await firstLine(bus)
  vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', address)
  const env = { ...process.env, DISPLAY: display, DBUS_SESSION_BUS_ADDRESS: address, HOME: folder }
  start('dunst', [], env)
  return async (...args) => (await run('dunstctl', args, { env })).stdout.trim()
}

describe('notifications of the desktop', () => {
  const missing = ['Xvfb', 'dbus-daemon', 'dunst', 'dunstctl'].find((name) => program(name) === undefined)

  it.skipIf(needs('dunst, Xvfb and dbus-daemon', missing === undefined))(
    'are shown by a real notification server, answered, and taken away again',
    async () => {
      const dunst = await realDesktop()
      await vi.waitFor(() => dunst('count', 'displayed'), { timeout: 20_000, interval: 100 })
      const failed: string[] = []
      const desktop = new FreeDesktop((why) => failed.push(why))
      onTestFinished(() => desktop.close())
      const pressed: Pressed[] = []
      const displayed = (n: string) =>
        vi.waitFor(async () => expect(await dunst('count', 'displayed')).toBe(n), { timeout: 20_000, interval: 50 })

      const first = desktop.show(RINGING, (what) => pressed.push(what))
      await displayed('1')
      first.close()
      await displayed('0')
      expect(pressed).toEqual([])

      desktop.show(RINGING, (what) => pressed.push(what))
      await displayed('1')
      await dunst('action', '0')
      await vi.waitFor(() => expect(pressed).toEqual(['stop']), { timeout: 20_000, interval: 50 })

      desktop.show({ title: 'Timer', text: '07:01', rings: true }, (what) => pressed.push(what))
      await vi.waitFor(async () => expect(await dunst('count', 'displayed')).not.toBe('0'), { timeout: 20_000 })
      await dunst('close-all')
      await vi.waitFor(() => expect(pressed).toEqual(['stop', 'stop']), { timeout: 20_000, interval: 50 })

      const history = await dunst('history')
      expect(history).toContain('Alarm: gym &amp; &lt;b&gt;swim')
      expect(failed).toEqual([])
    },
    120_000,
  )

  it('say once why they cannot be shown, and harm nothing', async () => {
    vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', `unix:path=${join(tmpdir(), 'no-such-bus')}`)
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const failed: string[] = []
    new FreeDesktop((why) => failed.push(why)).show(RINGING, () => undefined)
    await vi.waitFor(() => expect(failed).toHaveLength(1), { timeout: 20_000 })
    expect(sessionBusAddress({})).toBeUndefined()
  }, 30_000)

  it('carry actions and urgency only while something rings', () => {
    expect(notifyBody(RINGING)[4]).toBe('07:00, "pool"')
    expect(notifyBody(RINGING)[5]).toEqual(['default', 'Stop', 'stop', 'Stop', 'snooze', 'Snooze 10 minutes'])
    expect(notifyBody({ title: 'a', text: '<b>' }).slice(4, 6)).toEqual(['&lt;b&gt;', []])
  })

  it('cannot be made to run anything by a title', () => {
    const evil = { title: `a" & (do shell script "x") & "'); Remove-Item x; ('`, text: '</text><x/>', rings: true }
    expect(appleScript(evil)).toContain(String.raw`with title "a\" & (do shell script \"x\") & \"'); Remove`)
    const toast = toastScript(evil)
    expect(toast).toContain("''); Remove-Item x; (''")
    expect(toast).not.toContain('<x/>')
    expect(
      desktopOf(
        () => undefined,
        'darwin',
        () => undefined,
      ),
    ).toBeUndefined()
  })
})
