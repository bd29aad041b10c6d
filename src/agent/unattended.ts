import type { JournalBody } from './journal-entry.js'

/** What stands for the model in the journal where no model took part. */
export const NO_MODEL = {
  /** Something rang, or was reported. */
  service: 'service',
  /** An automation did its fixed action. */
  automation: 'automation',
} as const

/** Whether a run was begun by the service and not by the owner: not what "go on" means, and no model may go on with it. */
export function isUnattended(body: JournalBody): boolean {
  return body.type === 'run.start' && (body.model === NO_MODEL.service || body.model === NO_MODEL.automation)
}
