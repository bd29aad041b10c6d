import { createDomains } from '../domains.js'

// Started by domains.test.ts as a process of its own: writes alarms, list items and lines into a shared data folder.
const [home = '', name = '', count = '0'] = process.argv.slice(2)
const domains = createDomains({ home })
for (let i = 0; i < Number(count); i++) {
  const context = { now: () => new Date('2026-11-30T21:00:00Z'), timeZone: 'UTC', request: '' }
  for (const [tool, args] of [
    ['alarm_set', { when: `2026-12-0${i + 1}T0${name === 'a' ? 6 : 7}:00` }],
    ['list_add', { list: 'shared', item: `thing ${name}${i}` }],
    ['file_append', { path: 'log.txt', text: `line ${name}${i}` }],
  ] as const) {
    const result = await domains
      .find((t) => t.name === tool)
      ?.run(args, { ...context, idempotencyKey: `${name}${i}${tool}` })
    if (!result?.ok) throw new Error(result?.content)
  }
}
domains.close()
