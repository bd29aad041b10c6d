/** A model that cannot be converted, quantised or described. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError'

  /**
   * @param code `config`: a configuration file is absent or does not fit; `unsupported`: an architecture, tensor or option that is
   *   not implemented; `shape`: a tensor's dimensions disagree with the configuration.
   * @param where File or folder.
   * @param message What is wrong and what to do.
   */
  constructor(
    readonly code: 'config' | 'unsupported' | 'shape',
    readonly where: string,
    message: string,
  ) {
    super(`${where}: ${message}`)
  }
}
