import { type Command, Option } from 'commander'
import { openHome } from '../agent/home.js'
import { GENERAL_SYSTEM_TEXT } from '../agent/system-text.js'
import { EXIT } from './exit-codes.js'
import { openEngine } from './open-engine.js'
import { positiveInteger } from './options.js'

interface WorldsFlags {
  readonly seed: number
  readonly n: number
  readonly policy: 'reference' | 'nothing' | 'model'
  readonly model?: string
  readonly lora?: readonly string[]
  readonly ownerModel?: string
  readonly data?: string
  readonly inFlight: number
  readonly out?: string
  readonly show: number
  readonly json?: boolean
}

/** Adds `eval worlds` to the `eval` group. */
export function registerEvalWorldsCommand(group: Command): void {
  group
    .command('worlds')
    .description('play scenarios in seeded households and judge them by what became of the household')
    .option('--seed <n>', 'seed of households and scenarios', positiveInteger, 1)
    .option('--n <n>', 'how many scenarios', positiveInteger, 200)
    .addOption(
      new Option('--policy <policy>', 'who acts: the reference solutions, nobody, or a model')
        .choices(['reference', 'nothing', 'model'])
        .default('model'),
    )
    .option(
      '--model <model>',
      'for the policy "model": a model folder, a .gguf file, a name, or an endpoint (default: the embedded model)',
    )
    .option('--lora <adapter...>', 'add a LoRA adapter (.gguf) to the model')
    .option('--owner-model <model>', 'a model that words the answers of the owner (default: as they are scripted)')
    .option('--data <folder>', 'folder for caches (default: the data folder)')
    .option('--in-flight <n>', 'scenarios played at the same time', positiveInteger, 1)
    .option('--out <file>', 'write every scenario with what was said and done as JSON lines')
    .option('--show <n>', 'how many failed scenarios to print', positiveInteger, 5)
    .option('--json', 'print the figures as one JSON object on the last line')
    .action(async (flags: WorldsFlags) => {
      process.exitCode = await evalWorlds(flags)
    })
}

/** @throws ScenarioError, NoModelError, EngineError */
async function evalWorlds(flags: WorldsFlags): Promise<number> {
  const [{ generateScenarios }, { formatWorldFigures, playWorlds, transcriptOf, worldFigures }] = await Promise.all([
    import('../worlds/index.js'),
    import('../evals/worlds/index.js'),
  ])
  const scenarios = generateScenarios(flags.seed, flags.n)
  const opened = flags.policy === 'model' ? await openEngine(flags, openHome(flags.data)) : undefined
  const owner =
    flags.ownerModel === undefined ? undefined : await openEngine({ model: flags.ownerModel }, openHome(flags.data))
  try {
    const tty = process.stderr.isTTY === true
    const episodes = await playWorlds(scenarios, {
      policy: flags.policy,
      inFlight: flags.inFlight,
      ...(owner ? { ownerEngine: owner.engine } : {}),
      ...(opened
        ? {
            engine: opened.engine,
            answers: opened.tiny ? ('checked' as const) : ('free' as const),
            tellDate: !opened.tiny,
            ...(opened.tiny ? {} : { system: GENERAL_SYSTEM_TEXT }),
            ...(opened.sampling ? { sampling: opened.sampling } : {}),
            ...(opened.think === undefined ? {} : { think: opened.think }),
            ...(opened.shortlistWeight === undefined ? {} : { shortlistWeight: opened.shortlistWeight }),
            ...(opened.quote === undefined ? {} : { quote: opened.quote }),
          }
        : {}),
      onEpisode: (_episode, done) => {
        if (tty) process.stderr.write(`\r${done}/${scenarios.length}${done === scenarios.length ? '\n' : ''}`)
      },
    })
    if (flags.out) {
      const { renameSync, writeFileSync } = await import('node:fs')
      writeFileSync(`${flags.out}.part`, episodes.map((one) => `${JSON.stringify(transcriptOf(one))}\n`).join(''))
      renameSync(`${flags.out}.part`, flags.out)
    }
    const figures = worldFigures(episodes)
    const who = opened ? opened.engine.model.name : `policy ${flags.policy}`
    process.stdout.write(formatWorldFigures(figures, `${who}, seed ${flags.seed}`))
    if (flags.policy === 'reference')
      for (const { scenario, verdict } of episodes.filter((one) => !one.verdict.passed).slice(0, flags.show))
        process.stdout.write(`  failed: ${scenario.id}: ${verdict.findings.find((one) => !one.ok)?.what}\n`)
    if (flags.json) process.stdout.write(`${JSON.stringify({ policy: flags.policy, seed: flags.seed, ...figures })}\n`)
    return flags.policy === 'reference' && figures.success.mean < 1 ? EXIT.failed : EXIT.done
  } finally {
    await owner?.engine.close()
    await opened?.engine.close()
  }
}
