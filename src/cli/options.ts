import { type Command, InvalidArgumentError, Option } from 'commander'

/** Options of every command that runs requests. */
export interface RunFlags {
  readonly data?: string
  readonly json?: boolean
  readonly quiet?: boolean
  readonly model?: string
  readonly lora?: readonly string[]
  readonly think?: boolean | number
  readonly approve?: string
  readonly continue?: boolean
}

/** Adds the options of commands that run requests. */
export function addRunOptions(command: Command): Command {
  return addDataOption(command)
    .option('--json', 'print events as JSON, one a line, instead of text')
    .option('--quiet', 'print only the answer')
    .option(
      '--model <model>',
      'a model folder, a .gguf file, a name, or the address of an endpoint (default: the embedded model)',
    )
    .addOption(
      new Option('--lora <adapter>', 'add a LoRA adapter (.gguf) to the model; may be given several times').argParser(
        (file: string, before: readonly string[] | undefined) => [...(before ?? []), file],
      ),
    )
    .addOption(
      new Option('--think <on|off|N>', 'let the model think first: on, off, or at most N tokens').argParser(
        thinkOption,
      ),
    )
    .option(
      '--approve <classes>',
      'run without asking what your policy file would ask about: read, write, a field or a tool, comma-separated; ' +
        'never what cannot be undone or leaves this device',
    )
}

/** Adds `--data`. */
export function addDataOption(command: Command): Command {
  return command.option(
    '--data <folder>',
    'folder of your data (default: $BOTPSY_HOME, else the platform’s data folder)',
  )
}

/** Reads a whole number above 0 from the command line. @throws InvalidArgumentError */
export function positiveInteger(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('a whole number above 0 is expected')
  return value
}

/** Reads `on`, `off` or a number of tokens. @throws InvalidArgumentError */
export function thinkOption(text: string): boolean | number {
  if (text === 'on') return true
  if (text === 'off') return false
  const tokens = Number(text)
  if (!Number.isInteger(tokens) || tokens < 0) throw new InvalidArgumentError('use on, off or a number of tokens')
  return tokens
}
