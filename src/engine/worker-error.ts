/** The worker refused or failed a request (trainer/PROTOCOL.md, "Errors"). */
export class WorkerError extends Error {
  override readonly name = 'WorkerError'
  constructor(
    /** The worker's code, e.g. `bad_batch`, `out_of_memory`. */
    readonly code: string,
    /** HTTP status: 4xx changed nothing; after 5xx the model's gradients are undefined. */
    readonly status: number,
    /** The field or stage concerned. */
    readonly where: string,
    message: string,
    /** What to do about it. */
    readonly help: string,
  ) {
    super(`${message}${where === '' ? '' : ` (${where})`}${help === '' ? '' : `. ${help}`}`)
  }
}

/** Why a worker process cannot answer any more. */
export type WorkerCrashCode = 'start-failed' | 'start-timeout' | 'crashed' | 'stopped' | 'bad-answer'

/** The worker process did not start, died, or was stopped while a request waited. Work since the last save is lost. */
export class WorkerCrashError extends Error {
  override readonly name = 'WorkerCrashError'
  constructor(
    readonly code: WorkerCrashCode,
    message: string,
    /** Last lines that the worker wrote to stderr. */
    readonly stderrTail: string,
  ) {
    super(stderrTail === '' ? message : `${message}\nThe worker's last lines:\n${stderrTail}`)
  }
}
