import { join } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { openHome } from '../agent/home.js'
import type { Suite } from '../evals/runner/suite.js'
import type { SuiteOptions } from '../evals/suites.js'
import { registerEvalOwnCommands } from './eval-own-command.js'
import { EXIT } from './exit-codes.js'
import { openEngine } from './open-engine.js'
import { positiveInteger, thinkOption } from './options.js'
import { packageVersion } from './version.js'

/** Flags of every command that runs a suite. */
export interface EvalRunFlags {
  readonly model?: string
  readonly lora?: readonly string[]
  readonly userModel?: string
  readonly judge?: string
  readonly data?: string
  readonly datasets?: string
  readonly out?: string
  readonly name?: string
  readonly limit?: number
  readonly sample?: number
  readonly trials?: number
  readonly seed?: number
  readonly concurrency?: number
  readonly shard?: { readonly index: number; readonly of: number }
  readonly temperature?: number
  readonly topP?: number
  readonly maxTokens?: number
  readonly think?: boolean | number
  readonly html?: string
  readonly json?: boolean
}

/** Adds `eval run`, `eval report`, `eval compare` and `eval list` to the `eval` group. */
export function registerEvalRunCommands(group: Command): void {
  registerEvalOwnCommands(group, addSuiteRunOptions, evalRunSuite)
  addSuiteRunOptions(
    group
      .command('run')
      .description('run a suite against a model file or an endpoint; started again it goes on where it stopped')
      .argument('<suite>', 'a name of `botpsy eval list`'),
  ).action(async (suite: string, flags: EvalRunFlags) => {
    process.exitCode = await evalRun(suite, flags)
  })
  group
    .command('report')
    .description('print the figures of a run')
    .argument('<run>', 'folder of the run')
    .option('--html <file>', 'write the report as one HTML file')
    .option('--json', 'print the figures as one JSON object on the last line')
    .action(async (folder: string, flags: Pick<EvalRunFlags, 'html' | 'json'>) => {
      process.exitCode = await evalReport([folder], flags)
    })
  group
    .command('compare')
    .description('compare runs of one suite, case by case, with the first')
    .argument('<runs...>', 'folders of the runs')
    .option('--html <file>', 'write the report with transcripts side by side as one HTML file')
    .option('--json', 'print the comparison as one JSON object on the last line')
    .action(async (folders: string[], flags: Pick<EvalRunFlags, 'html' | 'json'>) => {
      process.exitCode = await evalReport(folders, flags)
    })
  group
    .command('list')
    .description('list the suites')
    .option('--json', 'print as one JSON object')
    .action(async (flags: { readonly json?: boolean }) => {
      const [{ suiteEntries }] = await Promise.all([import('../evals/suites.js'), import('../evals/suite-list.js')])
      const rows = suiteEntries().map(({ name, title }) => ({ name, title }))
      const width = Math.max(...rows.map(({ name }) => name.length))
      process.stdout.write(
        flags.json
          ? `${JSON.stringify(rows)}\n`
          : rows.map(({ name, title }) => `${name.padEnd(width + 2)}${title}\n`).join(''),
      )
    })
}

/** Adds what every command takes that runs a suite. */
export function addSuiteRunOptions(command: Command): Command {
  return command
    .option(
      '--model <model>',
      'a model folder, a .gguf file, a name, or the address of an endpoint (default: the embedded model)',
    )
    .option('--lora <adapter...>', 'add a LoRA adapter (.gguf) to the model')
    .option(
      '--judge <model>',
      'what judges answers in suites that need a judge, named like --model (default: rules, labelled so)',
    )
    .option(
      '--user-model <model>',
      'what plays the user in suites of conversations, named like --model (default: the tested model itself)',
    )
    .option('--name <name>', 'how the model is called in tables')
    .option('--out <folder>', 'folder of the run (default: runs/SUITE-MODEL in the current folder)')
    .option('--limit <n>', 'only the first n cases', positiveInteger)
    .option('--sample <n>', 'only n cases, drawn by the seed; the same for every model', positiveInteger)
    .option('--trials <k>', 'run every case k times', positiveInteger)
    .option('--seed <n>', 'seed of samples and sampling', positiveInteger)
    .option('--concurrency <n>', 'cases in flight', positiveInteger)
    .addOption(
      new Option('--shard <i/n>', 'every n-th case from the i-th on; the shards share the folder').argParser(shard),
    )
    .option('--temperature <t>', 'sampling temperature (default: the suite’s, else 0)', numberOption)
    .option('--top-p <p>', 'nucleus sampling', numberOption)
    .option('--max-tokens <n>', 'longest answer', positiveInteger)
    .addOption(new Option('--think <on|off|N>', 'let the model think first').argParser(thinkOption))
    .option('--datasets <folder>', 'folder that holds benchmarks/ (default: BOTPSY_DATASETS)')
    .option('--data <folder>', 'folder for caches (default: the data folder)')
    .option('--html <file>', 'write the report as one HTML file')
    .option('--json', 'print the figures as one JSON object on the last line')
}

/** @throws NoSuiteError, MissingDataError, RunFolderError, NoModelError, EngineError */
async function evalRun(name: string, flags: EvalRunFlags): Promise<number> {
  const [{ suiteEntry }] = await Promise.all([import('../evals/suites.js'), import('../evals/suite-list.js')])
  const entry = suiteEntry(name)
  return evalRunSuite(name, flags, (_, options) => entry.open(options))
}

/**
 * Runs the suite that `open` makes, and prints its figures.
 * @throws RunFolderError, NoModelError, EngineError, and what `open` throws
 */
export async function evalRunSuite(
  name: string,
  flags: EvalRunFlags,
  open: (opened: Awaited<ReturnType<typeof openEngine>>, options: SuiteOptions) => Suite | Promise<Suite>,
): Promise<number> {
  const [{ runSuite }, { sha256OfFile }] = await Promise.all([
    import('../evals/runner/run-suite.js'),
    import('../model/hub.js'),
  ])
  const concurrency = flags.concurrency ?? 1
  const home = openHome(flags.data)
  const user =
    flags.userModel === undefined
      ? undefined
      : (await openEngine({ model: flags.userModel, parallel: concurrency }, home)).engine
  const judge =
    flags.judge === undefined
      ? undefined
      : (await openEngine({ model: flags.judge, parallel: concurrency }, home)).engine
  const opened = await openEngine({ ...flags, parallel: concurrency }, home)
  const suite = await open(opened, {
    ...(flags.datasets === undefined ? {} : { datasets: flags.datasets }),
    ...(user === undefined ? {} : { user }),
    ...(judge === undefined ? {} : { judge }),
  })
  const model = flags.name ?? opened.engine.model.name
  const folder = flags.out ?? join('runs', `${name}-${model.replace(/[^\w.-]+/g, '_')}`)
  const stop = new AbortController()
  const onSignal = (): void => {
    process.stderr.write('\nStopping after the cases in flight; the same command goes on from here.\n')
    stop.abort()
  }
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  try {
    const { file } = opened.engine.model
    const sampling = {
      ...(opened.sampling ?? suite.sampling ?? { temperature: 0 }),
      ...(flags.temperature === undefined ? {} : { temperature: flags.temperature }),
      ...(flags.topP === undefined ? {} : { topP: flags.topP }),
    }
    const tty = process.stderr.isTTY === true
    const outcome = await runSuite(suite, {
      engine: opened.engine,
      folder,
      model: { name: model, from: flags.model ?? 'embedded', ...(file ? { sha256: await sha256OfFile(file) } : {}) },
      botpsy: packageVersion(),
      sampling,
      concurrency,
      signal: stop.signal,
      ...(opened.think === undefined ? {} : { think: opened.think }),
      ...(flags.maxTokens === undefined ? {} : { maxTokens: flags.maxTokens }),
      ...(flags.trials === undefined ? {} : { trials: flags.trials }),
      ...(flags.seed === undefined ? {} : { seed: flags.seed }),
      ...(flags.limit === undefined ? {} : { limit: flags.limit }),
      ...(flags.sample === undefined ? {} : { sample: flags.sample }),
      ...(flags.shard === undefined ? {} : { shard: flags.shard }),
      onCase: (_, { done, total }) => {
        if (tty) process.stderr.write(`\r${done}/${total}${done === total ? '\n' : ''}`)
      },
      onFailure: ({ id, error }) => process.stderr.write(`\n${id}: ${error}\n`),
    })
    const { done, total, before } = outcome.progress
    process.stdout.write(
      `${folder}: ${done} of ${total} cases done${before > 0 ? `, ${before} of them before` : ''}.\n`,
    )
    if (outcome.failures.length > 0)
      process.stdout.write(
        `${outcome.failures.length} cases failed on this machine and are not scored; the same command tries them again.\n`,
      )
    if (done > 0) await evalReport([folder], flags)
    if (stop.signal.aborted) return EXIT.aborted
    return done === total ? EXIT.done : EXIT.failed
  } finally {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
    await opened.engine.close()
    await user?.close()
    await judge?.close()
  }
}

/** @throws RunFolderError */
async function evalReport(folders: readonly string[], flags: Pick<EvalRunFlags, 'html' | 'json'>): Promise<number> {
  const [{ readRun }, { runFigures }, { formatRun, formatComparison }, { compareRuns }, { suiteEntries }] =
    await Promise.all([
      import('../evals/runner/run-folder.js'),
      import('../evals/runner/run-figures.js'),
      import('../evals/runner/run-table.js'),
      import('../evals/runner/compare-runs.js'),
      import('../evals/suites.js'),
      import('../evals/suite-list.js'),
    ])
  const runs = folders.map(readRun)
  const entry = suiteEntries().find(({ name }) => name === runs[0]?.header.suite)
  // Totals need the suite's code, which may need data; a report must not.
  const suite = await entry?.open({}).catch(() => undefined)
  const aggregate = suite?.aggregate ? { aggregate: suite.aggregate.bind(suite) } : undefined
  const figures = runs.map((run) => runFigures(run, aggregate))
  const comparison = runs.length > 1 ? compareRuns(runs) : undefined
  process.stdout.write(`${figures.map(formatRun).join('\n\n')}\n`)
  if (comparison)
    process.stdout.write(
      `\n${formatComparison(
        figures.map(({ header }) => header.model),
        comparison,
      )}\n`,
    )
  if (flags.html) {
    const [{ htmlReport }, { publishedFigures }, { writeFileSync, renameSync }] = await Promise.all([
      import('../evals/runner/html-report.js'),
      import('../evals/runner/published.js'),
      import('node:fs'),
    ])
    const published = entry?.published === undefined ? [] : publishedFigures(entry.published)
    const html = htmlReport(runs, { ...(aggregate ? { suite: aggregate } : {}), published })
    writeFileSync(`${flags.html}.part`, html)
    renameSync(`${flags.html}.part`, flags.html)
    process.stdout.write(`Report: ${flags.html}\n`)
  }
  if (flags.json) process.stdout.write(`${JSON.stringify(comparison ? { figures, comparison } : figures[0])}\n`)
  return EXIT.done
}

function shard(text: string): { index: number; of: number } {
  const match = /^(\d+)\/(\d+)$/.exec(text)
  const index = Number(match?.[1])
  const of = Number(match?.[2])
  if (!match || index < 1 || index > of) throw new InvalidArgumentError('use i/n with i from 1 to n, as 1/4')
  return { index, of }
}

function numberOption(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) throw new InvalidArgumentError('a number is expected')
  return value
}
