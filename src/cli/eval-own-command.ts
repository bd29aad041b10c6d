import type { Command } from 'commander'
import { openHome } from '../agent/home.js'
import { GENERAL_SYSTEM_TEXT } from '../agent/system-text.js'
import type { addSuiteRunOptions, EvalRunFlags, evalRunSuite } from './eval-run-command.js'
import { UsageError } from './exit-codes.js'
import { openContracts } from './open-contracts.js'
import { positiveInteger } from './options.js'

/** Adds `eval replay` and `eval own` to the `eval` group. */
export function registerEvalOwnCommands(
  group: Command,
  addOptions: typeof addSuiteRunOptions,
  run: typeof evalRunSuite,
): void {
  addOptions(
    group
      .command('replay')
      .description('your own last requests against another model: what it would call, beside what was called then')
      .option('--last <n>', 'how many requests', positiveInteger, 50),
  ).action(async (flags: EvalRunFlags & { readonly last: number }) => {
    process.exitCode = await evalReplay(flags, run)
  })
  addOptions(
    group
      .command('own')
      .description('your own tools and cases (tools.yaml, cases.yaml)')
      .argument('<folder>', 'folder that holds them'),
  ).action(async (folder: string, flags: EvalRunFlags) => {
    const { ownSuite } = await import('../evals/own/own-folder.js')
    const suite = ownSuite(folder)
    process.exitCode = await run('own', flags, () => suite as never)
  })
}

/** @throws UsageError for a model elsewhere: the owner's requests do not leave the machine */
async function evalReplay(flags: EvalRunFlags & { readonly last: number }, run: typeof evalRunSuite): Promise<number> {
  if (flags.model !== undefined && /^https?:/.test(flags.model)) {
    const { hostname } = new URL(flags.model)
    if (!['localhost', '127.0.0.1', '[::1]'].includes(hostname))
      throw new UsageError(`replay shows the model your own requests, so it takes no model on ${hostname}`)
  }
  const [{ Journal }, { replayCases, replaySuite }] = await Promise.all([
    import('../agent/journal.js'),
    import('../evals/own/replay-suite.js'),
  ])
  const journal = new Journal(openHome(flags.data).journal)
  let cases: ReturnType<typeof replayCases>
  try {
    cases = replayCases(journal, flags.last)
  } finally {
    journal.close()
  }
  if (cases.length === 0) throw new UsageError('The journal holds no request yet.')
  return run('replay', flags, (opened) => {
    const suite = replaySuite(cases, {
      registry: openContracts(),
      ...(opened.shortlistWeight === undefined ? {} : { shortlistWeight: opened.shortlistWeight }),
      ...(opened.quote === undefined ? {} : { quote: opened.quote }),
      ...(opened.tiny ? {} : { system: GENERAL_SYSTEM_TEXT }),
    })
    return suite as never
  })
}
