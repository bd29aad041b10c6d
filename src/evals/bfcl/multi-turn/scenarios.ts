import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { benchmarkPath } from '../../datasets-place.js'
import { parsePythonJson } from '../../python/json.js'
import { PyDict, type PyValue } from '../../python/values.js'
import { BfclDataError } from '../cases.js'
import type { MultiTurnScenario } from './check.js'

/** Categories of the multi-turn part. */
export const MULTI_TURN_CATEGORIES = [
  'multi_turn_base',
  'multi_turn_miss_func',
  'multi_turn_miss_param',
  'multi_turn_long_context',
] as const

/** A case as its file has it, with the accepted calls. */
export interface MultiTurnEntry extends MultiTurnScenario {
  /** The whole line of the data file. */
  readonly entry: PyDict
}

/**
 * Cases of a multi-turn category, in order of the file.
 * @param datasets folder that holds benchmarks/
 * @throws MissingDataError, BfclDataError
 */
export async function readScenarios(category: string, datasets?: string): Promise<readonly MultiTurnEntry[]> {
  const folder = benchmarkPath('bfcl_v4/data', datasets)
  if (!/^[a-z_]+$/.test(category)) throw new BfclDataError(folder, category, 'not the name of a category')
  const name = `BFCL_v4_${category}.json`
  const answers = new Map<PyValue, PyValue>()
  for (const line of await lines(join(folder, 'possible_answer', name), name))
    answers.set(line.get('id') ?? null, line.get('ground_truth') ?? null)
  return (await lines(join(folder, name), name)).map((entry) => {
    const id = entry.get('id')
    const config = entry.get('initial_config') ?? new PyDict()
    const classes = entry.get('involved_classes')
    const truth = answers.get(id ?? null)
    if (typeof id !== 'string') throw new BfclDataError(name, '?', 'a case without id')
    if (!(config instanceof PyDict)) throw new BfclDataError(name, id, 'initial_config is not an object')
    if (!isTexts(classes)) throw new BfclDataError(name, id, 'involved_classes is not a list of strings')
    if (!Array.isArray(truth) || !truth.every(isTexts)) throw new BfclDataError(name, id, 'no ground truth by turn')
    return { id, classes, config, truth, entry }
  })
}

async function lines(file: string, name: string): Promise<PyDict[]> {
  const content = await readFile(file, 'utf8')
  return content
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const value = parsePythonJson(line)
      if (!(value instanceof PyDict)) throw new BfclDataError(name, '?', 'a line is not an object')
      return value
    })
}

/** Says whether a value is a list of strings. */
export function isTexts(value: PyValue | undefined): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
