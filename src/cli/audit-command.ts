import type { Command } from 'commander'
import { type AuditedCall, type AuditedRun, audit } from '../agent/audit.js'
import { openHome } from '../agent/home.js'
import { Journal } from '../agent/journal.js'
import { rescueJournal } from '../agent/rescue.js'
import { makeVisible } from '../agent/visible.js'
import { UsageError } from './exit-codes.js'
import { addDataOption, positiveInteger, type RunFlags } from './options.js'
import { valueText } from './terminal-view.js'

interface AuditFlags extends RunFlags {
  readonly run?: string
  readonly last: number
  readonly rescue?: boolean
}

/** Adds `audit`: what ran, who approved it, by which rule, from what each argument came, and what was refused and why. */
export function registerAuditCommand(program: Command): void {
  addDataOption(program.command('audit'))
    .description('show what ran, who approved it, by which rule, and where each value came from')
    .option('--run <id>', 'one request, by its id or the beginning of it')
    .option('--last <n>', 'how many requests', positiveInteger, 10)
    .option('--json', 'print each request as JSON, one a line')
    .option('--rescue', 'save what can be read of a damaged journal; a copy of it is kept')
    .action((flags: AuditFlags) => {
      const home = openHome(flags.data)
      process.stdout.write(flags.rescue ? rescueText(home.journal) : auditOf(home.journal, flags))
    })
}

function auditOf(file: string, flags: AuditFlags): string {
  const journal = new Journal(file)
  try {
    const runs = audit(journal, flags.run === undefined ? { last: flags.last } : { run: flags.run })
    if (flags.run !== undefined && runs.length === 0)
      throw new UsageError(`There is no request ${flags.run} in ${file}.`)
    if (flags.json) return runs.map((run) => `${JSON.stringify(run)}\n`).join('')
    return runs.length === 0 ? 'Nothing was asked yet.\n' : runs.map(auditText).join('\n')
  } finally {
    journal.close()
  }
}

/** One request as a person reads it. Hidden characters are visible. */
export function auditText(run: AuditedRun): string {
  const lines = [
    `${new Date(run.at).toLocaleString('sv-SE')}  ${run.request}`,
    `  request ${run.run}, model ${run.model}`,
  ]
  for (const { label } of run.outside) lines.push(`  outside text from the beginning: ${label}`)
  for (const call of run.calls) lines.push(...callLines(call))
  if (run.calls.length === 0) lines.push('  nothing was called')
  lines.push(run.status === undefined ? '  not finished' : `  ended: ${run.status}${run.stop ? ` (${run.stop})` : ''}`)
  return `${makeVisible(lines.join('\n'))}\n`
}

const SIGNS = { ran: '✓', failed: '✗', refused: '✗', unknown: '?' } as const

function callLines(call: AuditedCall): string[] {
  const lines = [`  ${SIGNS[call.outcome]} ${call.tool} (${call.effect ?? 'not judged'}): ${call.said}`]
  for (const [name, { value, from }] of Object.entries(call.arguments)) {
    lines.push(`      ${name}: ${valueText(value)}   [from ${from}]`)
  }
  if (call.egress)
    lines.push(
      `      ${call.outcome === 'ran' ? 'left' : 'would leave'} this device: ${call.egress.what}, to ${call.egress.to.join(', ')}`,
    )
  if (call.rule) lines.push(`      ${WORDS[call.decision ?? 'allow']} by ${call.rule}: ${call.why ?? ''}`)
  if (call.approval) lines.push(`      ${APPROVALS[call.approval]}`)
  if (call.refusal) lines.push(`      not run: ${call.refusal}`)
  if (call.outside) lines.push(`      brought in outside text: ${call.outside}`)
  if (call.taintedBy) lines.push(`      carries outside text from ${call.taintedBy}`)
  if (call.undone) lines.push('      taken back later')
  return lines
}

const WORDS = { allow: 'allowed', ask: 'asked', deny: 'forbidden' } as const
const APPROVALS = {
  allow: 'you approved it',
  deny: 'you declined it',
  nobody: 'nobody could be asked',
  expired: 'your answer came too late',
} as const

function rescueText(file: string): string {
  const { backup, kept, missing, ended } = rescueJournal(file)
  const lost = missing.reduce((sum, [from, to]) => sum + to - from + 1, 0)
  const ranges = missing.slice(0, 10).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`))
  return [
    `The journal as it was: ${backup}`,
    `${kept} entries are kept${lost === 0 ? '; none is missing between the first and the last' : `; ${lost} could not be read (${ranges.join(', ')})`}.`,
    ...(ended.length === 0
      ? []
      : [
          `${ended.length} interrupted request${ended.length === 1 ? ' was' : 's were'} ended, so that nothing happens twice: check what had been done.`,
        ]),
    '',
  ].join('\n')
}
