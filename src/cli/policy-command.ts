import type { Command } from 'commander'
import type { PolicyRow } from '../agent/policy.js'
import { loadPolicy, type PolicyFile, type PolicyRule, ruleInWords } from '../agent/policy-rules.js'
import { makeVisible } from '../agent/visible.js'
import type { ToolRegistry } from '../tools/registry.js'
import { composeData } from './compose.js'
import { UsageError } from './exit-codes.js'
import { addDataOption, type RunFlags } from './options.js'

/** Adds `policy`: the table and the owner's rules in words, and `policy check`. */
export function registerPolicyCommand(program: Command): void {
  addDataOption(program.command('policy'))
    .description('show what runs, what asks and what is forbidden; "policy check" looks for mistakes in your rules')
    .argument('[check]', 'check: look for mistakes in the rules file')
    .option('--json', 'print the table and the rules as JSON')
    .action(async (check: string | undefined, flags: RunFlags) => {
      if (check !== undefined && check !== 'check')
        throw new UsageError(`policy ${check}: use "policy" or "policy check"`)
      const data = await composeData(flags)
      try {
        const file = data.home.policy
        const policy = loadPolicy(file)
        if (check) process.stdout.write(checkText(file, policy, data.registry))
        else process.stdout.write(flags.json ? `${JSON.stringify(policy)}\n` : policyText(file, policy))
      } finally {
        data.close()
      }
    })
}

const COLUMNS = ['what it does', 'leaves the device', 'outside text', 'then', 'because'] as const

/** The table and the rules, for reading. */
export function policyText(file: string, { table, ownTable, rules }: PolicyFile): string {
  const rows = [COLUMNS, ...table.map(cells)]
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const lines = rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  )
  const own =
    rules.length === 0
      ? ['No rules of yours.']
      : [
          'Your rules; the last one that matches counts:',
          ...rules.map((rule, at) => `  ${at + 1}. ${ruleInWords(rule)}`),
        ]
  return makeVisible(
    [
      ownTable
        ? 'The table in your file; the first row that fits decides:'
        : 'The default table; the first row that fits decides:',
      ...lines,
      '',
      ...own,
      '',
      'No rule lifts an ask that text from outside makes necessary.',
      `To change any of this edit ${file}, then run "botpsy policy check".`,
      '',
    ].join('\n'),
  )
}

function cells(row: PolicyRow): string[] {
  const egress = { none: 'no', out: 'yes', any: 'either' }[row.egress]
  const provenance = { clean: 'none', tainted: 'had a part', any: 'either' }[row.provenance]
  return [row.effect, egress, provenance, row.decision, row.why]
}

/** What is doubtful in a file that can be read. */
export function checkText(file: string, { rules }: PolicyFile, registry: ToolRegistry): string {
  const notes = rules.flatMap((rule, at) =>
    doubts(rule, rules.slice(at + 1), registry).map((text) => `rule ${at + 1}: ${text}`),
  )
  const count = `${rules.length} rule${rules.length === 1 ? '' : 's'}`
  if (notes.length === 0) return `${file}: ${count}, no mistakes.\n`
  return makeVisible(
    `${file}: ${count}; can be used, but look at this:\n${notes.map((note) => `  ${note}`).join('\n')}\n`,
  )
}

function doubts(rule: PolicyRule, later: readonly PolicyRule[], registry: ToolRegistry): string[] {
  const found: string[] = []
  const tools = registry.list().filter((tool) => rule.tool === undefined || fits(rule.tool, tool.name))
  if (tools.length === 0) {
    const near = registry.closest(rule.tool ?? '', 2)
    found.push(
      `no tool is called ${rule.tool}${near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''} (one that is connected later may be)`,
    )
  } else if (rule.field !== undefined && !tools.some((tool) => tool.field === rule.field)) {
    found.push(`${rule.tool} is not in ${rule.field}, so this never matches`)
  }
  if (rule.to !== undefined && tools.length > 0 && !tools.some((tool) => tool.egress)) {
    found.push(`nothing that ${rule.tool ?? 'this'} does leaves the device, so "to" never matches`)
  }
  if (later.some((other) => covers(other, rule))) found.push('a later rule covers all of it, so this one never counts')
  return found
}

/** Does a rule match every call that another one matches? */
function covers(wide: PolicyRule, narrow: PolicyRule): boolean {
  const keys = ['tool', 'field', 'effect', 'to'] as const
  return keys.every((key) => wide[key] === undefined || wide[key] === narrow[key] || wide[key] === '*')
}

function fits(pattern: string, name: string): boolean {
  const source = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${source.join('.*')}$`, 'i').test(name)
}
