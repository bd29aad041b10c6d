/** What went wrong in the chat room. */
export type ChatErrorCode =
  /** The Jinja source does not parse. */
  | 'template-syntax'
  /** The template refused these messages or used something we do not have. */
  | 'template-failed'
  /** A message is not of the contract. */
  | 'bad-message'
  /** The template changes what it is given in a way that hides where the assistant's text stands. */
  | 'spans-unknown'

/** A failure to turn a conversation into text. `where` names the message or template part, `advice` what to do. */
export class ChatError extends Error {
  override readonly name = 'ChatError'
  constructor(
    readonly code: ChatErrorCode,
    message: string,
    readonly where: string,
    readonly advice: string,
  ) {
    super(`${message} (${where}). ${advice}`)
  }
}
