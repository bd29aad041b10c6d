/** A safetensors file or sharded checkpoint that cannot be used. */
export class SafetensorsError extends Error {
  override readonly name = 'SafetensorsError'

  /**
   * @param code `format`: it contradicts itself or the format; `truncated`: it ends before what it announces; `unsupported`: a type
   *   that is not implemented; `missing`: a tensor or shard is absent.
   * @param file Path of the file.
   * @param message What is wrong and where.
   */
  constructor(
    readonly code: 'format' | 'truncated' | 'unsupported' | 'missing',
    readonly file: string,
    message: string,
  ) {
    super(`${file}: ${message}`)
  }
}
