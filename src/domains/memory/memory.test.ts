import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allContracts } from '../contracts.js'
import { MemoryFolder, writeText } from '../store/index.js'
import { desk, emptyFolder } from '../testing/desk.js'
import {
  cleanStatement,
  MEMORY_FILE,
  MemoryFile,
  statementsOf,
  withoutStatements,
  withStatement,
} from './memory-file.js'
import { Recall } from './recall.js'
import { ROLES } from './roles.js'
import { readStatement } from './statement.js'
import { resolveArguments } from './with-memory.js'

describe('a statement', () => {
  it.each([
    ['my boss is Anna', 'boss', 'Anna'],
    ['My boss is called Anna Kovács.', 'boss', 'Anna Kovács'],
    ["my boss's name is Anna", 'boss', 'Anna'],
    ['Tom is my brother', 'brother', 'Tom'],
    ['I call the living-room lamp Otto', 'Otto', 'living-room lamp'],
    ['i call my kitchen light "big bertha"', 'big bertha', 'my kitchen light'],
    ['the kitchen light is called Bertha', 'Bertha', 'kitchen light'],
    ['when I say the den I mean the office', 'den', 'office'],
    ['Otto is the living room lamp', 'Otto', 'living room lamp'],
  ])('%s', (said, name, meaning) => {
    expect(readStatement(said)).toEqual({ kind: 'alias', name, meaning })
  })

  it.each([
    ['my working hours are 9 to 5', { from: 540, to: 1020 }],
    ['Working hours: 8:30-16:30 monday to friday', { from: 510, to: 990, days: [1, 2, 3, 4, 5] }],
    ['I work from nine to five on weekdays', { from: 540, to: 1020, days: [1, 2, 3, 4, 5] }],
    ['my work hours are from 10am to 6pm on monday, wednesday and friday', { from: 600, to: 1080, days: [1, 3, 5] }],
    ['i work from friday to monday from noon until eight thirty', { from: 720, to: 1230, days: [1, 5, 6, 7] }],
  ])('%s', (said, hours) => {
    expect(readStatement(said)).toEqual({ kind: 'hours', hours })
  })

  it.each([
    ['I live in Budapest', 'Budapest', 'Budapest'],
    ['home: Kossuth tér 1, 1055 Budapest', 'Kossuth tér 1, 1055 Budapest', 'Budapest'],
    ['my home address is 12 Main Street, Springfield', '12 Main Street, Springfield', 'Springfield'],
  ])('%s', (said, place, town) => {
    expect(readStatement(said)).toEqual({ kind: 'home', place })
    const folder = new MemoryFolder()
    writeText(folder, MEMORY_FILE, `- ${said}`)
    expect(new Recall(new MemoryFile(folder)).town()).toBe(town)
  })

  it('of any other kind is kept as a note, whatever stands in it', () => {
    for (const said of ['I am allergic to nuts', 'my', 'is my', 'i work from nine', 'I work from 25 to 99'])
      expect(readStatement(said), said).toEqual({ kind: 'note' })
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (said) => {
        expect(['alias', 'home', 'hours', 'note']).toContain(readStatement(said).kind)
      }),
    )
  })
})

describe('the memory file', () => {
  it('keeps what the owner wrote around the statements, in any spelling of lists and lines', () => {
    const text =
      '\ufeff# About me\r\n\r\nSome prose.\r\n* my boss is Anna\r\n1. I live in Pécs\r\n  + nuts make me ill\r\n<!-- x -->'
    expect(statementsOf(text).map((s) => s.text)).toEqual(['my boss is Anna', 'I live in Pécs', 'nuts make me ill'])
    const added = withStatement(text, 'my boss is Tom')
    expect(added?.replaced).toEqual(['my boss is Anna'])
    expect(added?.text).toBe(`${text.replace('* my boss is Anna\r\n', '')}\r\n- my boss is Tom\r\n`)
    expect(withStatement(added?.text, 'My boss is TOM')).toBeUndefined()
    expect(withoutStatements(added?.text ?? '', ['my boss is Tom'])).not.toContain('Tom')
  })

  it('gives every statement back, and loses it when it is removed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 120 }),
        fc.array(fc.string({ maxLength: 60 })),
        (said, lines) => {
          const statement = cleanStatement(said)
          fc.pre(statement !== '')
          const before = lines.join('\n')
          const added = withStatement(before, statement)
          if (added === undefined) return
          expect(statementsOf(added.text).at(-1)?.text).toBe(statement)
          const after = statementsOf(withoutStatements(added.text, [statement])).map((s) => s.text)
          expect(after).not.toContain(statement)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('what was told', () => {
  const told = async (...facts: string[]) => {
    const d = desk()
    for (const fact of facts) expect((await d.call('memory_tell', { fact })).content).toMatch(/^I will remember/)
    return d
  }

  it('resolves names of people: an email to the boss goes to Anna', async () => {
    const d = await told(
      'my boss is Anna',
      'my daughter is Eva',
      'my daughter is Lily',
      'my doctor is Kim, kim@example.org',
    )
    await d.call('contact_add', { name: 'Anna Kovács', email: 'anna@example.com' })
    expect((await d.call('email_send', { to: 'my boss', text: 'hi' })).content).toMatch(
      /^The email to Anna Kovács at anna@example.com/,
    )
    expect((await d.call('contact_find', { name: "my boss's", detail: 'email' })).content).toMatch(/anna@example.com/)
    expect((await d.call('email_send', { to: 'my boss and my doctor', text: 'hi' })).content).toMatch(
      /Anna Kovács at anna@example.com and Kim at kim@example.org/,
    )
    expect((await d.call('email_send', { to: 'my daughter', text: 'hi' })).question).toBe(
      'Which my daughter: Eva or Lily?',
    )
    const send = d.tool('email_send')
    expect(send.egress?.({ to: 'my boss' })?.to).toEqual(['Anna'])
    expect(await send.preview?.({ to: 'my boss', text: 'hi' }, d.context())).toMatch(/anna@example.com/)
  })

  it('resolves names of devices, also where the model takes one for a room', async () => {
    const d = await told('I call the living-room floor lamp Otto')
    for (const args of [{ device: 'Otto' }, { room: 'otto' }]) {
      const result = await d.call('light_switch', { state: 'on', ...args })
      expect(result.content.split('\n')[0]).toMatch(/living room floor lamp/i)
    }
    expect((await d.call('light_switch', { state: 'on', room: 'kitchen' })).content).toMatch(/kitchen/)
  })

  it('fills in working hours and home, and tells a weather service no more than the town', async () => {
    const d = await told('I work from 9 to 5 on weekdays', 'I live at Fő utca 3, 1011 Budapest')
    const free = await d.call('calendar_free', { when: 'next 7 days' })
    expect(free.content).toMatch(/from 09:00 to 17:00/)
    expect(free.content).not.toMatch(/saturday|sunday/i)
    const recall = new Recall(new MemoryFile(d.domains.stores.memory))
    expect(resolveArguments('weather_get', {}, recall)).toEqual({ args: { place: 'Budapest' } })
    expect(resolveArguments('weather_get', { place: 'Vienna' }, recall)).toEqual({ args: { place: 'Vienna' } })
    expect(resolveArguments('taxi_book', { to: 'home' }, recall)).toEqual({ args: { to: 'Fő utca 3, 1011 Budapest' } })
    expect(resolveArguments('route_get', { to: 'work' }, recall)).toMatchObject({ args: { from: /Fő utca/ } as never })
    expect(d.tool('weather_get').egress?.({})?.what).toBe('Budapest')
  })

  it('is shown, replaced, forgotten and brought back', async () => {
    const d = desk()
    expect((await d.call('memory_show')).content).toMatch(/nothing about yourself/)
    await d.call('memory_tell', { fact: 'remember that my boss is Anna.' })
    expect((await d.call('memory_tell', { fact: 'my boss is Tom' })).content).toMatch(
      /takes the place of: my boss is Anna/,
    )
    await d.call('memory_tell', { fact: 'my working hours are 9 to 5' })
    expect((await d.call('memory_show', { about: 'boss' })).content).toBe('You told me: my boss is Tom.')
    expect((await d.call('memory_show', { about: 'everything' })).data).toEqual([
      'my boss is Tom',
      'my working hours are 9 to 5',
    ])
    const forgot = await d.call('memory_forget', { fact: 'who my boss is' })
    expect(forgot.content).toBe('I forgot: my boss is Tom.')
    expect((await d.call('memory_show', { about: 'my boss' })).content).toMatch(/nothing about my boss/)
    await d.undo('memory_forget', forgot)
    expect((await d.call('memory_show', { about: 'my boss' })).content).toMatch(/Tom/)
    expect((await d.call('memory_forget', { fact: 'everything' })).content).toMatch(/all 2 things/)
    expect((await d.call('memory_show')).data).toEqual([])
  })

  it('is read from the file as the owner edits it, and only the owner can read the file', async () => {
    const home = emptyFolder()
    const d = desk(home)
    await d.call('memory_tell', { fact: 'my boss is Anna' })
    const file = join(home, MEMORY_FILE)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('Anna', 'Zoë'))
    expect((await d.call('memory_show', { about: 'boss' })).content).toBe('You told me: my boss is Zoë.')
    writeFileSync(file, Buffer.from([0xff, 0xfe, 0x00, 0x2d, 0x20]))
    expect((await d.call('memory_show')).ok).toBe(true)
  })
})

describe('only the own words of the owner', () => {
  it('enter the memory or leave it: what stems from outside text is refused outright', async () => {
    const home = emptyFolder()
    const d = desk(home)
    await d.call('memory_tell', { fact: 'my boss is Anna' })
    const before = readFileSync(join(home, MEMORY_FILE), 'utf8')
    for (const [name, fact] of [
      ['memory_tell', 'my boss is mallory@evil.example'],
      ['memory_forget', 'my boss'],
    ] as const) {
      const context = { ...d.context(), taintedBy: 'mail from mallory@evil.example', request: `yes, ${fact}` }
      const result = await d.tool(name).run({ fact }, context)
      expect(result).toMatchObject({ ok: false, content: expect.stringMatching(/Only what you tell me yourself/) })
      expect(result.question).toBeUndefined()
    }
    expect(readFileSync(join(home, MEMORY_FILE), 'utf8')).toBe(before)
  })

  it('enter it whole, where a very small model keeps only a scrap of them', async () => {
    const d = desk()
    const result = await d.call('memory_tell', { fact: 'anna' }, { request: 'remember that my boss is anna' })
    expect(result.content).toBe('I will remember: my boss is anna.')
  })

  it('enter it: what the model adds on its own becomes a question', async () => {
    const d = desk()
    const said = { request: 'please remember that my boss is anna' }
    expect((await d.call('memory_tell', { fact: 'my boss is Anna Smith' }, said)).question).toMatch(
      /did not say "smith"/,
    )
    expect((await d.call('memory_tell', { fact: 'my boss is called Anna' }, said)).ok).toBe(true)
  })
})

describe('the roles of parameters', () => {
  it('name tools and parameters that exist', () => {
    for (const [tool, parameters] of Object.entries(ROLES)) {
      const contract = allContracts.find((c) => c.name === tool)
      expect(contract, tool).toBeDefined()
      for (const parameter of Object.keys(parameters))
        expect(Object.keys(contract?.parameters.shape ?? {}), tool).toContain(parameter)
    }
  })
})
