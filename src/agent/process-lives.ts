import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'

/**
 * Which process of its id this is: the boot and the moment after it at which it began, where Linux tells. Unlike the time
 * of day it does not change when the clock is set.
 */
export function processBirth(pid: number = process.pid): string | undefined {
  const ticks = ticksSinceBoot(pid)
  if (ticks === undefined) return undefined
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${ticks}`
  } catch {
    return undefined
  }
}

/**
 * True when the process with this id that wrote something at a time still exists on this machine (also one of another
 * user). Ids are given again: a process that began after that time is another one.
 *
 * @param since milliseconds since 1970 at which the process was alive
 * @param born what {@link processBirth} said of it; then no clock is needed
 */
export function processLives(pid: number, since: number, now: number = Date.now(), born?: string): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  const birth = born === undefined ? undefined : processBirth(pid)
  if (birth !== undefined) return birth === born
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
