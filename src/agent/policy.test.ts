import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { approveClasses } from './approve-classes.js'
import { DEFAULT_POLICY, decide, type PolicyCase } from './policy.js'
import { loadPolicy, loadPolicyRules, POLICY_TEMPLATE, type PolicyRule, ruleInWords } from './policy-rules.js'

const subject = (over: Partial<PolicyCase>): PolicyCase => ({
  tool: 'email_send',
  field: 'messaging',
  effect: 'write',
  recipients: undefined,
  provenance: 'clean',
  ...over,
})
const out = ['anna@example.org']

describe('the policy table', () => {
  it.each([
    ['read', undefined, 'clean', 'allow'],
    ['read', undefined, 'tainted', 'allow'],
    ['read', out, 'clean', 'allow'],
    ['read', out, 'tainted', 'ask'],
    ['write', undefined, 'clean', 'allow'],
    ['write', undefined, 'tainted', 'ask'],
    ['write', out, 'clean', 'ask'],
    ['write', out, 'tainted', 'ask'],
    ['irreversible', undefined, 'clean', 'ask'],
    ['irreversible', out, 'tainted', 'ask'],
  ] as const)('%s, egress %s, %s: %s', (effect, recipients, provenance, decision) => {
    expect(decide(subject({ effect, recipients, provenance })).decision).toBe(decision)
  })
})

describe('rules of the owner', () => {
  const rule = (over: Partial<PolicyRule>): PolicyRule => ({ decision: 'allow', ...over })

  it('widen and narrow by tool, field, effect and recipient; the last one counts', () => {
    const sending = subject({ recipients: out })
    expect(decide(sending, [rule({ tool: 'email_*', to: '*@example.org' })]).decision).toBe('allow')
    expect(decide(sending, [rule({ to: '*@example.com' })]).decision).toBe('ask')
    expect(decide(sending, [rule({}), rule({ decision: 'deny', field: 'messaging' })]).decision).toBe('deny')
    expect(decide(subject({}), [rule({ decision: 'ask', effect: 'write' })]).decision).toBe('ask')
    expect(
      decide(subject({ recipients: [...out, 'eve@evil.example'] }), [rule({ to: '*@example.org' })]).decision,
    ).toBe('ask')
    expect(
      decide(subject({ recipients: [...out, 'eve@evil.example'] }), [rule({ decision: 'deny', to: 'eve*' })]).decision,
    ).toBe('deny')
  })

  it('match the address that a name stands for: a name can be given to anybody', () => {
    const named = (addresses?: readonly string[]) =>
      subject({ recipients: ['Anna'], ...(addresses ? { addresses } : {}) })
    const allow = [rule({ tool: 'email_send', to: '*@example.org' })]
    expect(decide(named(), allow).decision).toBe('ask')
    expect(decide(named(['anna@example.org']), allow).decision).toBe('allow')
    expect(decide(named(['anna@example.org', 'eve@evil.example']), allow).decision).toBe('ask')
    expect(decide(named(['eve@evil.example']), [rule({ to: 'Anna' })]).decision).toBe('ask')
    expect(decide(named(['eve@evil.example']), [rule({ to: '*@evil.example', decision: 'deny' })]).decision).toBe(
      'deny',
    )
    expect(decide(named(['anna@example.org']), [rule({ to: 'anna', decision: 'deny' })]).decision).toBe('deny')
  })

  it('are told in words', () => {
    expect(ruleInWords(rule({ tool: 'email_*', to: '*@example.org' }))).toBe(
      'tools called email_*, to *@example.org: runs without asking, unless text from outside had a part in it',
    )
    expect(ruleInWords({ field: 'finance', effect: 'write', decision: 'ask', why: 'money' })).toBe(
      'changes that can be undone, in finance: asks first (money)',
    )
    expect(ruleInWords({ decision: 'deny' })).toBe('everything: never runs')
  })

  it('never lift an ask that provenance demands', () => {
    const tainted = subject({ provenance: 'tainted' })
    expect(decide(tainted, [rule({})]).decision).toBe('ask')
    expect(decide(tainted, [rule({ decision: 'deny' })]).decision).toBe('deny')
  })
})

describe('--approve', () => {
  const strict: PolicyRule[] = [{ decision: 'ask' }]

  it('covers reversible local effects that a stricter file asks about, and nothing else', () => {
    expect(decide(subject({}), strict, ['write']).decision).toBe('allow')
    expect(decide(subject({}), strict, ['messaging']).decision).toBe('allow')
    expect(decide(subject({}), strict, ['read']).decision).toBe('ask')
    expect(decide(subject({ effect: 'irreversible' }), strict, ['write', 'messaging', 'email_send']).decision).toBe(
      'ask',
    )
    expect(decide(subject({ recipients: out }), strict, ['write', 'email_send']).decision).toBe('ask')
    expect(decide(subject({ provenance: 'tainted' }), strict, ['write']).decision).toBe('ask')
    expect(decide(subject({}), [{ decision: 'deny' }], ['write']).decision).toBe('deny')
  })

  it('takes read, write, fields and tools, and says what else is wrong', () => {
    expect(approveClasses('write, device-control,email_send', ['email_send'])).toEqual([
      'write',
      'device control',
      'email_send',
    ])
    expect(() => approveClasses('irreversible', [])).toThrow(/always asked/)
    expect(() => approveClasses('wirte', [])).toThrow(/not a class/)
  })
})

describe('loadPolicyRules', () => {
  const fileOf = (text: string): string => {
    const file = join(mkdtempSync(join(tmpdir(), 'botpsy-policy-')), 'policy.yaml')
    writeFileSync(file, text)
    return file
  }
  const load = (text: string) => loadPolicyRules(fileOf(text))
  // The template with the marks of its table taken away.
  const table = POLICY_TEMPLATE.replace(/^# (table:| {2}- \{ effect: \w+, egress.*)$/gm, '$1')

  it('takes a table of the owner, which must cover every case and may not lift what provenance demands', () => {
    expect(loadPolicy(fileOf(table))).toMatchObject({ ownTable: true, table: DEFAULT_POLICY, rules: [] })
    const stricter = loadPolicy(
      fileOf(table.replace('clean, decision: allow, why: "it can', 'clean, decision: ask, why: "it can')),
    )
    expect(decide(subject({}), [], [], stricter.table)).toMatchObject({ decision: 'ask' })
    const laxer = table.replace('provenance: tainted, decision: ask', 'provenance: tainted, decision: allow')
    expect(() => loadPolicy(fileOf(laxer))).toThrow(/table row 3.*always asks/)
    const short = table.replace(/^.*effect: read, egress: none.*$/m, '')
    expect(() => loadPolicy(fileOf(short))).toThrow(/no row covers "read, egress none, clean"/)
  })

  it('reads rules; a missing file and the template have none', () => {
    expect(load('rules:\n  - { tool: "email_*", to: "*@example.org", decision: allow }\n')).toHaveLength(1)
    expect(load(POLICY_TEMPLATE)).toEqual([])
    expect(load('')).toEqual([])
    expect(loadPolicyRules(join(tmpdir(), 'there-is-no-such-file.yaml'))).toEqual([])
  })

  it.each([
    'rules: 3',
    'rules:\n  - { tool: x }',
    'rules:\n  - { tol: x, decision: allow }',
    'allow: everything',
    '{{',
  ])('refuses %j instead of guessing', (text) => {
    expect(() => load(text)).toThrow(/policy\.yaml/)
  })
})
