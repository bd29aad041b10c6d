/** A GGUF file that cannot be used: broken, made to mislead, or of a kind that is not implemented. */
export class GgufError extends Error {
  override readonly name = 'GgufError'

  /**
   * @param code `format`: not a GGUF file or one that contradicts itself; `truncated`: it ends before what it announces;
   *   `unsupported`: valid, but a version, byte order or type that is not implemented; `missing`: a key or tensor is absent.
   * @param file Path of the file.
   * @param message What is wrong, where, and what to do.
   */
  constructor(
    readonly code: 'format' | 'truncated' | 'unsupported' | 'missing',
    readonly file: string,
    message: string,
  ) {
    super(`${file}: ${message}`)
  }
}
