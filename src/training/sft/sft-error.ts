/** What can go wrong in the SFT stage apart from the worker itself. */
export type SftErrorCode =
  | 'bad-recipe'
  | 'bad-data'
  | 'no-data'
  | 'bad-source'
  | 'bad-tokenizer'
  | 'run-exists'
  | 'run-differs'
  | 'bad-checkpoint'
  | 'diverged'

/** The SFT stage was given something that it cannot work with. */
export class SftError extends Error {
  override readonly name = 'SftError'
  constructor(
    readonly code: SftErrorCode,
    /** File (with line), folder or recipe field concerned. */
    readonly where: string,
    message: string,
    /** What to do about it. */
    readonly advice = '',
  ) {
    super(`${where}: ${message}${advice === '' ? '' : ` ${advice}`}`)
  }
}
