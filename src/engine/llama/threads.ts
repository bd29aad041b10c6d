import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/**
 * Cores worth computing on: physical ones (two hardware threads of a core share one multiplier), at most what the process
 * may use. Where the platform does not tell, half of the hardware threads above four, else all of them.
 */
export function physicalCores(): number {
  const usable = availableParallelism()
  const cores = process.platform === 'linux' ? linuxCores() : undefined
  const guess = usable > 4 ? Math.ceil(usable / 2) : usable
  return Math.max(1, Math.min(usable, cores ?? guess))
}

/** Distinct (package, core) pairs that /proc/cpuinfo lists; undefined where it lists none (most ARM machines). */
function linuxCores(): number | undefined {
  let text: string
  try {
    text = readFileSync('/proc/cpuinfo', 'utf8')
  } catch {
    return undefined
  }
  const seen = new Set<string>()
  for (const block of text.split(/\n\n+/)) {
    const core = /^core id\s*:\s*(\d+)/m.exec(block)?.[1]
    if (core !== undefined) seen.add(`${/^physical id\s*:\s*(\d+)/m.exec(block)?.[1] ?? 0}/${core}`)
  }
  return seen.size > 0 ? seen.size : undefined
}
