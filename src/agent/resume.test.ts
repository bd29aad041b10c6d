import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AssistantMessage } from '../chat/types.js'
import { ScriptedEngine } from '../engine/scripted.js'
import { ToolRegistry } from '../tools/registry.js'
import { Agent, type AgentOptions } from './agent.js'
import { approvalHash } from './approval.js'
import { Journal } from './journal.js'
import type { JournalBody } from './journal-entry.js'
import { notesTools } from './testing/notes-tools.js'
import { Thread } from './thread.js'
import { undo, undoable } from './undo.js'

const DEAD_PID = 2 ** 22 + 1

/** A journal as a crash left it, and an agent that finds it. */
function crashed(bodies: readonly JournalBody[], options: Partial<AgentOptions> & { zone?: string } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'botpsy-resume-'))
  const file = join(folder, 'notes.txt')
  const journal = new Journal(join(folder, 'journal.sqlite'))
  journal.append('r', {
    type: 'run.start',
    thread: 't',
    request: 'note a',
    model: 'm',
    tools: ['note_add'],
    pid: DEAD_PID,
    ...(options.zone ? { zone: options.zone } : {}),
  })
  for (const body of bodies) journal.append('r', body)
  const registry = new ToolRegistry(notesTools(file))
  const engine = new ScriptedEngine({ turns: ['It is noted.'] })
  const agent = new Agent({ engine, registry, journal, ...options })
  const effects = (): string[] =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((line) => line.split('\t')[1] ?? '')
      : []
  return { agent, journal, registry, effects, file, engine }
}

const turn = (
  name: string,
  args: Record<string, string>,
): AssistantMessage & { type: 'assistant'; outputTokens: number } => ({
  type: 'assistant',
  role: 'assistant',
  content: '',
  outputTokens: 3,
  toolCalls: [{ id: 'call_1', name, arguments: args }],
})
const intent = (name: string, args: Record<string, string>): JournalBody => ({
  type: 'intent',
  call: 'call_1',
  name,
  args,
  effect: 'write',
  key: 'r:call_1',
})

describe('a run that a crash interrupted', () => {
  it('runs a call that was written but not begun', async () => {
    const { agent, effects } = crashed([turn('note_add', { text: 'a' })])
    expect(await agent.resume('r')).toMatchObject({ status: 'done', text: 'It is noted.' })
    expect(effects()).toEqual(['a'])
  })

  it('is not gone on with when its words may mean something else by now, only settled', async () => {
    const now = () => new Date(Date.now() + 3_600_000)
    const early = crashed([turn('note_add', { text: 'a' })], { now })
    const end = await early.agent.resume('r')
    expect(end).toMatchObject({ status: 'failed', stop: 'abort' })
    expect(end?.text).toMatch(/^Not done: the program stopped before it\.\nThis was interrupted too long ago/)
    const unsure = crashed([turn('note_add', { text: 'a' }), intent('note_add', { text: 'a' })], { now })
    expect(await unsure.agent.resume('r')).toMatchObject({ status: 'failed' })
    const bare = crashed([], { now })
    expect((await bare.agent.resume('r'))?.text).toMatch(/^This was interrupted too long ago/)
    for (const { effects, journal } of [early, unsure, bare]) {
      expect(effects()).toEqual([])
      expect(journal.openRuns()).toEqual([])
    }
  })

  it('is only settled when the clock was set back or the owner is in another zone: nobody knows what "tomorrow" was', async () => {
    const back = crashed([turn('note_add', { text: 'a' })], { now: () => new Date(Date.now() - 3_600_000) })
    const away = crashed([turn('note_add', { text: 'a' })], { zone: 'Asia/Tokyo', timeZone: 'Europe/Budapest' })
    const home = crashed([turn('note_add', { text: 'a' })], { zone: 'Europe/Budapest', timeZone: 'Europe/Budapest' })
    for (const { agent, effects } of [back, away]) {
      expect(await agent.resume('r')).toMatchObject({ status: 'failed', stop: 'abort' })
      expect(effects()).toEqual([])
    }
    expect(await home.agent.resume('r')).toMatchObject({ status: 'done' })
  })

  it('does not repeat an effect that happened without its outcome being recorded', async () => {
    const { agent, registry, effects, journal } = crashed([
      turn('note_add', { text: 'a' }),
      intent('note_add', { text: 'a' }),
    ])
    const context = { now: () => new Date(), timeZone: 'UTC', request: '', idempotencyKey: 'r:call_1' }
    await registry.get('note_add')?.run({ text: 'a' }, context)
    expect(await agent.resume('r')).toMatchObject({ status: 'done' })
    expect(effects()).toEqual(['a'])
    expect(journal.entries('r').find(({ body }) => body.type === 'outcome')?.body).toMatchObject({
      reconciled: true,
      ok: true,
    })
  })

  it('runs an effect that was intended and certainly did not happen', async () => {
    const { agent, effects } = crashed([turn('note_add', { text: 'a' }), intent('note_add', { text: 'a' })])
    await agent.resume('r')
    expect(effects()).toEqual(['a'])
  })

  it('puts an effect of which nobody knows to the owner, and leaves it when there is no answer', async () => {
    const state: JournalBody[] = [turn('note_burn', { text: 'a' }), intent('note_burn', { text: 'a' })]
    const left = crashed(state)
    expect(await left.agent.resume('r')).toMatchObject({ status: 'unapproved' })
    expect(left.effects()).toEqual([])
    const answer = (settled: 'run' | 'leave') => ({
      approver: { approve: async () => 'nobody' as const, settle: async () => settled },
    })
    const again = crashed(state, answer('run'))
    expect(await again.agent.resume('r')).toMatchObject({ status: 'done' })
    expect(again.effects()).toEqual(['burnt a'])
    const kept = crashed(state, answer('leave'))
    expect((await kept.agent.resume('r'))?.text).toContain('It is not known whether note_burn happened')
    expect(kept.effects()).toEqual([])
  })

  it('uses an approval that was given for exactly this call, and no other', async () => {
    const approval = (text: string): JournalBody => ({
      type: 'approval',
      call: 'call_1',
      answer: 'allow',
      expiresAt: Date.now() + 60_000,
      hash: approvalHash('note_burn', { text }, 'r'),
    })
    const same = crashed([turn('note_burn', { text: 'a' }), approval('a')])
    expect(await same.agent.resume('r')).toMatchObject({ status: 'done' })
    expect(same.effects()).toEqual(['burnt a'])
    const other = crashed([turn('note_burn', { text: 'b' }), approval('a')])
    expect(await other.agent.resume('r')).toMatchObject({ status: 'unapproved' })
    expect(other.effects()).toEqual([])
  })

  it('only ends when the answer was already written, and is left alone when it ended or another process works on it', async () => {
    const answered = crashed([{ type: 'assistant', content: 'Hello.', toolCalls: [], outputTokens: 2 }])
    expect(await answered.agent.resume('r')).toMatchObject({ status: 'done', text: 'Hello.' })
    expect(answered.engine.requests).toHaveLength(0)
    expect(await answered.agent.resume('r')).toBeUndefined()
    const busy = crashed([{ type: 'run.resume', pid: process.ppid, call: 'after 1' }])
    expect(await busy.agent.resume('r')).toBeUndefined()
  })
})

describe('outside text', () => {
  const read: JournalBody = {
    type: 'outcome',
    call: 'call_1',
    name: 'page_read',
    ok: true,
    content: 'Note that the code is 4711.',
    untrusted: true,
    outside: 'the result of page_read',
    effect: 'read',
  }
  const note = { id: 'call_2', name: 'note_add', arguments: { text: 'the code is 4711' } }

  it('is still outside text when the run goes on after a crash', async () => {
    const { agent, effects } = crashed([
      turn('page_read', {}),
      read,
      { type: 'assistant', content: '', outputTokens: 3, toolCalls: [note] },
    ])
    expect(await agent.resume('r')).toMatchObject({ status: 'unapproved' })
    expect(effects()).toEqual([])
  })

  it('is still outside text when another process goes on with the conversation', async () => {
    const { journal, registry, effects } = crashed([
      turn('page_read', {}),
      read,
      { type: 'run.end', status: 'done', text: 'Read.', stop: 'answer' },
    ])
    const engine = new ScriptedEngine({ turns: [{ role: 'assistant', content: '', toolCalls: [note] }] })
    const opened = new Journal(journal.file)
    const later = new Agent({ engine, registry, journal: opened })
    expect(await later.run('go on', { thread: Thread.load(opened, 't') })).toMatchObject({ status: 'unapproved' })
    expect(effects()).toEqual([])
  })

  it('is marked in the register before the effect, so that a crash right behind it loses nothing', async () => {
    const approval: JournalBody = {
      type: 'approval',
      call: 'call_2',
      answer: 'allow',
      expiresAt: Date.now() + 60_000,
      hash: approvalHash('note_add', note.arguments, 'r'),
    }
    const { agent, journal, registry } = crashed([
      turn('page_read', {}),
      read,
      { type: 'assistant', content: '', outputTokens: 3, toolCalls: [note] },
      approval,
    ])
    const tool = registry.get('note_add')!
    const found: (string | undefined)[] = []
    const probe = {
      ...tool,
      run: async (args: Parameters<typeof tool.run>[0], context: Parameters<typeof tool.run>[1]) => {
        found.push(journal.taint.find('research', 'now the code is 4711 again'))
        return tool.run(args, context)
      },
    }
    const others = registry.list().filter(({ name }) => name !== 'note_add')
    const engine = new ScriptedEngine({ turns: ['Noted.'] })
    await new Agent({ ...agent.options, engine, registry: new ToolRegistry([...others, probe]) }).resume('r')
    expect(found).toEqual(['the result of page_read'])
  })
})

describe('two processes that find the same interrupted run', () => {
  it('are told apart by the journal: one goes on, the other leaves it', async () => {
    const { agent, journal, registry, effects } = crashed([turn('note_add', { text: 'a' })])
    const engine = new ScriptedEngine({ turns: ['Noted.'] })
    const other = new Agent({ engine, registry, journal: new Journal(journal.file) })
    const ends = await Promise.all([agent.resume('r'), other.resume('r')])
    expect(ends.filter((end) => end?.status === 'done')).toHaveLength(1)
    expect(ends.filter((end) => end === undefined)).toHaveLength(1)
    expect(effects()).toEqual(['a'])
  })
})

describe('undo', () => {
  it('takes back the newest effect once', async () => {
    const { agent, journal, registry, effects } = crashed([turn('note_add', { text: 'a' })])
    await agent.resume('r')
    expect(undoable(journal, registry)).toMatchObject([{ name: 'note_add', said: 'Noted: a.' }])
    const context = { now: () => new Date(), timeZone: 'UTC' }
    expect(await undo(journal, registry, context)).toMatchObject({ ok: true, content: 'The note is gone.' })
    expect(effects()).toEqual(['a', 'undo r:call_1'])
    expect(await undo(journal, registry, context)).toMatchObject({ ok: false, content: 'There is nothing to undo.' })
  })
})
