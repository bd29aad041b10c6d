import { type Command, InvalidArgumentError } from 'commander'
import { runRecipe } from '../training/sft/index.js'

/**
 * Adds `train` with its stages to the program. The exit code is 0 when the run ended or its time was up, 1 on a failure,
 * 130 when interrupted (with a checkpoint: the same command goes on).
 */
export function registerTrainCommand(program: Command): void {
  const train = program.command('train').description('post-train a model (needs Python; its environment is made once)')
  train
    .command('sft')
    .description('stage 1, supervised fine-tuning by a recipe file; the same command goes on after a stop')
    .argument('<recipe>', 'YAML or JSON file, e.g. recipes/nano-sft.yaml')
    .option('--minutes <n>', 'stop cleanly after so many minutes', minutes)
    .option('--python <interpreter>', 'a Python that has the worker’s packages, instead of making an environment')
    .action(async (recipe: string, options: { minutes?: number; python?: string }) => {
      try {
        process.exitCode = await runRecipe(recipe, options)
      } catch (error) {
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
        process.exitCode = 1
      }
    })
}

function minutes(text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new InvalidArgumentError('a number above 0 is expected')
  return value
}
