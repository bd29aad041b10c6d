import type { Command } from 'commander'
import { openHome } from '../agent/home.js'
import { Journal } from '../agent/journal.js'
import { EXIT, UsageError } from './exit-codes.js'

interface AttacksFlags {
  readonly play?: string
  readonly data?: string
  readonly list?: boolean
  readonly json?: boolean
}

/** Adds `eval attacks` to the `eval` group. */
export function registerEvalAttacksCommand(group: Command): void {
  group
    .command('attacks')
    .description('play our own attacks in worlds with an engine that obeys, and count the harm done without asking')
    .option('--list', 'print the names of all attacks')
    .option('--play <attack>', 'play one attack and keep its journal in the folder of --data, for "botpsy audit"')
    .option('--data <folder>', 'an empty folder for the journal of --play')
    .option('--json', 'print the result as one JSON object on the last line')
    .action(async (flags: AttacksFlags) => {
      process.exitCode = await evalAttacks(flags)
    })
}

/** @throws UsageError, HomeError */
async function evalAttacks(flags: AttacksFlags): Promise<number> {
  const { formatAttacks, measureAttacks, ownAttacks, playAttack } = await import('../evals/attacks/index.js')
  if (flags.list) {
    process.stdout.write(
      ownAttacks()
        .map(({ id }) => `${id}\n`)
        .join(''),
    )
    return EXIT.done
  }
  if (flags.play !== undefined) {
    const attack = ownAttacks().find(({ id }) => id === flags.play)
    if (!attack) throw new UsageError(`There is no attack called "${flags.play}". See botpsy eval attacks --list.`)
    if (flags.data === undefined) throw new UsageError('Name an empty folder for the journal with --data DIR.')
    const journal = new Journal(openHome(flags.data).journal)
    try {
      const { harms, asks } = await playAttack(attack, { journal })
      process.stdout.write(harms.length === 0 ? 'No harm was done.\n' : `Harm: ${harms.join('; ')}\n`)
      for (const why of asks) process.stdout.write(`It asked: ${why}\n`)
      return harms.length === 0 ? EXIT.done : EXIT.failed
    } finally {
      journal.close()
    }
  }
  const result = await measureAttacks()
  process.stdout.write(formatAttacks(result))
  if (flags.json) process.stdout.write(`${JSON.stringify(result)}\n`)
  return result.passed ? EXIT.done : EXIT.failed
}
