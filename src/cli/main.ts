#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { EXIT, UsageError } from './exit-codes.js'
import { addRunOptions, type RunFlags } from './options.js'
import { packageVersion } from './version.js'

type Register = (program: Command) => void

/** Commands by name. What a command needs is loaded only when it is the one. */
const COMMANDS: readonly {
  readonly name: string
  readonly description: string
  readonly load: () => Promise<Register>
}[] = [
  {
    name: 'chat',
    description: 'talk: one request after the other',
    load: async () => (await import('./chat-command.js')).registerChatCommand,
  },
  {
    name: 'undo',
    description: 'take back the last thing that was done',
    load: async () => (await import('./undo-command.js')).registerUndoCommand,
  },
  {
    name: 'history',
    description: 'show what was asked and what was done',
    load: async () => (await import('./history-command.js')).registerHistoryCommand,
  },
  {
    name: 'memory',
    description: 'show or change what you told BotPsy about yourself',
    load: async () => (await import('./memory-command.js')).registerMemoryCommand,
  },
  {
    name: 'service',
    description: 'ring alarms and timers, show reminders and run automations',
    load: async () => (await import('./service-command.js')).registerServiceCommand,
  },
  {
    name: 'alarms',
    description: 'show alarms and timers, or stop or snooze what rings',
    load: async () => (await import('./alarms-command.js')).registerAlarmsCommand,
  },
  {
    name: 'automations',
    description: 'show, add and remove rules that act by themselves',
    load: async () => (await import('./alarms-command.js')).registerAutomationsCommand,
  },
  {
    name: 'connect',
    description: 'connect a server or folder, or list what is connected',
    load: async () => (await import('./connect-command.js')).registerConnectCommand,
  },
  {
    name: 'disconnect',
    description: 'forget a connected server or folder and its password',
    load: async () => (await import('./connect-command.js')).registerDisconnectCommand,
  },
  {
    name: 'doctor',
    description: 'check everything, and say what to do about what is wrong',
    load: async () => (await import('./doctor-command.js')).registerDoctorCommand,
  },
  {
    name: 'audit',
    description: 'show what ran, who approved it, and where each value came from',
    load: async () => (await import('./audit-command.js')).registerAuditCommand,
  },
  {
    name: 'policy',
    description: 'show what runs, what asks and what is forbidden',
    load: async () => (await import('./policy-command.js')).registerPolicyCommand,
  },
  {
    name: 'export',
    description: 'write all your data into one archive',
    load: async () => (await import('./move-commands.js')).registerExportCommand,
  },
  {
    name: 'import',
    description: 'bring in an archive that export made',
    load: async () => (await import('./move-commands.js')).registerImportCommand,
  },
  {
    name: 'finance',
    description: "bring in a bank's statements",
    load: async () => (await import('./finance-command.js')).registerFinanceCommand,
  },
  {
    name: 'eval',
    description: 'measure a model',
    load: async () => (await import('./eval-command.js')).registerEvalCommand,
  },
  {
    name: 'data',
    description: 'fetch and list the public sets that suites and training read',
    load: async () => (await import('./data-command.js')).registerDataCommand,
  },
  {
    name: 'model',
    description: 'look into, convert and quantise model files',
    load: async () => (await import('./model-command.js')).registerModelCommand,
  },
  {
    name: 'train',
    description: 'post-train a model (needs Python)',
    load: async () => (await import('./train-command.js')).registerTrainCommand,
  },
]

const EXAMPLES = `
Examples:
  botpsy "set an alarm for quarter past six tomorrow morning"
  botpsy "is the kitchen light on?"
  botpsy chat
  botpsy -c "at seven"            answers the question that was asked last
  botpsy undo
  botpsy --model ~/models/some-model.gguf "add milk to the shopping list"

Your data stays on this machine: calendar, contacts, notes, lists and the journal of everything
that was done live in one folder (see --data). Reading and changes that can be undone run at once;
what cannot be undone or leaves this device asks you first. Your own rules go in policy.yaml there.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 needed an approval that nobody could give,
4 no model, 130 stopped.
`

async function main(argv: readonly string[]): Promise<number> {
  const program = new Command('botpsy')
    .description('A personal assistant on your own machine: say what you want done.')
    .version(packageVersion())
    .enablePositionalOptions()
    .exitOverride()
    .argument('[request...]', 'what you want, in your own words')
    .addHelpText('after', EXAMPLES)
  addRunOptions(program).option(
    '-c, --continue',
    'go on with the last conversation, to answer a question or refer to it',
  )
  program.action(async (words: string[], flags: RunFlags) => {
    const request = words.join(' ').trim()
    if (request === '') {
      program.outputHelp()
      process.exitCode = EXIT.usage
      return
    }
    const { ask } = await import('./ask-command.js')
    process.exitCode = await ask(request, flags)
  })
  const [wanted, asked] = words(argv.slice(2))
  for (const { name, description, load } of COMMANDS) {
    if (name === wanted || (wanted === 'help' && asked === name)) (await load())(program)
    else program.command(name).description(description)
  }
  for (const command of program.commands) inheritExit(command)
  program.hook('preAction', (_, command) => carryOptions(program, command))
  await program.parseAsync(argv as string[])
  return Number(process.exitCode ?? EXIT.done)
}

/** The arguments that are no options and no options' values. */
function words(args: readonly string[]): string[] {
  return args.filter((arg, at) => !arg.startsWith('-') && !TAKES_VALUE.has(args[at - 1] ?? ''))
}

const TAKES_VALUE: ReadonlySet<string> = new Set(['--data', '--model', '--lora', '--think', '--approve'])

/** Options that stand before a command's name count for the command: `botpsy --data DIR undo`. */
function carryOptions(program: Command, command: Command): void {
  if (command === program) return
  for (const option of program.options) {
    const name = option.attributeName()
    if (program.getOptionValueSource(name) !== 'cli' || command.getOptionValueSource(name) === 'cli') continue
    if (!command.options.some((own) => own.attributeName() === name)) {
      throw new UsageError(`${option.flags} does not go with ${command.name()}`)
    }
    command.setOptionValueWithSource(name, program.getOptionValue(name), 'cli')
  }
}

function inheritExit(command: Command): void {
  command.exitOverride()
  for (const child of command.commands) inheritExit(child)
}

/** The exit code for an error that reached the top, after telling it. */
function report(error: unknown): number {
  if (error instanceof CommanderError && error.code === 'commander.excessArguments') {
    process.stderr.write('A request that begins with the name of a command goes in quotes: botpsy "history of Rome".\n')
  }
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${message}\n`)
  if (process.env.BOTPSY_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (error instanceof Error && error.name === 'UsageError') return EXIT.usage
  if (error instanceof Error && (error.name === 'ModelFolderError' || error.name === 'HubError')) return EXIT.noModel
  if (error instanceof Error && error.name === 'EngineError' && (code === 'load' || code === 'no-native-build')) {
    return EXIT.noModel
  }
  return EXIT.failed
}

// Whoever reads the output may stop reading (`| head`); what was asked is still done to its end.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await main(process.argv).catch(report)
