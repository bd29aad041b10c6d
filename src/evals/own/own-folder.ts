import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import type { JsonObject, ToolSpec } from '../../chat/types.js'
import { ask } from '../runner/ask.js'
import type { EvalCase, Score, Suite } from '../runner/suite.js'
import { deepEqual } from './equal.js'
import { contentVersion, type OwnCall, sameTools, shown } from './replay-suite.js'

const json = z.record(z.string(), z.json())
const toolSchema = z.strictObject({
  name: z.string().min(1),
  description: z.string(),
  parameters: json.default({ type: 'object', properties: {} }),
})
const caseSchema = z.strictObject({
  id: z.string().optional(),
  ask: z.string().min(1),
  system: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  /** Calls that must be made, in this order; an empty list: none. */
  calls: z.array(z.strictObject({ tool: z.string(), arguments: json.optional() })).optional(),
  /** Texts that the answer must hold, whatever their case. */
  says: z.array(z.string()).optional(),
})

/** The user's folder of tools and cases cannot be read. */
export class OwnFolderError extends Error {
  override readonly name = 'OwnFolderError'
  readonly code = 'own-folder'
  constructor(
    readonly where: string,
    reason: string,
  ) {
    super(
      `${where}: ${reason}. A folder holds cases.yaml (a list of {ask, calls: [{tool, arguments}], says}) and, ` +
        'for calls, tools.yaml (a list of {name, description, parameters}); both may be .json.',
    )
  }
}

type OwnCase = EvalCase & Pick<z.infer<typeof caseSchema>, 'ask' | 'system' | 'calls' | 'says'>
type OwnOutcome = { text: string; calls: { name: string; arguments: JsonObject }[] }

/**
 * The user's own tools and cases as a suite. The model is shown all tools of the folder; nothing is run. Without
 * `arguments` a call counts by its tool alone; arguments that are given must be equal, others are free.
 * @throws OwnFolderError
 */
export function ownSuite(folder: string): Suite<OwnCase, OwnOutcome> {
  const tools = read(folder, 'tools', z.array(toolSchema), true) ?? []
  const cases = (read(folder, 'cases', z.array(caseSchema), false) ?? []).map(
    ({ labels, ...one }, at): OwnCase => ({ ...one, id: one.id ?? `case-${at + 1}`, ...(labels ? { labels } : {}) }),
  )
  const names = new Set(tools.map(({ name }) => name))
  const seen = new Set<string>()
  for (const { id, calls, says } of cases) {
    if (seen.has(id)) throw new OwnFolderError(folder, `two cases are called ${id}`)
    seen.add(id)
    if (calls === undefined && says === undefined)
      throw new OwnFolderError(folder, `${id} expects neither calls nor says`)
    const unknown = calls?.find(({ tool }) => !names.has(tool))
    if (unknown) throw new OwnFolderError(folder, `${id} expects ${unknown.tool}, which tools does not have`)
  }
  return {
    name: 'own',
    version: contentVersion([tools, cases]),
    title: 'Own cases',
    cases: async () => cases,
    run: async (one, context) => {
      const turn = await ask(
        context,
        [
          ...(one.system === undefined ? [] : [{ role: 'system' as const, content: one.system }]),
          { role: 'user' as const, content: one.ask },
        ],
        { tools: tools as unknown as readonly ToolSpec[] },
      )
      return { text: turn.content, calls: turn.calls.map(({ name, arguments: given }) => ({ name, arguments: given })) }
    },
    score: scoreOwn,
  }
}

/** Right when the calls are those expected and the answer says what it must. */
export function scoreOwn(one: Pick<OwnCase, 'calls' | 'says'>, outcome: OwnOutcome): Score {
  const wanted = one.calls?.map(({ tool, arguments: given }) => ({ name: tool, given: given ?? {} }))
  const tools = wanted === undefined || sameTools(wanted, outcome.calls)
  const wrong = wanted?.findIndex(({ given }, at) =>
    Object.entries(given).some(([key, value]) => !deepEqual(value, outcome.calls[at]?.arguments[key])),
  )
  const unsaid = (one.says ?? []).filter((text) => !outcome.text.toLowerCase().includes(text.toLowerCase()))
  const right = tools && (wrong === undefined || wrong < 0) && unsaid.length === 0
  const calls = outcome.calls as readonly OwnCall[]
  return {
    value: Number(right),
    ...(wanted === undefined ? {} : { metrics: { tools: Number(tools) } }),
    reason: right ? 'as expected' : unsaid.length > 0 ? `not said: ${unsaid.join(', ')}` : `called ${shown(calls)}`,
  }
}

function read<T>(folder: string, name: string, schema: z.ZodType<T>, optional: boolean): T | undefined {
  const file = [`${name}.yaml`, `${name}.yml`, `${name}.json`]
    .map((one) => join(folder, one))
    .find((one) => existsSync(one))
  if (file === undefined) {
    if (optional) return undefined
    throw new OwnFolderError(folder, `there is no ${name}.yaml`)
  }
  let value: unknown
  try {
    value = parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new OwnFolderError(file, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new OwnFolderError(file, `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not valid'}`.trim())
}
