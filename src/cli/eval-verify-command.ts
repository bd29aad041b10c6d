import { type Command, InvalidArgumentError } from 'commander'
import { EXIT } from './exit-codes.js'

interface VerifyFlags {
  readonly suite: string
  readonly file: string
  readonly datasets?: string
  readonly show: number
  readonly json?: boolean
  readonly corrected?: boolean
}

/** Adds `eval verify` to the `eval` group. */
export function registerEvalVerifyCommand(group: Command): void {
  group
    .command('verify')
    .description('score recorded candidates and compare with the verdicts of the official scorer')
    .requiredOption('--suite <name>', "the verdict file's name without .jsonl.gz")
    .requiredOption('--file <file>', 'JSON lines with the recorded verdicts, plain or gzip')
    .option('--datasets <folder>', 'folder that holds benchmarks/ (default: BOTPSY_DATASETS)')
    .option('--show <n>', 'how many disagreements to print', count, 10)
    .option('--corrected', 'also count verdicts with known faults of the official scorer mended, under another name')
    .option('--json', 'print the result as one JSON object on the last line')
    .action(async (flags: VerifyFlags) => {
      process.exitCode = await evalVerify(flags)
    })
}

/** @throws UnknownSuiteError, VerdictFileError, MissingDataError */
async function evalVerify(flags: VerifyFlags): Promise<number> {
  // Recorded attacks are replayed and counted; there is no verdict of another scorer to agree with.
  if (flags.suite === 'agentdojo') return evalInjection(flags)
  const [{ verifyFile }] = await Promise.all([import('../evals/verify.js'), import('../evals/verifiers.js')])
  const result = await verifyFile({
    suite: flags.suite,
    file: flags.file,
    shown: flags.show,
    ...(flags.datasets === undefined ? {} : { datasets: flags.datasets }),
  })
  process.stdout.write(`${result.suite}: agree ${result.agree}/${result.lines}\n`)
  for (const one of result.disagreements) process.stdout.write(`  line ${one.line} ${one.id}: ${one.reason}\n`)
  const more = result.lines - result.agree - result.disagreements.length
  if (more > 0) process.stdout.write(`  … and ${more} more\n`)
  const corrected = flags.corrected ? await countCorrected(flags) : undefined
  if (flags.json) process.stdout.write(`${JSON.stringify(corrected ? { ...result, corrected } : result)}\n`)
  return result.agree === result.lines ? EXIT.done : EXIT.failed
}

/** @throws VerdictFileError */
async function evalInjection(flags: VerifyFlags): Promise<number> {
  const { formatInjection, measureInjection } = await import('../evals/agentdojo/index.js')
  const result = await measureInjection(flags.file)
  process.stdout.write(formatInjection(result))
  if (flags.json) {
    process.stdout.write(`${JSON.stringify(result)}\n`)
  }
  return result.passed ? EXIT.done : EXIT.failed
}

/** Prints how many recorded verdicts the corrections change, and why. @throws VerdictFileError */
async function countCorrected(flags: VerifyFlags): Promise<{ name: string; right: number; changed: string[] }> {
  const [{ correct, correctedName, correctionsOf }, { readVerdictLines }] = await Promise.all([
    import('../evals/corrected.js'),
    import('../evals/verdict-file.js'),
  ])
  const name = correctedName(flags.suite)
  const changed: string[] = []
  let [right, official] = [0, 0]
  for await (const { plain } of readVerdictLines(flags.file)) {
    const id = String(plain.id ?? '')
    const { verdict, reason } = correct(flags.suite, { id, verdict: plain.verdict === true, line: plain })
    right += Number(verdict)
    official += Number(plain.verdict === true)
    if (reason !== undefined) changed.push(id)
  }
  process.stdout.write(`${name}: ${right} right, officially ${official}; ${changed.length} verdicts changed\n`)
  for (const { reason, source } of correctionsOf(flags.suite)) process.stdout.write(`  ${reason} (${source})\n`)
  if (correctionsOf(flags.suite).length === 0) process.stdout.write('  no fault of its scorer is listed\n')
  return { name, right, changed }
}

function count(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('a whole number is expected')
  return value
}
