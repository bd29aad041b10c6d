import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import { FIELDS } from '../tools/contract.js'

/** A rules file that cannot be used. The run does not start: guessing what the owner meant could let something through. */
export class PolicyFileError extends Error {
  override readonly name = 'PolicyFileError'
  readonly code = 'bad-policy'
  constructor(
    /** File and place in it. */
    readonly where: string,
    message: string,
  ) {
    super(message)
  }
}

const ruleSchema = z.strictObject({
  tool: z.string().min(1).optional(),
  field: z.enum(FIELDS).optional(),
  effect: z.enum(['read', 'write', 'irreversible']).optional(),
  to: z.string().min(1).optional(),
  decision: z.enum(['allow', 'ask', 'deny']),
  why: z.string().optional(),
})

/**
 * One rule of the owner: which calls (tool name with `*`, field, effect, recipient with `*`; what is left out matches
 * all) get which decision.
 */
export type PolicyRule = z.infer<typeof ruleSchema>

/** What a new rules file says, for owners who open it. */
export const POLICY_TEMPLATE = `# Your rules for what BotPsy may do. Without rules: reading runs, changes run and can be undone,
# and whatever cannot be undone or leaves this device asks first. The last rule that matches counts.
# A rule never lifts an ask that text from outside (mail, web pages) makes necessary.
#
# rules:
#   - { tool: email_send, to: "*@example.org", decision: allow }
#   - { field: finance, effect: write, decision: ask }
#   - { tool: file_trash, decision: deny }
rules: []
`

/**
 * Reads and checks the owner's rules. A missing file means no rules.
 * @param file path of a YAML file with a list `rules`
 * @throws PolicyFileError with the failing rule
 */
export function loadPolicyRules(file: string): PolicyRule[] {
  if (!existsSync(file)) return []
  let content: unknown
  try {
    content = parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new PolicyFileError(file, `${file} cannot be read as YAML: ${error instanceof Error ? error.message : error}`)
  }
  if (content === null || content === undefined) return []
  const outer = z.strictObject({ rules: z.array(z.unknown()).nullable().optional() }).safeParse(content)
  if (!outer.success) throw new PolicyFileError(file, `${file} must hold one list called "rules" and nothing else.`)
  return (outer.data.rules ?? []).map((rule, index) => {
    const parsed = ruleSchema.safeParse(rule)
    if (!parsed.success) {
      const issue = parsed.error.issues[0]
      const where = `${file}, rule ${index + 1}${issue && issue.path.length > 0 ? `, ${issue.path.join('.')}` : ''}`
      throw new PolicyFileError(where, `${where}: ${issue?.message ?? 'not a rule'}. Nothing runs until it is mended.`)
    }
    return parsed.data
  })
}
