import { readVerdictLines, VerdictFileError, type VerdictLine } from './verdict-file.js'

/** Scores one line; returns why our result differs from the recorded one, or undefined when nothing differs. */
export type LineVerifier = (line: VerdictLine) => string | undefined | Promise<string | undefined>

/** What a verifier is opened with. */
export interface VerifierContext {
  /** Folder that holds benchmarks/; undefined: the one BOTPSY_DATASETS names. */
  readonly datasets?: string
}

/** Reads what the suite needs once and returns the judge of single lines. */
export type OpenVerifier = (context: VerifierContext) => LineVerifier | Promise<LineVerifier>

/** A recorded result that ours differs from. */
export interface Disagreement {
  /** 1-based line of the file. */
  readonly line: number
  readonly id: string
  readonly reason: string
}

/** Result of comparing a file of recorded verdicts with our scorer. */
export interface VerifyResult {
  readonly suite: string
  readonly file: string
  readonly lines: number
  readonly agree: number
  /** The first ones, in order of the file. */
  readonly disagreements: readonly Disagreement[]
}

/** No verifier has this name. */
export class UnknownSuiteError extends Error {
  override readonly name = 'UnknownSuiteError'
  readonly code = 'unknown-suite'
  constructor(
    readonly suite: string,
    readonly known: readonly string[],
  ) {
    super(`there is no verifier named ${suite}; known: ${known.join(', ')}`)
  }
}

const registry = new Map<string, () => Promise<OpenVerifier>>()

/** Adds a verifier under the name of its verdict file (without .jsonl.gz); its code is loaded when it is used. */
export function registerVerifier(name: string, load: () => Promise<OpenVerifier>): void {
  registry.set(name, load)
}

/** Names of all registered verifiers, sorted. */
export function verifierNames(): string[] {
  return [...registry.keys()].sort()
}

/**
 * Scores every line of a file of recorded verdicts with our scorer and counts where both agree. A line our scorer fails
 * on counts as a disagreement.
 * @throws UnknownSuiteError, VerdictFileError, MissingDataError
 */
export async function verifyFile(
  options: VerifierContext & { readonly suite: string; readonly file: string; readonly shown?: number },
): Promise<VerifyResult> {
  const load = registry.get(options.suite)
  if (!load) throw new UnknownSuiteError(options.suite, verifierNames())
  const judge = await (await load())(options)
  const shown = options.shown ?? 10
  const disagreements: Disagreement[] = []
  let lines = 0
  let agree = 0
  for await (const line of readVerdictLines(options.file)) {
    lines += 1
    let reason: string | undefined
    try {
      reason = await judge(line)
    } catch (error) {
      if (error instanceof VerdictFileError) throw error
      reason = `the scorer failed: ${error instanceof Error ? error.message : String(error)}`
    }
    if (reason === undefined) agree += 1
    else if (disagreements.length < shown)
      disagreements.push({ line: line.number, id: String(line.plain.id ?? ''), reason })
  }
  if (lines === 0) throw new VerdictFileError(options.file, 0, 'the file holds no lines')
  return { suite: options.suite, file: options.file, lines, agree, disagreements }
}
