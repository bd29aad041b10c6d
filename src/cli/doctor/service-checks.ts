import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from '../../agent/home.js'
import { LockTimeoutError, withFileLock } from '../../engine/file-lock.js'
import { serviceFile } from '../service/install.js'
import { type Check, guard, ill, info, well } from './check.js'

/** Whether the background service is installed and runs; alarms ring only while it does. */
export async function serviceChecks(home: Home): Promise<readonly Check[]> {
  return [
    await guard('service', 'Run: botpsy service status', async () => {
      const installed = existsSync(serviceFile())
      if (await running(join(home.root, 'locks', 'service.lock')))
        return well('service', installed ? 'installed and running' : 'running in the foreground')
      if (!installed)
        return info('service', 'not installed: alarms and reminders come only while `botpsy service` runs')
      return ill('service', 'installed, but it does not run for this data folder', 'Run: botpsy service install')
    }),
  ]
}

/** The service holds its lock as long as it runs. */
async function running(lock: string): Promise<boolean> {
  if (!existsSync(lock)) return false
  try {
    await withFileLock(lock, { timeoutMs: 0 }, async () => undefined)
    return false
  } catch (error) {
    if (error instanceof LockTimeoutError) return true
    throw error
  }
}
