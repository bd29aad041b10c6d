import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import '../data/register.js'
import { readRecipe } from './recipe.js'
import { defaultReporter } from './report.js'
import { trainSft } from './train.js'

/**
 * Runs a recipe from a terminal: SIGINT and SIGTERM stop it after the step in progress, with a checkpoint; the same
 * command goes on from there.
 * @returns the exit code: 0 done or stopped on time, 130 interrupted.
 */
export async function runRecipe(file: string, options: { minutes?: number; python?: string } = {}): Promise<number> {
  const recipe = await readRecipe(file)
  const stop = new AbortController()
  const onSignal = () => {
    reporter.line('Stopping after this step; the checkpoint is being written.')
    stop.abort()
  }
  const reporter = defaultReporter()
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  try {
    const result = await trainSft(recipe, {
      reporter,
      signal: stop.signal,
      recipeText: await readFile(file, 'utf8'),
      ...(options.minutes === undefined ? {} : { maxSeconds: options.minutes * 60 }),
      ...(options.python === undefined ? {} : { python: options.python }),
    })
    const best =
      result.best === undefined ? '' : ` Best: step ${result.best.step}, loss ${result.best.loss.toFixed(4)}.`
    reporter.line(
      `${result.status === 'done' ? 'Done' : 'Stopped'} at step ${result.step}: ${result.checkpoint}.${best}`,
    )
    return stop.signal.aborted ? 130 : 0
  } finally {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { minutes: { type: 'string' }, python: { type: 'string' } },
  })
  const file = positionals[0]
  if (file === undefined) {
    process.stderr.write('Usage: npx tsx src/training/sft/run.ts RECIPE [--minutes N] [--python INTERPRETER]\n')
    process.exitCode = 2
  } else {
    runRecipe(file, {
      ...(values.minutes === undefined ? {} : { minutes: Number(values.minutes) }),
      ...(values.python === undefined ? {} : { python: values.python }),
    }).then(
      (code) => {
        process.exitCode = code
      },
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
        process.exitCode = 1
      },
    )
  }
}
