import { createDomains } from '../../domains.js'
import { connectedTo } from './connection.js'

/** A process of its own that puts "lunch" into the calendar: `create-event.ts <home> <url> <key>`. */
const [home = '', url = '', key = ''] = process.argv.slice(2)
const domains = createDomains({
  home,
  connections: connectedTo(url),
  caldavLimits: { look: 20_000, write: 60_000, retry: 0 },
})
const tool = domains.find((t) => t.name === 'calendar_create')
const result = await tool?.run(
  { title: 'lunch', when: 'tuesday at noon' },
  { now: () => new Date('2026-11-30T21:00:00Z'), timeZone: 'Europe/Budapest', request: '', idempotencyKey: key },
)
domains.close()
process.exitCode = result?.ok ? 0 : 1
