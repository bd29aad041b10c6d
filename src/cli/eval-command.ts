import { basename } from 'node:path'
import type { Command } from 'commander'
import { openHome } from '../agent/home.js'
import { GENERAL_SYSTEM_TEXT } from '../agent/system-text.js'
import type { RequestFigures, ScoredRequest } from '../evals/requests/figures.js'
import { registerEvalAttacksCommand } from './eval-attacks-command.js'
import { registerEvalRunCommands } from './eval-run-command.js'
import { registerEvalVerifyCommand } from './eval-verify-command.js'
import { registerEvalWorldsCommand } from './eval-worlds-command.js'
import { openContracts } from './open-contracts.js'
import { openEngine } from './open-engine.js'
import { positiveInteger } from './options.js'

interface RequestsFlags {
  readonly file: readonly string[]
  readonly model?: string
  readonly lora?: readonly string[]
  readonly data?: string
  readonly limit?: number
  readonly json?: boolean
  readonly out?: string
  readonly constrain: boolean
}

/** Adds `eval` with its subcommands to the program. */
export function registerEvalCommand(program: Command): void {
  const group = program.command('eval').description('measure a model')
  group
    .command('requests')
    .description('score requests of people against the calls they ask for, through the real agent, without effects')
    .requiredOption('--file <file...>', 'JSON lines {text, intent, slots}; several files are pooled')
    .option('--model <model>', 'a model folder, a .gguf file, or a name (default: the embedded model)')
    .option('--lora <adapter...>', 'add a LoRA adapter (.gguf) to the model')
    .option('--data <folder>', 'folder for caches (default: the data folder)')
    .option('--limit <n>', 'only the first n requests of each file', positiveInteger)
    .option('--out <file>', 'write every request with its call and score as JSON lines')
    .option('--no-constrain', 'let the model write calls without the grammar')
    .option('--json', 'print the figures as one JSON object on the last line')
    .action(async (flags: RequestsFlags) => {
      process.exitCode = await evalRequests(flags)
    })
  registerEvalVerifyCommand(group)
  registerEvalRunCommands(group)
  registerEvalWorldsCommand(group)
  registerEvalAttacksCommand(group)
}

/**
 * Runs `eval requests` and prints the figures.
 * @throws RequestFileError, NoModelError, EngineError
 */
async function evalRequests(flags: RequestsFlags): Promise<number> {
  const [{ readRequestLines }, { runRequests }, { requestFigures }, { formatRequestFigures }, { resolveWhenText }] =
    await Promise.all([
      import('../evals/requests/read-lines.js'),
      import('../evals/requests/run.js'),
      import('../evals/requests/figures.js'),
      import('../evals/requests/report.js'),
      import('../evals/requests/resolve-when.js'),
    ])
  const files = await Promise.all(flags.file.map(readRequestLines))
  const lines = files.flatMap((file) => file.slice(0, flags.limit))
  const opened = await openEngine(flags, openHome(flags.data))
  try {
    const tty = process.stderr.isTTY === true
    const scored = await runRequests(lines, {
      engine: opened.engine,
      registry: openContracts(),
      constrain: flags.constrain,
      resolveWhen: resolveWhenText,
      ...(opened.sampling ? { sampling: opened.sampling } : {}),
      ...(opened.think === undefined ? {} : { think: opened.think }),
      ...(opened.shortlistWeight === undefined ? {} : { shortlistWeight: opened.shortlistWeight }),
      ...(opened.quote === undefined ? {} : { quote: opened.quote }),
      ...(opened.tiny ? {} : { system: GENERAL_SYSTEM_TEXT }),
      onProgress: (done, total) => {
        if (tty && (done % 10 === 0 || done === total))
          process.stderr.write(`\r${done}/${total}${done === total ? '\n' : ''}`)
      },
    })
    if (flags.out) {
      const { writeFileSync, renameSync } = await import('node:fs')
      writeFileSync(`${flags.out}.part`, scored.map((one) => `${JSON.stringify(one)}\n`).join(''))
      renameSync(`${flags.out}.part`, flags.out)
    }
    const figures = requestFigures(scored)
    const title = `${opened.engine.model.name} on ${flags.file.map((file) => basename(file)).join(' + ')}`
    process.stdout.write(formatRequestFigures(figures, title))
    const byFile = figuresByFile(
      flags.file.map((file, at) => ({ name: basename(file), n: (files[at] ?? []).slice(0, flags.limit).length })),
      scored,
      requestFigures,
    )
    for (const { name, n, toolChoice, exactCall } of byFile)
      process.stdout.write(
        `  ${name.padEnd(18)} ${String(n).padStart(5)}  tool ${percent(toolChoice)}  exact ${percent(exactCall)}\n`,
      )
    if (flags.json) process.stdout.write(`${JSON.stringify(byFile.length > 0 ? { ...figures, byFile } : figures)}\n`)
    return 0
  } finally {
    await opened.engine.close()
  }
}

/** Figures of each of several files, as of languages; the requests of a file stand together. */
function figuresByFile(
  files: readonly { readonly name: string; readonly n: number }[],
  scored: readonly ScoredRequest[],
  figuresOf: (requests: readonly ScoredRequest[]) => RequestFigures,
): { name: string; n: number; toolChoice: number; exactCall: number }[] {
  if (files.length < 2) return []
  let at = 0
  return files.map(({ name, n }) => {
    const { toolChoice, exactCall } = figuresOf(scored.slice(at, at + n))
    at += n
    return { name, n, toolChoice, exactCall }
  })
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1).padStart(5)}%`
}
