import { createHash } from 'node:crypto'
import { z } from 'zod'
import { VerdictFileError } from '../verdict-file.js'
import type { LineVerifier, VerifierContext } from '../verify.js'
import { BfclDataError } from './cases.js'
import { compareVerdict } from './compare-verdict.js'
import { checkMultiTurn, executeTurns } from './multi-turn/check.js'
import { readConstants } from './multi-turn/constants.js'
import { type MultiTurnEntry, readScenarios } from './multi-turn/scenarios.js'

const turnsSchema = z.array(z.array(z.array(z.string())))
const longResult = z.object({ sha256: z.string(), length: z.number() })
const resultsSchema = z.array(z.array(z.array(z.union([z.string(), longResult]))))

/** Verifier of bfcl_v4_multi_turn: verdict, code, failed turn, differing attributes and every recorded result. */
export async function openMultiTurnVerifier({ datasets }: VerifierContext): Promise<LineVerifier> {
  const newProcess = await readConstants(datasets)
  const categories = new Map<string, Promise<ReadonlyMap<string, MultiTurnEntry>>>()
  const find = async (category: string, id: string): Promise<MultiTurnEntry> => {
    let cases = categories.get(category)
    if (!cases) {
      cases = readScenarios(category, datasets).then((all) => new Map(all.map((one) => [one.id, one])))
      categories.set(category, cases)
    }
    const found = (await cases).get(id)
    if (!found) throw new BfclDataError(`BFCL_v4_${category}.json`, id, 'there is no such case')
    return found
  }
  return async (line) => {
    const turns = turnsSchema.safeParse(line.plain.turns)
    if (!turns.success) throw new VerdictFileError(line.file, line.number, 'turns must be lists of call strings')
    const scenario = await find(line.string('category'), line.string('id'))
    const { valid, error, turn, differing } = checkMultiTurn(scenario, turns.data, newProcess)
    const difference = compareVerdict(line, {
      verdict: valid,
      error_type: error,
      // The files list them by name.
      differing_attributes: differing?.toSorted(),
    })
    if (difference !== undefined) return difference
    const failed = line.plain.failed_turn
    if (failed !== undefined && failed !== null && failed !== turn)
      return `failed_turn is ${turn}, recorded ${String(failed)}`
    if (line.plain.results === undefined) return undefined
    const recorded = resultsSchema.safeParse(line.plain.results)
    if (!recorded.success) throw new VerdictFileError(line.file, line.number, 'results must be nested like turns')
    return compareResults(executeTurns(scenario, turns.data, newProcess), recorded.data, turns.data)
  }
}

function compareResults(
  ours: readonly string[][][],
  recorded: z.infer<typeof resultsSchema>,
  turns: readonly string[][][],
): string | undefined {
  for (const [turn, steps] of ours.entries())
    for (const [step, results] of steps.entries())
      for (const [call, result] of results.entries()) {
        const theirs = recorded[turn]?.[step]?.[call]
        if (theirs !== undefined && isSame(result, theirs)) continue
        const where = `turn ${turn}, step ${step}, ${turns[turn]![step]![call]}`
        const shown = typeof theirs === 'string' ? theirs : `${theirs?.length} characters`
        return `result of ${where} is ${result.slice(0, 300)}, recorded ${shown.slice(0, 300)}`
      }
  return undefined
}

function isSame(result: string, recorded: string | z.infer<typeof longResult>): boolean {
  if (typeof recorded === 'string') return result === recorded
  return createHash('sha256').update(result).digest('hex') === recorded.sha256
}
