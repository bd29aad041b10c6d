import type { JsonObject } from '../chat/types.js'
import type { ConnectionAdapter } from '../domains/connections/index.js'

/** What the owner answered. */
export interface ConnectionAnswers {
  readonly answers: { readonly [name: string]: string }
  readonly secret: string | undefined
}

/**
 * Asks an adapter's questions in the terminal; what was given already is not asked. Suggestions are what is kept now,
 * else what the adapter derives from the answers before.
 * @returns undefined when the owner stops
 */
export async function askInTerminal(
  adapter: ConnectionAdapter,
  given: { readonly [name: string]: string },
  givenSecret: string | undefined,
  kept: JsonObject | undefined,
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
): Promise<ConnectionAnswers | undefined> {
  const { isCancel, password, text } = await import('@clack/prompts')
  const answers = new Map(Object.entries(given))
  let secret = givenSecret
  for (const { name, prompt, secret: hidden, optional, suggest } of adapter.questions) {
    const message = optional ? `${prompt} (may be left empty)` : prompt
    const validate = (value: string | undefined) =>
      !optional && (value ?? '').trim() === '' ? 'An answer is needed here.' : undefined
    if (hidden) {
      if (secret !== undefined) continue
      const said = await password({ message, validate, input, output })
      if (isCancel(said)) return undefined
      secret = said === undefined || said === '' ? undefined : said
      continue
    }
    if (answers.has(name)) continue
    const now = kept?.[name]
    const suggestion =
      typeof now === 'string' || typeof now === 'number' || typeof now === 'boolean'
        ? String(now)
        : suggest?.(Object.fromEntries(answers))
    const said = await text({
      message,
      validate,
      input,
      output,
      ...(suggestion === undefined ? {} : { initialValue: suggestion }),
    })
    if (isCancel(said)) return undefined
    if (said !== undefined && said.trim() !== '') answers.set(name, said.trim())
  }
  return { answers: Object.fromEntries(answers), secret }
}
