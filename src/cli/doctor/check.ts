import { HomeError } from '../../agent/home.js'

/** One line of the doctor: what was looked at, how it is, what to do. */
export interface Check {
  /** What was looked at: "node", "journal", "connection caldav". */
  readonly name: string
  /** `info` is neither well nor ill: nothing has to be done. */
  readonly state: 'ok' | 'bad' | 'info'
  readonly text: string
  /** Present when `state` is `bad`. */
  readonly todo?: string
}

/** A check that is well. */
export const well = (name: string, text: string): Check => ({ name, state: 'ok', text })
/** A check that found nothing to do. */
export const info = (name: string, text: string): Check => ({ name, state: 'info', text })
/** A check that needs the owner. */
export const ill = (name: string, text: string, todo: string): Check => ({ name, state: 'bad', text, todo })

/** Runs a check; whatever it throws is its outcome. */
export async function guard(name: string, todo: string, work: () => Promise<Check> | Check): Promise<Check> {
  try {
    return await work()
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return ill(name, text.split('\n')[0] ?? '', error instanceof HomeError ? 'Name another folder with --data.' : todo)
  }
}

/** A check as the owner reads it. */
export function checkText({ name, state, text, todo }: Check): string {
  const sign = { ok: '✓', bad: '✗', info: '·' }[state]
  return `${sign} ${name}: ${text}${todo === undefined ? '' : `\n    → ${todo}`}`
}
