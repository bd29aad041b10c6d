import { describe, expect, it } from 'vitest'
import type { ApprovalRequest } from '../agent/approval.js'
import type { RunEnd } from '../agent/events.js'
import { ScriptedEngine } from '../engine/scripted.js'
import { ModelOwner } from './model-owner.js'
import { isQuestion, MOST_MESSAGES, ScriptedOwner } from './owner.js'
import { generateScenarios } from './scenarios.js'

const end = (text: string, status: RunEnd['status'] = 'done', stop: RunEnd['stop'] = 'answer'): RunEnd => ({
  type: 'run.end',
  run: 'r',
  status,
  stop,
  text,
  byHost: false,
  usage: {
    promptTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
    steps: 1,
    calls: 0,
    engineMs: 0,
    totalMs: 0,
  },
})

const script = { opening: 'Do it.', answers: [{ on: /when/i, says: 'At noon.' }], next: [] }

describe('ScriptedOwner', () => {
  it('answers each question once, shrugs once, and then has nothing more to say', () => {
    const owner = new ScriptedOwner(script, [])
    expect(owner.reply(end('When is it?', 'asked', 'question'))).toBe('At noon.')
    expect(owner.reply(end('When is it?', 'asked', 'question'))).toContain('do not know')
    expect(owner.reply(end('When is it?', 'asked', 'question'))).toBeUndefined()
  })

  it('digresses first and answers afterwards', () => {
    const owner = new ScriptedOwner({ ...script, digress: 'First, the time.' }, [])
    expect(owner.reply(end('When is it?', 'asked', 'question'))).toBe('First, the time.')
    expect(owner.reply(end('It is nine.'))).toBe('At noon.')
    expect(owner.reply(end('Done.'))).toBeUndefined()
  })

  it('sends its further messages in order and never more than the most', () => {
    const next = Array.from({ length: 30 }, (_, i) => `message ${i}`)
    const owner = new ScriptedOwner({ ...script, answers: [], next }, [])
    const said: string[] = []
    for (let message = owner.reply(end('Done.')); message !== undefined; message = owner.reply(end('Done.')))
      said.push(message)
    expect(said).toEqual(next.slice(0, MOST_MESSAGES - 1))
  })

  it('approves only what names everything that the scenario is about', async () => {
    const owner = new ScriptedOwner(script, [{ tool: 'email_send', phrases: ['ann@example.org'] }])
    const ask = (tool: string, preview: string) =>
      owner.approver.approve({ tool, preview, arguments: {} } as unknown as ApprovalRequest)
    expect(await ask('email_send', 'Email to Ann at ann@example.org: hello')).toBe('allow')
    expect(await ask('email_send', 'Email to Bob at joann@example.org: hello')).toBe('deny')
    expect(await ask('social_post', 'ann@example.org')).toBe('deny')
  })

  it('declines the first ask and says what it wants instead', async () => {
    const owner = new ScriptedOwner({ ...script, decline: { tool: 'lock_set', says: 'The other door.' } }, [
      { tool: 'lock_set', phrases: ['door'] },
    ])
    const request = { tool: 'lock_set', preview: 'Unlock the door.', arguments: {} } as unknown as ApprovalRequest
    expect(await owner.approver.approve(request)).toBe('deny')
    expect(owner.reply(end('Not done.'))).toBe('The other door.')
    expect(await owner.approver.approve(request)).toBe('allow')
  })
})

describe('isQuestion', () => {
  it('knows questions of the host and of the model', () => {
    expect(isQuestion(end('Which Ann?', 'asked', 'question'))).toBe(true)
    expect(isQuestion(end('Should it go to Ann or to Bob?'))).toBe(true)
    expect(isQuestion(end('It is at noon.'))).toBe(false)
  })
})

describe('ModelOwner', () => {
  const scenario = generateScenarios(2, 90).find(({ template }) => template === 'messaging.two-anns')
  if (!scenario) throw new Error('no scenario')
  const answer = scenario.owner.answers[0]?.says ?? ''
  const saying = (text: string) =>
    new ScriptedEngine({ turns: () => ({ role: 'assistant', content: text, toolCalls: [] }) })

  it('uses the words of the model when they hold every name', async () => {
    const owner = new ModelOwner(scenario, saying(`I mean ${answer.replace('.', '')}, of course`))
    expect(await owner.reply(end('Which Ann?', 'asked', 'question'))).toBe(
      `I mean ${answer.replace('.', '')}, of course`,
    )
  })

  it('falls back to the script when the model loses a name', async () => {
    const owner = new ModelOwner(scenario, saying('the usual one'))
    expect(await owner.reply(end('Which Ann?', 'asked', 'question'))).toBe(answer)
  })
})
