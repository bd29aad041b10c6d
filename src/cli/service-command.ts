import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { Argument, type Command } from 'commander'
import { openHome } from '../agent/home.js'
import { LockTimeoutError, withFileLock } from '../engine/file-lock.js'
import { EXIT, UsageError } from './exit-codes.js'
import { addDataOption, type RunFlags } from './options.js'
import { announce } from './service/announce.js'
import { composeService } from './service/compose-service.js'
import { drive } from './service/drive.js'
import { installService, type ServiceCommand, serviceFile, uninstallService } from './service/install.js'

/** Options of `botpsy service`. */
export interface ServiceFlags extends RunFlags {
  readonly once?: boolean
  readonly sound?: boolean
  readonly desktop?: boolean
}

/** Adds `service`: rings, reminds and runs automations, in the foreground or installed for the user. */
export function registerServiceCommand(program: Command): void {
  addDataOption(program.command('service'))
    .description('ring alarms and timers, show reminders and run automations')
    .addArgument(
      new Argument('[action]', 'run here (default), or install, uninstall or look at the service of your user').choices(
        ['run', 'install', 'uninstall', 'status'],
      ),
    )
    .option('--once', 'look once, do what is due, report what was missed, and end')
    .option('--json', 'print events as JSON, one a line')
    .option('--quiet', 'print nothing')
    .option('--no-sound', 'make no sound')
    .option('--no-desktop', 'show no desktop notifications')
    .option('--model <model>', 'the model for automations that are requests')
    .action(async (action: string | undefined, flags: ServiceFlags) => {
      process.exitCode = await service(action ?? 'run', flags)
    })
}

/** Does what was asked of the service and returns the exit code. */
export async function service(action: string, flags: ServiceFlags): Promise<number> {
  const say = (text: string): void => {
    process.stdout.write(`${text}\n`)
  }
  if (action === 'install') say(await installService(serviceCommand(flags)))
  else if (action === 'uninstall') say(await uninstallService())
  else if (action === 'status') {
    const running = await isRunning(lockFile(flags))
    say(
      `${existsSync(serviceFile()) ? `Installed (${serviceFile()})` : 'Not installed'}; ${running ? 'running' : 'not running'} on ${openHome(flags.data).root}.`,
    )
    return running ? EXIT.done : EXIT.failed
  } else return runService(flags)
  return EXIT.done
}

const lockFile = (flags: ServiceFlags): string => join(openHome(flags.data).root, 'locks', 'service.lock')

async function isRunning(file: string): Promise<boolean> {
  try {
    await withFileLock(file, { timeoutMs: 0 }, async () => undefined)
    return false
  } catch (error) {
    if (error instanceof LockTimeoutError) return true
    throw error
  }
}

/** Runs the service here until it is interrupted; one on a data folder at a time. Returns the exit code. */
async function runService(flags: ServiceFlags): Promise<number> {
  const controller = new AbortController()
  const stop = (): void => controller.abort()
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  try {
    return await withFileLock(lockFile(flags), { timeoutMs: 0 }, async () => {
      const composed = composeService(flags)
      const silence = announce(composed, {
        json: flags.json === true,
        quiet: flags.quiet === true,
        sound: flags.sound !== false,
        desktop: flags.desktop !== false,
      })
      try {
        if (flags.once) {
          await composed.service.tick()
          await composed.service.settled()
          return EXIT.done
        }
        if (!flags.json && !flags.quiet)
          process.stdout.write(
            `BotPsy rings, reminds and runs automations for ${composed.home.root}. Ctrl+C ends it.\n`,
          )
        await drive(composed, join(composed.home.root, 'calendar'), controller.signal)
        return EXIT.done
      } finally {
        silence()
        composed.close()
      }
    })
  } catch (error) {
    if (!(error instanceof LockTimeoutError)) throw error
    process.stderr.write(
      `A BotPsy service already runs on ${openHome(flags.data).root}; this one does nothing. See: botpsy service status\n`,
    )
    return EXIT.failed
  } finally {
    process.removeListener('SIGINT', stop)
    process.removeListener('SIGTERM', stop)
  }
}

/** How the installed service is started: this program, with the options and variables that it was installed with. */
export function serviceCommand(flags: ServiceFlags, env: NodeJS.ProcessEnv = process.env): ServiceCommand {
  const program = process.argv[1]
  if (program === undefined || program.endsWith('.ts'))
    throw new UsageError('Only the built program can be installed: run `npm run build` and use dist/cli/main.js.')
  const variables = ['BOTPSY_MODELS', 'BOTPSY_API_KEY'].flatMap((name) => {
    const value = env[name]
    // A key in a unit file could be read by others.
    return value === undefined || name === 'BOTPSY_API_KEY' ? [] : [[name, value] as const]
  })
  return {
    node: process.execPath,
    args: [
      realpathSync(program),
      'service',
      ...['--data', openHome(flags.data).root],
      ...(flags.model === undefined ? [] : ['--model', flags.model]),
      ...(flags.sound === false ? ['--no-sound'] : []),
      ...(flags.desktop === false ? ['--no-desktop'] : []),
    ],
    environment: Object.fromEntries(variables),
  }
}
