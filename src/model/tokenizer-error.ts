/** A tokenizer file that cannot be read, or uses a feature that is not implemented. */
export class TokenizerError extends Error {
  override readonly name = 'TokenizerError'

  /**
   * @param code `format`: the file contradicts itself or its format; `unsupported`: a valid file, but of a kind that is not
   *   implemented (byte-level BPE is); `id`: a token id outside the vocabulary.
   * @param message What is wrong and where.
   */
  constructor(
    readonly code: 'format' | 'unsupported' | 'id',
    message: string,
  ) {
    super(message)
  }
}
