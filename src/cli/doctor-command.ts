import type { Command } from 'commander'
import { openHome } from '../agent/home.js'
import { makeVisible } from '../agent/visible.js'
import { ADAPTERS } from '../domains/connections/adapters.js'
import { type ConnectionAdapter, PROBE_MS, type SecretPlaces } from '../domains/connections/index.js'
import { type Check, checkText } from './doctor/check.js'
import { connectionChecks } from './doctor/connection-checks.js'
import { dataChecks } from './doctor/data-checks.js'
import { machineChecks } from './doctor/machine-checks.js'
import { serviceChecks } from './doctor/service-checks.js'
import { EXIT } from './exit-codes.js'
import { addDataOption, positiveInteger } from './options.js'

/** Options of `botpsy doctor`. */
export interface DoctorFlags {
  readonly data?: string
  readonly model?: string
  readonly json?: boolean
  /** Seconds that each connection has. */
  readonly timeout?: number
}

/** Adds `doctor`: looks at everything and says what to do. */
export function registerDoctorCommand(program: Command): void {
  addDataOption(program.command('doctor'))
    .description('check everything, and say what to do about what is wrong')
    .option('--model <model>', 'the model to check (default: the embedded one)')
    .option('--timeout <seconds>', 'how long each connection may take', positiveInteger, PROBE_MS / 1000)
    .option('--json', 'print the checks as JSON')
    .action(async (flags: DoctorFlags) => {
      process.exitCode = await doctor(flags)
    })
}

/**
 * Runs all checks, prints one line each, and what to do.
 * @returns the exit code: 1 when something is wrong
 * @throws HomeError when there can be no data folder
 */
export async function doctor(
  flags: DoctorFlags,
  parts: { readonly adapters?: readonly ConnectionAdapter[]; readonly places?: SecretPlaces } = {},
): Promise<number> {
  const home = openHome(flags.data)
  const limit = (flags.timeout ?? PROBE_MS / 1000) * 1000
  const [machine, data, service, connections] = await Promise.all([
    machineChecks(home, flags.model),
    dataChecks(home),
    serviceChecks(home),
    connectionChecks(home.root, parts.adapters ?? ADAPTERS, parts.places ?? {}, limit),
  ])
  const checks: readonly Check[] = [...machine, ...data, ...service, ...connections]
  const bad = checks.filter((check) => check.state === 'bad').length
  if (flags.json) process.stdout.write(`${JSON.stringify({ ok: bad === 0, checks }, null, 2)}\n`)
  else {
    const end = bad === 0 ? 'All is well.' : bad === 1 ? 'One thing needs you.' : `${bad} things need you.`
    process.stdout.write(`${makeVisible(`${checks.map(checkText).join('\n')}\n\n${end}`)}\n`)
  }
  return bad === 0 ? EXIT.done : EXIT.failed
}
