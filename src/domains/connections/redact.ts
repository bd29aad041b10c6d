/** What stands in the place of a secret. */
export const HIDDEN = '‹hidden›'

/** Shorter secrets would hit ordinary words ("cat", "1234") and garble what the owner reads. */
const LEAST = 6

/** Replaces secrets in texts, in every spelling in which a server or a library may give one back. */
export class Redactor {
  readonly #spellings = new Set<string>()

  /** Adds a secret; with the user name also as HTTP Basic and SASL PLAIN write the pair (RFC 7617, RFC 4616). */
  add(secret: string, users: readonly string[] = []): void {
    if (secret.length < LEAST) return
    const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')
    const spellings = [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      base64(secret),
      ...users.flatMap((user) => [base64(`${user}:${secret}`), base64(`\0${user}\0${secret}`)]),
    ]
    for (const spelling of spellings) this.#spellings.add(spelling)
  }

  /** The text without the secrets. */
  text(text: string): string {
    let out = text
    // Longest first: a spelling may hold another one.
    for (const spelling of [...this.#spellings].sort((a, b) => b.length - a.length)) {
      if (out.includes(spelling)) out = out.replaceAll(spelling, HIDDEN)
    }
    return out
  }
}
