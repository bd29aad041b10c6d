import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'

/**
 * True when the process with this id that wrote something at a time still exists on this machine (also one of another
 * user). Ids are given again: a process that began after that time is another one.
 *
 * @param since milliseconds since 1970 at which the process was alive
 */
export function processLives(pid: number, since: number, now: number = Date.now()): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  const booted = now - uptime() * 1000
  const began = booted + (ticksSinceBoot(pid) ?? 0) * 10
  // The clocks differ by less than this; a wrong "lives" only leaves a run alone, so the doubt goes there.
  return began <= since + 5000
}

/** Start of a process in hundredths of a second after the boot, where Linux tells (proc(5), `stat`, field 22). */
function ticksSinceBoot(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19])
    return Number.isFinite(ticks) ? ticks : undefined
  } catch {
    return undefined
  }
}
