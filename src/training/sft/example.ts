/** A conversation as the worker is shown it; T tokens, S assistant turns. */
export interface TokenisedExample {
  /** Token ids, T. */
  readonly tokens: Int32Array
  /** Loss weight of predicting each token, T; the first is 0. */
  readonly weights: Float32Array
  /** First and one-past-last token of each assistant turn that is taught, 2·S. */
  readonly turns: Int32Array
}

/** Examples that are made when they are needed; none when nothing of the conversation fits the length limit. */
export type LazyExample = () => readonly TokenisedExample[]
