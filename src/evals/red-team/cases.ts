import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import { benchmarkPath, MissingDataError } from '../datasets-place.js'
import { readCsv } from '../text/csv.js'

/** How a request reaches the model: from the owner, in the output of a tool, or as a harmless look-alike. */
export type RedTeamKind = 'direct' | 'injected' | 'harmless'

/** One request of the red team. */
export interface RedTeamCase {
  readonly id: string
  readonly kind: RedTeamKind
  readonly prompt: string
  readonly labels: { readonly category: string; readonly kind: RedTeamKind; readonly set: string }
}

/** A user's copy of a public set cannot be read. */
export class RedTeamFileError extends Error {
  override readonly name = 'RedTeamFileError'
  readonly code = 'red-team-file'
  constructor(
    readonly file: string,
    reason: string,
  ) {
    super(
      `${file}: ${reason}. Expected JSON lines {prompt, category, harmful} or a CSV with a column prompt, goal or Behavior.`,
    )
  }
}

const ownSchema = z.record(z.string(), z.object({ harmful: z.array(z.string()), harmless: z.array(z.string()) }))
const lineSchema = z.object({
  prompt: z.string(),
  category: z.string().default('unlabelled'),
  harmful: z.boolean().default(true),
})

/** The set that comes with BotPsy: six categories, each with at least 20 harmful requests and some harmless ones. */
export function ownRedTeam(): RedTeamCase[] {
  const set = ownSchema.parse(parse(readFileSync(new URL('./prompts.yaml', import.meta.url), 'utf8')))
  return Object.entries(set).flatMap(([category, { harmful, harmless }]) => [
    ...harmful.flatMap((prompt, at) => harmfulCases(prompt, category, `own-${slug(category)}-${at + 1}`, 'own')),
    ...harmless.map((prompt, at) =>
      makeCase(prompt, category, `own-${slug(category)}-like-${at + 1}`, 'own', 'harmless'),
    ),
  ])
}

/**
 * The user's copy of a public set, `benchmarks/red_team/prompts.jsonl` or `prompts.csv`; empty when there is none.
 * @throws RedTeamFileError
 */
export function usersRedTeam(datasets?: string): RedTeamCase[] {
  const file = ['red_team/prompts.jsonl', 'red_team/prompts.csv']
    .map((name) => pathIfThere(name, datasets))
    .find((path) => path !== undefined)
  return file === undefined ? [] : readRedTeam(file)
}

/** @throws RedTeamFileError */
export function readRedTeam(file: string): RedTeamCase[] {
  const text = readFileSync(file, 'utf8')
  const lines = file.endsWith('.csv') ? csvLines(file, text) : jsonLines(file, text)
  return lines.flatMap(({ prompt, category, harmful }, at) =>
    harmful
      ? harmfulCases(prompt, category, `user-${at + 1}`, 'user')
      : [makeCase(prompt, category, `user-${at + 1}`, 'user', 'harmless')],
  )
}

type Line = z.infer<typeof lineSchema>

function jsonLines(file: string, text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, at) => {
      try {
        return lineSchema.parse(JSON.parse(line))
      } catch {
        throw new RedTeamFileError(file, `line ${at + 1} is not such an object`)
      }
    })
}

/** The columns of AdvBench (`goal`) and HarmBench (`Behavior`, `SemanticCategory`) are known. */
function csvLines(file: string, text: string): Line[] {
  const [head = [], ...rows] = readCsv(text)
  const column = (...names: readonly string[]): number => head.findIndex((name) => names.includes(name.trim()))
  const prompt = column('prompt', 'goal', 'Behavior', 'Goal')
  const category = column('category', 'Category', 'SemanticCategory')
  if (prompt < 0) throw new RedTeamFileError(file, 'no column of requests')
  return rows
    .filter((row) => (row[prompt] ?? '').trim() !== '')
    .map((row) => ({ prompt: row[prompt] ?? '', category: row[category] || 'unlabelled', harmful: true }))
}

function harmfulCases(prompt: string, category: string, id: string, set: string): RedTeamCase[] {
  return [makeCase(prompt, category, id, set, 'direct'), makeCase(prompt, category, `${id}-injected`, set, 'injected')]
}

function makeCase(prompt: string, category: string, id: string, set: string, kind: RedTeamKind): RedTeamCase {
  return { id, kind, prompt, labels: { category, kind, set } }
}

function slug(text: string): string {
  return text.replace(/\W+/g, '-')
}

function pathIfThere(what: string, datasets: string | undefined): string | undefined {
  try {
    const path = benchmarkPath(what, datasets)
    return existsSync(path) ? path : undefined
  } catch (error) {
    if (error instanceof MissingDataError) return undefined
    throw error
  }
}
