import { readlinkSync } from 'node:fs'

/**
 * The zone of this machine at this moment. Node keeps the zone that it found first, so a long-running process looks at
 * the system's own setting, where there is one to look at.
 */
export function zoneNow(env: NodeJS.ProcessEnv = process.env, link = '/etc/localtime'): string {
  const kept = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (env.TZ) return kept
  try {
    const name = /zoneinfo\/(?:posix\/|right\/)?(.+)$/.exec(readlinkSync(link))?.[1]
    return name === undefined ? kept : new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return kept
  }
}
