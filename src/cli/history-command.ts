import type { Command } from 'commander'
import { openHome } from '../agent/home.js'
import { Journal } from '../agent/journal.js'
import type { JournalEntry } from '../agent/journal-entry.js'
import { makeVisible } from '../agent/visible.js'
import { addDataOption, positiveInteger, type RunFlags } from './options.js'
import { argumentText } from './terminal-view.js'

/** Adds `history`: what was asked, what ran, what came of it. */
export function registerHistoryCommand(program: Command): void {
  addDataOption(program.command('history'))
    .description('show what was asked, what was done, and how it ended')
    .option('-n, --number <n>', 'how many requests', positiveInteger, 10)
    .option('--json', 'print every journal entry of these requests as JSON, one a line')
    .action((flags: RunFlags & { number: number }) => {
      const journal = new Journal(openHome(flags.data).journal)
      try {
        process.stdout.write(historyText(journal, flags.number, flags.json === true))
      } finally {
        journal.close()
      }
    })
}

/** The newest requests, oldest of them first, as text or JSON lines. */
export function historyText(journal: Journal, number: number, json = false): string {
  const starts = journal.runs(number).reverse()
  if (starts.length === 0 && !json) return 'Nothing was asked yet.\n'
  return starts
    .map((start) => {
      const entries = journal.entries(start.run)
      return json ? entries.map((entry) => `${JSON.stringify(entry)}\n`).join('') : runText(entries)
    })
    .join(json ? '' : '\n')
}

function runText(entries: readonly JournalEntry[]): string {
  const lines: string[] = []
  const argumentsOf = new Map<string, string>()
  const undone = new Set(entries.flatMap(({ body }) => (body.type === 'undo.outcome' && body.ok ? [body.target] : [])))
  let ended = false
  for (const { seq, at, body } of entries) {
    if (body.type === 'run.start') lines.push(`${new Date(at).toLocaleString('sv-SE')}  ${body.request}`)
    if (body.type === 'assistant') {
      for (const call of body.toolCalls) argumentsOf.set(call.id, `${call.name}${argumentText(call.arguments)}`)
    }
    if (body.type === 'approval') lines.push(`  approval ${body.answer}: ${argumentsOf.get(body.call) ?? body.call}`)
    if (body.type === 'outcome') {
      const note = undone.has(seq) ? ' (undone)' : body.undo ? ` (undo ${seq})` : ''
      lines.push(`  ${body.ok ? '✓' : '✗'} ${argumentsOf.get(body.call) ?? body.name}${note}`)
    }
    if (body.type === 'refused')
      lines.push(`  ✗ ${argumentsOf.get(body.call) ?? body.name}: ${body.content.split('\n')[0]}`)
    if (body.type === 'run.end') {
      ended = true
      lines.push(`  ${body.status === 'done' ? '' : `[${body.status}] `}${body.text.split('\n').join('\n  ')}`)
    }
  }
  if (!ended) lines.push('  [not finished]')
  return `${makeVisible(lines.join('\n'))}\n`
}
