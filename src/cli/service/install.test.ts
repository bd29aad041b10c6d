import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DOMParser } from 'linkedom'
import { describe, expect, it, onTestFinished } from 'vitest'
import { program } from '../../testing/server-process.js'
import { launchdPlist, serviceFile, systemdUnit, windowsTask } from './install.js'

const COMMAND = {
  node: process.execPath,
  args: ['/opt/bot psy/dist/cli/main.js', 'service', '--data', '/home/ann/100% "my" $data'],
  environment: { BOTPSY_MODELS: '/home/ann/models a:/srv/m&m' },
}

describe('the service of the user', () => {
  it('is a systemd unit that keeps odd names and is restarted after a crash', () => {
    const unit = systemdUnit(COMMAND)
    expect(unit).toContain(
      `ExecStart="${process.execPath}" "/opt/bot psy/dist/cli/main.js" "service" "--data" "/home/ann/100%% \\"my\\" $$data"\n`,
    )
    expect(unit).toContain('Environment="BOTPSY_MODELS=/home/ann/models a:/srv/m&m"\n')
    expect(unit).toMatch(/Restart=on-failure\n/)
    expect(unit).toMatch(/\[Install\]\nWantedBy=default\.target\n$/)
  })

  it.skipIf(program('systemd-analyze') === undefined)('passes systemd-analyze verify', () => {
    const folder = mkdtempSync(join(tmpdir(), 'botpsy-unit-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'botpsy.service')
    writeFileSync(file, systemdUnit(COMMAND))
    const env = { ...process.env, XDG_RUNTIME_DIR: folder }
    expect(() =>
      execFileSync('systemd-analyze', ['verify', '--user', '--man=no', file], { env, stdio: 'pipe' }),
    ).not.toThrow()
    writeFileSync(file, systemdUnit({ ...COMMAND, node: 'relative/node' }))
    expect(() =>
      execFileSync('systemd-analyze', ['verify', '--user', '--man=no', file], { env, stdio: 'pipe' }),
    ).toThrow()
  })

  it('is a launchd job with every word as it was', () => {
    const parsed = new DOMParser().parseFromString(launchdPlist(COMMAND), 'text/xml')
    const words = [...parsed.querySelectorAll('array > string')].map((word) => word.textContent)
    expect(words).toEqual([COMMAND.node, ...COMMAND.args])
    expect(launchdPlist(COMMAND)).toContain('<string>/home/ann/models a:/srv/m&amp;m</string>')
    expect(launchdPlist(COMMAND)).toMatch(/<key>RunAtLoad<\/key>\s*<true\/>/)
  })

  it('is a Windows task at log-on, without a time limit, with quoted words', () => {
    const task = windowsTask(
      { ...COMMAND, args: ['C:\\Bot Psy\\main.js', 'service', '--data', 'D:\\my data\\'] },
      'PC\\Ann',
    )
    expect(task).toContain(
      '<Arguments>&quot;C:\\Bot Psy\\main.js&quot; service --data &quot;D:\\my data\\\\&quot;</Arguments>',
    )
    expect(task).toContain('<ExecutionTimeLimit>PT0S</ExecutionTimeLimit>')
    expect(task).toContain('<UserId>PC\\Ann</UserId>')
    expect(task).toContain('<MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>')
  })

  it('lies where the platform looks', () => {
    expect(serviceFile('linux', { HOME: '/home/ann' })).toBe('/home/ann/.config/systemd/user/botpsy.service')
    expect(serviceFile('darwin', { HOME: '/Users/ann' })).toBe(
      '/Users/ann/Library/LaunchAgents/org.botpsy.service.plist',
    )
  })
})
