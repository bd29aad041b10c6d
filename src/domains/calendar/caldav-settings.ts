import { z } from 'zod'
import { type Connection, ConnectionError } from '../connections/contract.js'

const list = z.preprocess(
  (value) =>
    typeof value === 'string'
      ? value
          .split(',')
          .map((s) => s.trim())
          .filter((s) => s !== '')
      : value,
  z.array(z.string()).default([]),
)

const address = z
  .string()
  .trim()
  .transform((text) => (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`))
  .superRefine((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:'))
      context.addIssue({ code: 'custom', message: 'give an address such as https://calendar.example.com' })
    else if (url.username !== '' || url.password !== '')
      context.addIssue({ code: 'custom', message: 'leave user and password out of the address; they are asked for' })
  })

/** Settings of a CalDAV connection; the password is the connection's secret. */
export const caldavSettings = z.object({
  /** Any address of the server: its front page, the principal or the calendars' folder. `https://` unless said. */
  url: address,
  user: z.string().trim().min(1),
  /** Names (or addresses) of the calendars to use; empty for all. */
  calendars: list,
  /** Name of the calendar that new events go to; default the first that can be written. */
  newEvents: z.preprocess((v) => (v === '' ? undefined : v), z.string().trim().optional()),
})

/** Settings of a CalDAV connection. */
export type CaldavSettings = z.output<typeof caldavSettings>

/** @throws ConnectionError `settings` */
export function readCaldavSettings(connection: Connection): CaldavSettings {
  const parsed = caldavSettings.safeParse(connection.settings)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new ConnectionError(
    'settings',
    'caldav',
    `The settings of the calendar server cannot be used (${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'unreadable'}). Connect it again with: botpsy connect caldav`,
  )
}
