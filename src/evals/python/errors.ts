/** Names of the Python exceptions that scorers' verdicts depend on. */
export type PyErrorType =
  | 'AssertionError'
  | 'AttributeError'
  | 'IndentationError'
  | 'IndexError'
  | 'JSONDecodeError'
  | 'KeyError'
  | 'MemoryError'
  | 'NameError'
  | 'OverflowError'
  | 'ParseError'
  | 'RecursionError'
  | 'SyntaxError'
  | 'TypeError'
  | 'ValueError'
  | 'ZeroDivisionError'
  | 'Exception'

/** What Python would raise at this point: the class by its name and its message. */
export class PyError extends Error {
  override readonly name = 'PyError'
  readonly code = 'python-error'
  constructor(
    /** The exception's class. */
    readonly type: PyErrorType,
    message: string,
  ) {
    super(message)
  }
}
