import { Argument, type Command } from 'commander'
import { runFixed, sayHappening } from '../agent/later/index.js'
import { makeVisible } from '../agent/visible.js'
import type { JsonObject } from '../chat/types.js'
import { EXIT } from './exit-codes.js'
import { addDataOption, type RunFlags } from './options.js'
import { composeService } from './service/compose-service.js'

/** Adds `alarms`: what is set, and stop or snooze what rings. */
export function registerAlarmsCommand(program: Command): void {
  addDataOption(program.command('alarms'))
    .description('show alarms and timers, or stop or snooze what rings')
    .addArgument(new Argument('[action]', 'what to do').choices(['list', 'stop', 'snooze']).default('list'))
    .argument('[duration]', 'how long to snooze, such as "5 minutes"', '10 minutes')
    .action(async (action: string, duration: string, flags: RunFlags) => {
      if (action === 'snooze') process.exitCode = await direct(flags, 'Snooze', [['alarm_snooze', { duration }]])
      else if (action === 'stop') process.exitCode = stopAll(flags)
      else
        process.exitCode = await direct(flags, 'Show alarms and timers', [
          ['alarm_list', {}],
          ['timer_list', {}],
        ])
    })
}

/** Adds `automations`: show, add and remove rules that act by themselves. */
export function registerAutomationsCommand(program: Command): void {
  const group = program.command('automations').description('rules that act by themselves while the service runs')
  addDataOption(group.command('list', { isDefault: true }))
    .description('show them')
    .action(async (flags: RunFlags) => {
      process.exitCode = await direct(flags, 'Show automations', [['automation_list', {}]])
    })
  addDataOption(group.command('add'))
    .description('add one: one of --when, --device with --state, or --from; then what to do')
    .argument('<do>', 'what to do: a request in your own words, or the name of a fixed action given by --tool')
    .option('--when <time>', 'a time or repetition, such as "every day at 22:00"')
    .option('--device <name>', 'a device to watch')
    .option('--state <state>', 'the state it gets: on, off, open, closed, locked, unlocked, playing, paused')
    .option('--from <sender>', 'a contact or address whose mail to wait for')
    .option('--tool <name>', 'do this one tool call instead of a request')
    .option('--arguments <json>', 'its arguments, such as {"state":"off"}')
    .action(async (what: string, flags: RunFlags & { readonly [name: string]: string | undefined }) => {
      const args: JsonObject = { do: what }
      for (const name of ['when', 'device', 'state', 'from', 'tool', 'arguments'])
        if (flags[name] !== undefined) args[name] = flags[name]
      process.exitCode = await direct(flags, 'Add an automation', [['automation_create', args]])
    })
  addDataOption(group.command('remove'))
    .description('remove one')
    .argument('<automation>', 'its number, such as a1, or words of it')
    .action(async (automation: string, flags: RunFlags) => {
      process.exitCode = await direct(flags, 'Remove an automation', [['automation_remove', { automation }]])
    })
}

type Call = readonly [tool: string, args: JsonObject]

/** Stops everything that rings, wherever the service runs. Returns the exit code. */
function stopAll(flags: RunFlags): number {
  const composed = composeService(flags)
  try {
    const { ledger } = composed.service
    const stopped = ledger.ringing().filter((ring) => ledger.stop(ring.key))
    const said = stopped.map((ring) => `Stopped: ${sayHappening(ring)}`)
    process.stdout.write(`${makeVisible(said.join('\n') || 'Nothing rings.')}\n`)
    return EXIT.done
  } finally {
    composed.close()
  }
}

/** Makes calls without a model, in the journal like any other. Returns the exit code. */
async function direct(flags: RunFlags, request: string, calls: readonly Call[]): Promise<number> {
  const composed = composeService(flags)
  try {
    const { fixed } = composed
    let ok = true
    for (const [name, args] of calls) {
      const thread = `direct:${fixed.journal.newRun()}`
      const end = await runFixed(fixed, thread, request, { name, arguments: args })
      const results = fixed.journal
        .runsOf(thread)
        .flatMap((run) =>
          fixed.journal.entries(run).flatMap(({ body }) => (body.type === 'outcome' ? [body.content] : [])),
        )
      process.stdout.write(`${makeVisible(results.join('\n') || end.text)}\n`)
      ok &&= end.status === 'done'
    }
    return ok ? EXIT.done : EXIT.failed
  } finally {
    composed.close()
  }
}
