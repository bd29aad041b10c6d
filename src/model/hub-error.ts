/** A download from the model hub that failed. What was received stays, so that the next try goes on from there. */
export class HubError extends Error {
  override readonly name = 'HubError'

  /**
   * @param code `network`: the connection failed repeatedly; `status`: the server refused; `checksum`: the file is not the one that
   *   was asked for (it is removed); `aborted`: the caller's signal.
   * @param url What was asked for.
   * @param message What happened and what to do.
   */
  constructor(
    readonly code: 'network' | 'status' | 'checksum' | 'aborted',
    readonly url: string,
    message: string,
  ) {
    super(`${url}: ${message}`)
  }
}
