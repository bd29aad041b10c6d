import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import { FIELDS } from '../tools/contract.js'
import { DEFAULT_POLICY, type PolicyRow } from './policy.js'

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

const rowSchema = z.strictObject({
  effect: z.enum(['read', 'write', 'irreversible']),
  egress: z.enum(['none', 'out', 'any']),
  provenance: z.enum(['clean', 'tainted', 'any']),
  decision: z.enum(['allow', 'ask', 'deny']),
  why: z.string().min(1),
})

/** What the owner's file says: the table that decides, and the rules after it. */
export interface PolicyFile {
  readonly table: readonly PolicyRow[]
  /** False when the file has no table of its own. */
  readonly ownTable: boolean
  readonly rules: readonly PolicyRule[]
}

/** What a new rules file says, for owners who open it. */
export const POLICY_TEMPLATE = `# What BotPsy may do. \`botpsy policy\` shows all of it in words, \`botpsy policy check\` looks for mistakes.
#
# First the table decides: what a call does (read, write, irreversible), whether something leaves this device (egress),
# and whether text from outside (mail, web pages) had a part in it (provenance: tainted). The first row that fits counts.
# Take the marks away to change it; every case must be covered, and no row may allow a change, or a look that lets
# something out, that text from outside had a part in.
#
# table:
${DEFAULT_POLICY.map(
  (row) =>
    `#   - { effect: ${row.effect}, egress: ${row.egress}, provenance: ${row.provenance}, decision: ${row.decision}, why: "${row.why}" }`,
).join('\n')}
#
# Then your rules; the last one that matches counts. "tool" and "to" may hold a *; "to" is matched with the address that
# a name stands for. A rule never lifts an ask that text from outside makes necessary.
#
# rules:
#   - { tool: email_send, to: "*@example.org", decision: allow }
#   - { field: finance, effect: write, decision: ask }
#   - { tool: file_trash, decision: deny }
rules: []
`

/**
 * Reads and checks the owner's rules. A missing file means no rules.
 * @param file path of a YAML file, as {@link loadPolicy} reads it
 * @throws PolicyFileError with the failing rule
 */
export function loadPolicyRules(file: string): PolicyRule[] {
  return [...loadPolicy(file).rules]
}

/**
 * Reads and checks the owner's policy file. A missing file means the default table and no rules.
 * @param file path of a YAML file with a list `rules` and, where it differs from the default, a list `table`
 * @throws PolicyFileError with the failing row or rule
 */
export function loadPolicy(file: string): PolicyFile {
  const bare: PolicyFile = { table: DEFAULT_POLICY, ownTable: false, rules: [] }
  if (!existsSync(file)) return bare
  let content: unknown
  try {
    content = parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new PolicyFileError(file, `${file} cannot be read as YAML: ${error instanceof Error ? error.message : error}`)
  }
  if (content === null || content === undefined) return bare
  const outer = z
    .strictObject({
      rules: z.array(z.unknown()).nullable().optional(),
      table: z.array(z.unknown()).min(1).nullable().optional(),
    })
    .safeParse(content)
  if (!outer.success) {
    throw new PolicyFileError(
      file,
      `${file} must hold a list called "rules" and may hold one called "table"; nothing else.`,
    )
  }
  const rules = (outer.data.rules ?? []).map((rule, index) => checked(ruleSchema, rule, `${file}, rule ${index + 1}`))
  if (!outer.data.table) return { ...bare, rules }
  const table = outer.data.table.map((row, index) => checked(rowSchema, row, `${file}, table row ${index + 1}`))
  checkTable(table, file)
  return { table, ownTable: true, rules }
}

function checked<T>(schema: z.ZodType<T>, value: unknown, place: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const where = `${place}${issue && issue.path.length > 0 ? `, ${issue.path.join('.')}` : ''}`
  throw new PolicyFileError(where, `${where}: ${issue?.message ?? 'not readable'}. Nothing runs until it is mended.`)
}

/** Every case must be decided, and none that provenance demands an ask for may be allowed. */
function checkTable(table: readonly PolicyRow[], file: string): void {
  for (const effect of ['read', 'write', 'irreversible'] as const) {
    for (const egress of ['none', 'out'] as const) {
      for (const provenance of ['clean', 'tainted'] as const) {
        const at = table.findIndex(
          (row) =>
            row.effect === effect &&
            (row.egress === 'any' || row.egress === egress) &&
            (row.provenance === 'any' || row.provenance === provenance),
        )
        const one = `${effect}, egress ${egress}, ${provenance}`
        const where = at < 0 ? `${file}, table` : `${file}, table row ${at + 1}`
        if (at < 0)
          throw new PolicyFileError(where, `${where}: no row covers "${one}". Nothing runs until it is mended.`)
        const demanded = provenance === 'tainted' && (effect !== 'read' || egress === 'out')
        if (demanded && table[at]?.decision === 'allow') {
          throw new PolicyFileError(
            where,
            `${where}: it would allow "${one}", where text from outside had a part; that always asks. Nothing runs until it is mended.`,
          )
        }
      }
    }
  }
}

/** One rule in words: what it covers and what then happens. */
export function ruleInWords({ tool, field, effect, to, decision, why }: PolicyRule): string {
  const kind =
    effect === 'read'
      ? 'looking'
      : effect === 'write'
        ? 'changes that can be undone'
        : effect === 'irreversible'
          ? 'what cannot be undone'
          : ''
  const what = [
    tool === undefined ? '' : tool.includes('*') ? `tools called ${tool}` : tool,
    kind === '' ? (tool === undefined ? 'everything' : '') : kind,
    field === undefined ? '' : `in ${field}`,
    to === undefined ? '' : `to ${to}`,
  ].filter((part) => part !== '')
  const then = {
    allow: 'runs without asking, unless text from outside had a part in it',
    ask: 'asks first',
    deny: 'never runs',
  }[decision]
  return `${what.join(', ')}: ${then}${why ? ` (${why})` : ''}`
}
