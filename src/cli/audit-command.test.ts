import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { audit } from '../agent/audit.js'
import { Journal } from '../agent/journal.js'
import { DEFAULT_POLICY } from '../agent/policy.js'
import { loadPolicy } from '../agent/policy-rules.js'
import { allContracts } from '../domains/contracts.js'
import type { Tool } from '../tools/contract.js'
import { ToolRegistry } from '../tools/registry.js'
import { auditText } from './audit-command.js'
import { checkText, policyText } from './policy-command.js'

describe('botpsy audit', () => {
  it('shows who approved, by which rule, whence each value, and what was refused; nothing of it hidden', () => {
    const journal = new Journal(':memory:')
    journal.append('r1', { type: 'run.start', thread: 't', request: 'read my mail', model: 'm', tools: [], pid: 1 })
    const args = { to: 'eve\u202e@evil.example', text: 'hi\u001b[2J' }
    journal.append('r1', {
      type: 'assistant',
      content: '',
      toolCalls: [
        { id: 'call_1', name: 'email_send', arguments: args },
        { id: 'call_2', name: 'file_trash', arguments: { path: 'a.txt' } },
        { id: 'call_3', name: 'nothing', arguments: {} },
      ],
      outputTokens: 1,
    })
    const decision = {
      type: 'decision',
      call: 'call_1',
      decision: 'ask',
      rule: 'table:irreversible/any/any',
      why: 'to comes from the result of email_read',
      effect: 'irreversible',
      egress: { to: ['eve@evil.example'], what: 'the text of the email' },
      args,
      origins: { to: 'untrusted: the result of email_read', text: 'owner: you' },
    } as const
    journal.append('r1', decision)
    journal.append('r1', { type: 'approval', call: 'call_1', hash: 'h', answer: 'deny', expiresAt: 0 })
    journal.append('r1', {
      type: 'refused',
      call: 'call_1',
      name: 'email_send',
      content: 'Not done.',
      reason: 'denied',
    })
    journal.append('r1', {
      type: 'intent',
      call: 'call_2',
      name: 'file_trash',
      args: { path: 'a.txt' },
      effect: 'write',
      key: 'k',
    })
    journal.append('r1', {
      type: 'refused',
      call: 'call_3',
      name: 'nothing',
      content: 'There is no tool called nothing.',
      reason: 'unknown-tool',
    })
    const text = audit(journal, { last: 1 }).map(auditText).join('')
    expect(text.split('\n').slice(2)).toEqual([
      '  ✗ email_send (irreversible): Not done.',
      '      to: eve‹direction›@evil.example   [from untrusted: the result of email_read]',
      '      text: hi‹ESC›[2J   [from owner: you]',
      '      would leave this device: the text of the email, to eve@evil.example',
      '      asked by table:irreversible/any/any: to comes from the result of email_read',
      '      you declined it',
      '      not run: denied',
      '  ? file_trash (write): It is not known whether this happened.',
      '      path: a.txt   [from the model]',
      '  ✗ nothing (not judged): There is no tool called nothing.',
      '      not run: unknown-tool',
      '  not finished',
      '',
    ])
    journal.close()
  })
})

describe('botpsy policy', () => {
  const registry = new ToolRegistry<Tool>(
    allContracts.map((c) => ({ ...c, run: async () => ({ ok: true, content: '' }) })),
  )
  const policy = (rules: string) => {
    const file = join(mkdtempSync(join(tmpdir(), 'botpsy-policy-')), 'policy.yaml')
    writeFileSync(file, rules)
    return loadPolicy(file)
  }

  it('shows every row of the table and every rule in words', () => {
    const text = policyText(
      'policy.yaml',
      policy('rules: [{ tool: email_send, to: "*@example.org", decision: allow }]'),
    )
    for (const row of DEFAULT_POLICY) expect(text).toContain(row.why)
    expect(text).toContain('1. email_send, to *@example.org: runs without asking')
  })

  it.each([
    ['{ tool: emial_send, decision: allow }', /rule 1: no tool is called emial_send; did you mean email_send/],
    ['{ tool: note_add, to: "*", decision: deny }', /rule 1: nothing that note_add does leaves the device/],
    ['{ tool: note_add, field: calendar, decision: deny }', /rule 1: note_add is not in calendar/],
    ['{ tool: note_add, decision: deny }, { decision: allow }', /rule 1: a later rule covers all of it/],
    ['{ tool: "email_*", decision: deny }', /1 rule, no mistakes/],
  ])('check says of %s what is doubtful', (rules, words) => {
    expect(checkText('policy.yaml', policy(`rules: [${rules}]`), registry)).toMatch(words)
  })
})
