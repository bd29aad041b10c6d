import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Journal } from '../agent/journal.js'
import { ScriptedEngine, type ScriptedTurn } from '../engine/scripted.js'
import { ask } from './ask-command.js'
import { chat } from './chat-command.js'
import { composeData } from './compose.js'
import { historyText } from './history-command.js'
import type { OpenedEngine } from './open-engine.js'
import { approvalText } from './terminal-approver.js'
import { undoText } from './undo-command.js'

const home = (): string => mkdtempSync(join(tmpdir(), 'botpsy-cli-'))
const scripted = (turns: readonly ScriptedTurn[]) => async (): Promise<OpenedEngine> => ({
  engine: new ScriptedEngine({ turns }),
  sampling: undefined,
  think: undefined,
  tiny: true,
})

const ALARM =
  '<tool_call>\n<function=alarm_set>\n<parameter=when>\nquarter past six tomorrow morning\n</parameter>\n</function>\n</tool_call>'
const INVITE =
  '<tool_call>\n<function=calendar_create>\n<parameter=title>\nlunch\n</parameter>\n<parameter=when>\ntomorrow at noon\n</parameter>\n<parameter=people>\nanna\n</parameter>\n</function>\n</tool_call>'

function captured(): () => string {
  const parts: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => parts.push(String(text)) > 0)
  return () => parts.join('')
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a request', () => {
  it('is done on real local data, shown, recorded, and taken back', async () => {
    const data = home()
    const output = captured()
    expect(await ask('set an alarm for quarter past six tomorrow morning', { data }, scripted([ALARM, '']))).toBe(0)
    expect(output()).toMatch(/→ alarm_set {2}when: quarter past six tomorrow morning\n✓ .*\n/)
    expect(output().trimEnd().split('\n').at(-1)).toMatch(/6:15|06:15/)
    const calendar = (): string =>
      readdirSync(join(data, 'calendar'), { recursive: true })
        .filter((name) => String(name).endsWith('.ics'))
        .map((name) => readFileSync(join(data, 'calendar', String(name)), 'utf8'))
        .join('')
    expect(calendar()).toMatch(/T061500/)
    const stores = await composeData({ data })
    expect(historyText(stores.journal, 5)).toMatch(/set an alarm for quarter past six[\s\S]*✓ alarm_set.*\(undo \d+\)/)
    expect((await undoText(stores)).ok).toBe(true)
    expect(calendar()).not.toMatch(/T061500/)
    expect(historyText(stores.journal, 5)).toContain('(undone)')
    expect((await undoText(stores)).text).toBe('There is nothing to undo.')
    stores.close()
  })

  it('prints one event a line with --json, and ends with 3 when an approval is needed that nobody can give', async () => {
    const output = captured()
    expect(
      await ask('invite anna to lunch tomorrow at noon', { data: home(), json: true }, scripted([INVITE, 'Invited.'])),
    ).toBe(3)
    const events = output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; status?: string })
    expect(events.map((event) => event.type)).toEqual(['run.start', 'call', 'ask', 'approval', 'result', 'run.end'])
    expect(events.at(-1)?.status).toBe('unapproved')
  })

  it('is one of many in a chat over a pipe, with commands between', async () => {
    const output = captured()
    const lines = [
      '/tools',
      'set an alarm for quarter past six tomorrow morning',
      '/undo',
      '/bogus',
      '/history',
      '/exit',
      'never',
    ]
    const input = Readable.from(lines.map((line) => `${line}\n`))
    expect(await chat({ data: home() }, input, scripted([ALARM, 'Your alarm is set.']))).toBe(0)
    const text = output()
    expect(text).toMatch(/^calendar\n {2}alarm_set +Set an alarm/)
    expect(text).toMatch(/→ alarm_set[\s\S]*Your alarm is set\.\n/)
    expect(text).toContain('alarm_set:')
    expect(text).toContain('/bogus is not known')
    expect(text).toContain('(undone)')
    expect(text).not.toContain('never')
  })

  it('asks for what is missing, and goes on with the answer in another process', async () => {
    const data = home()
    const output = captured()
    const bare = '<tool_call>\n<function=alarm_set>\n</function>\n</tool_call>'
    expect(await ask('set an alarm', { data, quiet: true }, scripted([bare]))).toBe(0)
    expect(output()).toBe('When should the alarm ring?\n')
    expect(await ask('quarter past six tomorrow morning', { data, continue: true }, scripted([ALARM, '']))).toBe(0)
    expect(output()).toMatch(/✓ .*6:15/)
    const journal = new Journal(join(data, 'journal.sqlite'))
    expect(new Set(journal.runs().map(({ body }) => body.type === 'run.start' && body.thread)).size).toBe(1)
    journal.close()
  })

  it('finishes what an earlier process left open before it starts', async () => {
    const data = home()
    const journal = new Journal(join(data, 'journal.sqlite'))
    journal.append('r', {
      type: 'run.start',
      thread: 't',
      request: 'wake me',
      model: 'm',
      tools: ['alarm_set'],
      pid: 2 ** 22 + 1,
    })
    const call = { id: 'call_1', name: 'alarm_set', arguments: { when: 'tomorrow at 7' } }
    journal.append('r', { type: 'assistant', content: '', toolCalls: [call], outputTokens: 9 })
    journal.close()
    const output = captured()
    expect(await ask('hello', { data }, scripted(['It is set.', 'Hello.']))).toBe(0)
    expect(output()).toMatch(/Going on with: wake me\n→ alarm_set[\s\S]*Hello\.\n$/)
  })

  it('refuses a policy file that it cannot read, before anything runs', async () => {
    const data = home()
    writeFileSync(join(data, 'policy.yaml'), 'rules: [{ tool: alarm_set }]')
    await expect(ask('set an alarm at 7', { data }, scripted([ALARM]))).rejects.toThrow(/rule 1, decision/)
    await expect(ask('x', { data: home(), approve: 'payments' }, scripted([ALARM]))).rejects.toThrow(
      /--approve payments/,
    )
  })
})

describe('approvalText', () => {
  it('shows what will run, from where each value came, and what would not be seen', () => {
    const text = approvalText({
      run: 'r',
      call: 'c',
      tool: 'email_send',
      field: 'messaging',
      description: 'Send an email.',
      effect: 'write',
      arguments: { to: 'аnna@example.org', text: 'hi\u202e\u001b[2J' },
      origins: new Map([
        ['to', { kind: 'untrusted', label: 'the result of email_read' }],
        ['text', { kind: 'owner', label: 'you' }],
      ]),
      egress: { to: ['аnna@example.org'], what: 'the message' },
      why: 'something leaves this device',
      preview: undefined,
      hash: 'h',
      expiresAt: 0,
    })
    expect(text).toContain('[from the result of email_read]  (!) mixes alphabets')
    expect(text).toContain('hi‹direction›‹ESC›[2J   [from you]')
    expect(text).toContain('leaves this device: the message')
  })
})

describe('the program', () => {
  const main = fileURLToPath(new URL('./main.ts', import.meta.url))
  const run = (...args: string[]) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      execFile(process.execPath, ['--import', 'tsx', main, ...args], (error, out, err) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
      )
    })

  it('goes on when nobody reads what it says any more', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', main, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.destroy()
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += String(chunk)
    })
    expect(await once(child, 'close')).toEqual([0, null])
    expect(said).toBe('')
  }, 120_000)

  it('explains itself, and tells its exit codes apart', async () => {
    const help = await run('--help')
    expect(help.code).toBe(0)
    for (const word of ['Usage: botpsy', 'Examples:', 'chat', 'undo', 'history', '--approve', 'Exit codes']) {
      expect(help.out).toContain(word)
    }
    expect((await run('--no-such-option', 'x')).code).toBe(2)
    expect((await run('--think', 'maybe', 'x')).code).toBe(2)
    const none = await run('--data', home(), '--model', 'no-such-model', 'hello')
    expect(none.code).toBe(4)
    expect(none.err).toContain('There is no model no-such-model')
    const undo = await run('undo', '--data', home())
    expect(undo).toMatchObject({ code: 1, out: 'There is nothing to undo.\n' })
    const before = await run('--data', home(), 'undo')
    expect(before).toMatchObject({ code: 1, out: 'There is nothing to undo.\n' })
    const mixed = await run('--think', 'on', 'history')
    expect(mixed.code).toBe(2)
    expect(mixed.err).toContain('--think <on|off|N> does not go with history')
    expect((await run('history', '-n', 'many', '--data', home())).code).toBe(2)
    expect((await run('chat', 'with', 'me')).err).toContain('goes in quotes')
  }, 240_000)
})
