import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { benchmarkPath } from '../datasets-place.js'
import { parsePythonJson } from '../python/json.js'
import { PyDict, type PyValue } from '../python/values.js'
import type { CheckedCase, FunctionDoc } from './check-calls.js'

/** A file of BFCL that does not have the documented shape. */
export class BfclDataError extends Error {
  override readonly name = 'BfclDataError'
  readonly code = 'bfcl-data'
  constructor(
    readonly file: string,
    readonly id: string,
    reason: string,
  ) {
    super(`${file}: case ${id}: ${reason}. Fetch the data set again at the pinned commit.`)
  }
}

const parameter = z.looseObject({ type: z.string(), items: z.looseObject({ type: z.string() }).optional() })
const document = z.looseObject({
  name: z.string(),
  parameters: z.looseObject({
    properties: z.record(z.string(), parameter),
    required: z.array(z.string()).default([]),
  }),
})
const caseLine = z.looseObject({ id: z.string(), function: z.array(document) })

/** Cases of single-turn categories with their accepted answers, read from the data folder once per category. */
export class BfclCases {
  readonly #folder: string
  readonly #categories = new Map<string, Promise<ReadonlyMap<string, CheckedCase>>>()

  /** @param datasets folder that holds benchmarks/ @throws MissingDataError */
  constructor(datasets?: string) {
    this.#folder = benchmarkPath('bfcl_v4/data', datasets)
  }

  /** @throws BfclDataError when the category has no such case */
  async find(category: string, id: string): Promise<CheckedCase> {
    let cases = this.#categories.get(category)
    if (!cases) {
      cases = this.#read(category)
      this.#categories.set(category, cases)
    }
    const found = (await cases).get(id)
    if (!found) throw new BfclDataError(`BFCL_v4_${category}.json`, id, 'there is no such case')
    return found
  }

  async #read(category: string): Promise<ReadonlyMap<string, CheckedCase>> {
    if (!/^[a-z_]+$/.test(category)) throw new BfclDataError(this.#folder, category, 'not the name of a category')
    const name = `BFCL_v4_${category}.json`
    const lines = await this.#lines(name)
    const answers = await this.#lines(join('possible_answer', name))
    const accepted = new Map<PyValue, PyDict[]>()
    for (const line of answers) {
      const value = parsePythonJson(line)
      if (!(value instanceof PyDict)) throw new BfclDataError(name, '?', 'an answer is not an object')
      const truth = value.get('ground_truth')
      const calls = Array.isArray(truth) ? truth.filter((call) => call instanceof PyDict) : []
      accepted.set(value.get('id') ?? null, calls)
    }
    const cases = new Map<string, CheckedCase>()
    for (const line of lines) {
      const parsed = caseLine.safeParse(JSON.parse(line))
      if (!parsed.success) throw new BfclDataError(name, '?', parsed.error.issues[0]?.message ?? 'not a case')
      const { id, function: functions } = parsed.data
      cases.set(id, { functions: functions.map(functionDoc), answers: accepted.get(id) ?? [] })
    }
    return cases
  }

  async #lines(name: string): Promise<string[]> {
    const content = await readFile(join(this.#folder, name), 'utf8')
    return content.split('\n').filter((line) => line.trim() !== '')
  }
}

function functionDoc({ name, parameters }: z.infer<typeof document>): FunctionDoc {
  const properties = new Map(
    Object.entries(parameters.properties).map(([key, { type, items }]) => [
      key,
      { type, itemType: items?.type ?? null },
    ]),
  )
  return { name, properties, required: parameters.required }
}
