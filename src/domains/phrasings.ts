import { readFileSync } from 'node:fs'
import { z } from 'zod'

/**
 * Ways people ask for the tools of this package, by tool; read by the shortlist. Drawn from the training requests of
 * HWU64, SLURP and Snips and from generated ones (src/training/data/build-phrasings.ts makes the file; attribution in
 * the embedded model's card).
 */
export function toolPhrasings(): { readonly [tool: string]: readonly string[] } {
  const file = new URL('./phrasings.json', import.meta.url)
  return z.record(z.string(), z.array(z.string())).parse(JSON.parse(readFileSync(file, 'utf8')))
}
