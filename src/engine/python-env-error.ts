/** What can go wrong while the Python environment is found or made. */
export type PythonEnvErrorCode =
  | 'no-python'
  | 'old-python'
  | 'no-venv'
  | 'bad-interpreter'
  | 'no-requirements'
  | 'busy'
  | 'install-failed'
  | 'aborted'

/** The training environment could not be found or made. */
export class PythonEnvError extends Error {
  override readonly name = 'PythonEnvError'
  constructor(
    readonly code: PythonEnvErrorCode,
    /** The file, folder or command concerned. */
    readonly where: string,
    message: string,
    /** What the user can do about it. */
    readonly advice: string,
  ) {
    super(`${message} ${advice}`)
  }
}
