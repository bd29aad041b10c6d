import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Home } from '../../agent/home.js'
import { type Check, guard, info, well } from './check.js'

const run = promisify(execFile)

/** Whether the background service is installed and runs; alarms ring only while it does. */
export async function serviceChecks(_home: Home): Promise<readonly Check[]> {
  return [await guard('service', 'Run: botpsy service', service)]
}

async function service(): Promise<Check> {
  if (!installed()) return info('service', 'not installed: alarms and reminders come only while `botpsy service` runs')
  if (process.platform !== 'linux') return info('service', 'installed')
  const active = await run('systemctl', ['--user', 'is-active', 'botpsy.service'], { timeout: 5000 })
    .then(({ stdout }) => stdout.trim())
    .catch((error: { stdout?: string }) => error.stdout?.trim() || 'unknown')
  return active === 'active' ? well('service', 'installed and running') : info('service', `installed, ${active}`)
}

function installed(): boolean {
  const home = process.env.HOME || homedir()
  const config = process.env.XDG_CONFIG_HOME || join(home, '.config')
  if (process.platform === 'darwin')
    return existsSync(join(home, 'Library', 'LaunchAgents', 'org.botpsy.service.plist'))
  return existsSync(join(config, 'systemd', 'user', 'botpsy.service'))
}
