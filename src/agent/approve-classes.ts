import { FIELDS } from '../tools/contract.js'

/** A class in `--approve` that does not exist. */
export class ApproveClassError extends Error {
  override readonly name = 'ApproveClassError'
  readonly code = 'bad-class'
  constructor(
    /** The class as given. */
    readonly where: string,
    message: string,
  ) {
    super(message)
  }
}

/**
 * Reads `--approve CLASS,…`: `read`, `write`, a field (`calendar`, `device-control` …) or a tool's name. These widen a
 * stricter rules file for one run; they never cover what cannot be undone, what leaves the device, or an ask that
 * outside text made necessary.
 *
 * @param list comma-separated classes
 * @param tools names of the registered tools
 * @throws ApproveClassError
 */
export function approveClasses(list: string, tools: readonly string[]): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => {
      const field = FIELDS.find((candidate) => candidate === name || candidate.replaceAll(' ', '-') === name)
      if (field) return field
      if (name === 'read' || name === 'write' || tools.includes(name)) return name
      const irreversible = name === 'irreversible' || name === 'outgoing' || name === 'all'
      throw new ApproveClassError(
        name,
        irreversible
          ? `--approve ${name}: what cannot be undone or leaves this device is always asked; add a rule for a tool and recipient to the policy file instead.`
          : `--approve ${name}: not a class. Use read, write, a field (${FIELDS.map((f) => f.replaceAll(' ', '-')).join(', ')}) or a tool's name.`,
      )
    })
}
