import { createDomains } from '../domains.js'

// Started by domains.test.ts as a process of its own: writes to every local store of a shared data folder. What has the
// key `once…` is asked for by both processes and must happen once.
const [home = '', name = '', count = '0'] = process.argv.slice(2)
const domains = createDomains({ home })
for (let i = 0; i < Number(count); i++) {
  const context = { now: () => new Date('2026-11-30T21:00:00Z'), timeZone: 'UTC', request: '' }
  for (const [tool, args, key = name] of [
    ['alarm_set', { when: `2026-12-0${i + 1}T0${name === 'a' ? 6 : 7}:00` }],
    ['list_add', { list: 'shared', item: `thing ${name}${i}` }],
    ['file_append', { path: 'log.txt', text: `line ${name}${i}` }],
    ['calendar_create', { title: `meeting ${name}${i}`, when: '2026-12-24 at 9' }],
    ['contact_add', { name: `Person ${name}${i}` }],
    ['email_draft', { subject: `draft ${name}${i}`, text: 'hello' }],
    ['memory_tell', { fact: `my friend is ${name}${i}` }],
    ['list_add', { list: 'once', item: `only ${i}` }, 'once'],
    ['file_append', { path: 'once.txt', text: `only ${i}` }, 'once'],
    ['email_draft', { subject: `only ${i}`, text: 'hello' }, 'once'],
    ['note_add', { text: `only ${i}` }, 'once'],
  ] as const) {
    const result = await domains
      .find((t) => t.name === tool)
      ?.run(args, { ...context, idempotencyKey: `${key}${i}${tool}` })
    if (!result?.ok) throw new Error(result?.content)
  }
}
domains.close()
