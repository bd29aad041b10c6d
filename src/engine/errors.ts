/** What went wrong in an engine, as a program can tell it apart. */
export type EngineErrorCode =
  /** The model file is missing, damaged or of an architecture that the engine cannot run. */
  | 'load'
  /** No native build of llama.cpp fits this machine. */
  | 'no-native-build'
  /** The native process ended while it was working on the request. */
  | 'crashed'
  /** The prompt does not fit the context. */
  | 'context-full'
  /** The request contradicts itself or asks for what the model or the engine cannot do. */
  | 'bad-request'
  /** The grammar is not valid, or the model could not continue under it. */
  | 'grammar'
  /** The engine was closed. */
  | 'closed'
  /** The endpoint could not be reached, or the connection broke. */
  | 'network'
  /** The endpoint did not accept the credentials. */
  | 'unauthorized'
  /** The endpoint asks to come back later, and did so until patience ended. */
  | 'rate-limited'
  /** The endpoint answered with an error or with something that is not the protocol. */
  | 'endpoint'
  /** The caller's signal. */
  | 'aborted'
  /** A defect in the engine itself. */
  | 'internal'

/** Failure of an engine, with what the user can do about it in the message. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  /** HTTP status, when an endpoint answered with one. */
  readonly status?: number

  constructor(
    readonly code: EngineErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly status?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    if (options.status !== undefined) this.status = options.status
  }
}
