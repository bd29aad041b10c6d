/** Budgets of one run. A run that meets one stops and says so. */
export interface Limits {
  /** Model turns. */
  readonly steps: number
  /** Generated tokens over all turns. */
  readonly tokens: number
  /** Generated tokens of one turn. */
  readonly turnTokens: number
  /** Times that the model may mend a call that could not be read or run. */
  readonly repairs: number
  /** Milliseconds that one tool call may take. */
  readonly callMs: number
  /** Share of the context that one tool result may fill. */
  readonly resultShare: number
  /** Share of the context that the conversation may fill before it is compacted. */
  readonly historyShare: number
  /** Milliseconds after which an interrupted run is not gone on with, only settled. */
  readonly resumeMs: number
  /** Calls of one turn; later ones are refused. */
  readonly callsPerTurn: number
}

/** Budgets unless told otherwise. */
export const DEFAULT_LIMITS: Limits = {
  steps: 10,
  tokens: 8192,
  turnTokens: 2048,
  repairs: 3,
  callMs: 120_000,
  resultShare: 0.25,
  historyShare: 0.6,
  resumeMs: 15 * 60 * 1000,
  callsPerTurn: 16,
}
