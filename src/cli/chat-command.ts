import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { NOBODY } from '../agent/approval.js'
import { eventPrinter } from './ask-command.js'
import { type Composition, compose } from './compose.js'
import { EXIT, exitCodeOf } from './exit-codes.js'
import { historyText } from './history-command.js'
import { addRunOptions, type RunFlags } from './options.js'
import { terminalApprover } from './terminal-approver.js'
import { undoText } from './undo-command.js'

const HELP = `Type a request, or:
  /tools     what I can do
  /undo [n]  take back the last thing, or number n
  /history   what was asked and done
  /new       start a new conversation
  /help      this
  /exit      leave (also Ctrl-D)
`

/** Adds `chat`: a conversation on the terminal, or over a pipe, one request a line. */
export function registerChatCommand(program: Command): void {
  addRunOptions(program.command('chat'))
    .description('talk: one request after the other, each can refer to the ones before')
    .action(async (flags: RunFlags) => {
      process.exitCode = await chat(flags)
    })
}

/**
 * Runs a conversation until its input ends. Returns the exit code of the last request.
 * @param input where requests come from, one a line
 * @param open opens the engine; another one is for tests
 */
export async function chat(
  flags: RunFlags,
  input: NodeJS.ReadableStream = process.stdin,
  open?: Parameters<typeof compose>[2],
): Promise<number> {
  const interactive = input === process.stdin && process.stdin.isTTY === true && !flags.json
  const approver = flags.json ? NOBODY : terminalApprover(process.stdin, process.stdout)
  const composition = await compose(flags, approver, open)
  const print = eventPrinter(composition, flags)
  let thread = composition.agent.newThread()
  let code: number = EXIT.done
  const handle = async (line: string): Promise<boolean> => {
    if (line === '/exit' || line === '/quit') return false
    if (line === '/new') thread = composition.agent.newThread()
    else if (line.startsWith('/')) process.stdout.write(await command(line, composition))
    else {
      const controller = new AbortController()
      const stop = (): void => controller.abort()
      process.once('SIGINT', stop)
      try {
        code = exitCodeOf(
          (await composition.agent.run(line, { thread, onEvent: print, signal: controller.signal })).status,
        )
      } finally {
        process.removeListener('SIGINT', stop)
      }
      // On a terminal Ctrl+C stops the request; of a pipe nobody could stop the rest.
      return interactive || !controller.signal.aborted
    }
    return true
  }
  try {
    await composition.agent.resumeAll({ onEvent: print })
    if (interactive) process.stdout.write(`${composition.opened.engine.model.name}. /help shows what you can type.\n`)
    await (interactive ? fromTerminal(handle) : fromPipe(input, handle))
    return code
  } finally {
    await composition.close()
  }
}

/** A reader of its own for every line, so that approvals have the terminal to themselves in between. */
async function fromTerminal(handle: (line: string) => Promise<boolean>): Promise<void> {
  for (;;) {
    const reader = createInterface({ input: process.stdin, output: process.stdout })
    const line = await new Promise<string | undefined>((resolve) => {
      reader.once('close', () => resolve(undefined))
      reader.question('› ').then(resolve, () => resolve(undefined))
    })
    reader.close()
    if (line === undefined) return
    if (line.trim() !== '' && !(await handle(line.trim()))) return
  }
}

async function fromPipe(input: NodeJS.ReadableStream, handle: (line: string) => Promise<boolean>): Promise<void> {
  const reader = createInterface({ input, terminal: false })
  // Each line as it comes: whoever writes them may wait for an answer before the next.
  for await (const line of reader) if (line.trim() !== '' && !(await handle(line.trim()))) return
}

async function command(line: string, composition: Composition): Promise<string> {
  const [name, argument] = line.split(/\s+/, 2)
  if (name === '/tools') return toolsText(composition)
  if (name === '/history') return historyText(composition.journal, 10)
  if (name === '/undo') {
    try {
      return `${(await undoText(composition, argument)).text}\n`
    } catch (error) {
      return `${error instanceof Error ? error.message : String(error)}\n`
    }
  }
  return name === '/help' ? HELP : `${name} is not known.\n${HELP}`
}

function toolsText({ registry }: Composition): string {
  const byField = new Map<string, string[]>()
  for (const tool of registry.list()) {
    const lines = byField.get(tool.field) ?? []
    lines.push(`  ${tool.name.padEnd(20)} ${tool.description}`)
    byField.set(tool.field, lines)
  }
  return [...byField].map(([field, lines]) => `${field}\n${lines.join('\n')}\n`).join('')
}
