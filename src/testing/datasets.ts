import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Folder that holds benchmarks/, corpora/ and verdicts/, or undefined when BOTPSY_DATASETS is unset. */
export function datasetsFolder(): string | undefined {
  return process.env.BOTPSY_DATASETS || undefined
}

/** Folders with model files, from BOTPSY_MODELS (a list separated as PATH is); empty when unset. */
export function modelsFolders(): string[] {
  return (process.env.BOTPSY_MODELS ?? '').split(delimiter).filter((folder) => folder !== '')
}

/** First file of this name in the models folders, searched recursively. */
export function findModelFile(name: string): string | undefined {
  for (const folder of modelsFolders()) {
    if (!existsSync(folder)) continue
    const found = readdirSync(folder, { recursive: true, withFileTypes: true }).find((entry) => entry.name === name)
    if (found !== undefined) return join(found.parentPath, found.name)
  }
  return undefined
}

/**
 * Says whether a test must be skipped because something it needs is missing, for `test.skipIf(needs(…))`. Prints what is missing;
 * on a CI machine (CI=true) a missing need throws instead, so that nothing goes untested unseen.
 */
export function needs(what: string, value: unknown): boolean {
  if (value !== undefined && value !== '' && value !== false) return false
  if (process.env.CI === 'true') throw new Error(`missing for this test: ${what}`)
  process.stderr.write(`skipped: ${what} is missing\n`)
  return true
}
