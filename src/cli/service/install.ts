import { execFile } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What the service is started as. */
export interface ServiceCommand {
  /** Absolute path of Node. */
  readonly node: string
  /** Arguments: the program's file, `service`, and options. */
  readonly args: readonly string[]
  /** Environment variables that it needs. */
  readonly environment: { readonly [name: string]: string }
}

/** Name of the systemd unit, of the launchd job and of the Windows task. */
export const SERVICE_NAMES = { linux: 'botpsy.service', darwin: 'org.botpsy.service', win32: 'BotPsy service' } as const

/** A word of a systemd command line (systemd.service(5)): quoted, with its specials doubled. */
const unitWord = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`

/** A systemd user unit (systemd.service(5)). It is restarted after a crash, but not after an orderly end. */
export function systemdUnit({ node, args, environment }: ServiceCommand): string {
  const variables = Object.entries(environment).map(
    ([name, value]) => `Environment=${unitWord(`${name}=${value}`).replaceAll('$$', '$')}\n`,
  )
  return `[Unit]
Description=BotPsy: alarms, timers, reminders and automations
Documentation=man:systemd.service(5)
After=graphical-session.target

[Service]
Type=simple
ExecStart=${[node, ...args].map(unitWord).join(' ')}
${variables.join('')}Restart=on-failure
RestartSec=1
# Exit code 2: wrong usage. Starting again would not help.
RestartPreventExitStatus=2

[Install]
WantedBy=default.target
`
}

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A launchd job of the user (launchd.plist(5)). */
export function launchdPlist({ node, args, environment }: ServiceCommand): string {
  const words = [node, ...args].map((word) => `    <string>${xml(word)}</string>\n`)
  const variables = Object.entries(environment).map(
    ([name, value]) => `    <key>${xml(name)}</key>\n    <string>${xml(value)}</string>\n`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${SERVICE_NAMES.darwin}</string>
  <key>ProgramArguments</key>
  <array>
${words.join('')}  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.join('')}  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ProcessType</key>
  <string>Interactive</string>
</dict>
</plist>
`
}

/** A word of a Windows command line, quoted as CommandLineToArgvW reads it. */
const windowsWord = (text: string): string =>
  /[\s"]/.test(text) || text === ''
    ? `"${text.replace(/(\\*)("|$)/g, (_, slashes: string, quote: string) => slashes.repeat(2) + (quote ? '\\"' : ''))}"`
    : text

/** A task for the Windows Task Scheduler (schema 1.2): at log-on of the user, restarted after a failure. */
export function windowsTask({ node, args, environment }: ServiceCommand, user: string): string {
  // A task has no environment of its own: what is needed is handed over as options, see serviceCommand.
  void environment
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>BotPsy: alarms, timers, reminders and automations</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
      <UserId>${xml(user)}</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${xml(user)}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>999</Count>
    </RestartOnFailure>
    <Hidden>true</Hidden>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${xml(node)}</Command>
      <Arguments>${xml(args.map(windowsWord).join(' '))}</Arguments>
    </Exec>
  </Actions>
</Task>
`
}

/** Installing went wrong; `message` says what to do. */
export class ServiceInstallError extends Error {
  override readonly name = 'ServiceInstallError'
  readonly code = 'service-install'
  constructor(
    readonly where: string,
    message: string,
  ) {
    super(message)
  }
}

/** Where the service's file goes. */
export function serviceFile(platform: string = process.platform, env: NodeJS.ProcessEnv = process.env): string {
  const home = env.HOME || homedir()
  if (platform === 'darwin') return join(home, 'Library', 'LaunchAgents', `${SERVICE_NAMES.darwin}.plist`)
  if (platform === 'win32') return join(tmpdir(), 'botpsy-service.xml')
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'systemd', 'user', SERVICE_NAMES.linux)
}

async function tried(program: string, ...args: string[]): Promise<{ readonly ok: boolean; readonly text: string }> {
  try {
    const { stdout, stderr } = await run(program, args, { timeout: 30_000, windowsHide: true })
    return { ok: true, text: `${stdout}${stderr}`.trim() }
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    return { ok: false, text: said || (error instanceof Error ? error.message : String(error)) }
  }
}

function write(file: string, text: string | Uint8Array): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    const temporary = `${file}.${process.pid}.tmp`
    writeFileSync(temporary, text)
    renameSync(temporary, file)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ServiceInstallError(file, `${file} cannot be written (${why}). Make the folder writable and try again.`)
  }
}

/**
 * Installs the service for this user and starts it. Returns what was done, in words.
 * @throws ServiceInstallError
 */
export async function installService(command: ServiceCommand, platform: string = process.platform): Promise<string> {
  const file = serviceFile(platform)
  if (platform === 'darwin') {
    write(file, launchdPlist(command))
    await tried('launchctl', 'unload', file)
    const loaded = await tried('launchctl', 'load', '-w', file)
    if (!loaded.ok) throw new ServiceInstallError(file, `launchd did not take ${file}: ${loaded.text}`)
    return `Installed as ${file}, and started.`
  }
  if (platform === 'win32') {
    const user = `${process.env.USERDOMAIN ?? ''}\\${process.env.USERNAME ?? ''}`
    write(file, Buffer.from(`\ufeff${windowsTask(command, user)}`, 'utf16le'))
    const made = await tried('schtasks.exe', '/Create', '/F', '/TN', SERVICE_NAMES.win32, '/XML', file)
    rmSync(file, { force: true })
    if (!made.ok) throw new ServiceInstallError(SERVICE_NAMES.win32, `The task was not made: ${made.text}`)
    await tried('schtasks.exe', '/Run', '/TN', SERVICE_NAMES.win32)
    return `Installed as the task "${SERVICE_NAMES.win32}", and started.`
  }
  write(file, systemdUnit(command))
  const reloaded = await tried('systemctl', '--user', 'daemon-reload')
  const started = reloaded.ok ? await tried('systemctl', '--user', 'enable', '--now', SERVICE_NAMES.linux) : reloaded
  if (started.ok) return `Installed as ${file}, and started.`
  return `Installed as ${file}, but not started: ${started.text.split('\n')[0]}. It starts with your next session, or by: systemctl --user enable --now ${SERVICE_NAMES.linux}`
}

/** Stops the service and removes it. Returns what was done, in words. */
export async function uninstallService(platform: string = process.platform): Promise<string> {
  const file = serviceFile(platform)
  if (platform === 'win32') {
    await tried('schtasks.exe', '/End', '/TN', SERVICE_NAMES.win32)
    const gone = await tried('schtasks.exe', '/Delete', '/F', '/TN', SERVICE_NAMES.win32)
    return gone.ok ? 'The service is removed.' : 'The service was not installed.'
  }
  if (platform === 'darwin') await tried('launchctl', 'unload', '-w', file)
  else await tried('systemctl', '--user', 'disable', '--now', SERVICE_NAMES.linux)
  rmSync(file, { force: true })
  if (platform !== 'darwin') await tried('systemctl', '--user', 'daemon-reload')
  return 'The service is removed. Alarms and reminders come only while `botpsy service` runs.'
}
