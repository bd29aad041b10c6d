import type { Estimate } from '../bootstrap.js'
import type { Comparison } from './compare-runs.js'
import type { RunFigures } from './run-figures.js'

/** A share with its interval: `85.1% [83.7, 86.6]`. */
export function formatShare({ mean, low, high }: Estimate): string {
  return `${percent(mean)} [${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`
}

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`

const line = (name: string, text: string): string => `  ${name.padEnd(22)} ${text}`

/** The figures of one run for a terminal. */
export function formatRun(figures: RunFigures): string {
  const { header, tokens } = figures
  const out = [
    `${header.title}: ${header.model}, ${figures.cases} cases${header.trials > 1 ? ` × ${header.trials} trials` : ''}`,
    ...header.notes.map((note) => `  note: ${note}`),
    line('score', formatShare(figures.score)),
  ]
  for (const [name, estimate] of Object.entries(figures.metrics)) out.push(line(name, formatShare(estimate)))
  for (const { name, value, note } of figures.aggregates)
    out.push(line(name, `${percent(value)}${note ? `  (${note})` : ''}`))
  for (const { j, all, any } of figures.passes)
    out.push(line(`pass^${j} / pass@${j}`, `${formatShare(all)} / ${formatShare(any)}`))
  if (figures.judged > 0) out.push(line('given by a judge', percent(figures.judged)))
  out.push(
    line('loop rate', percent(figures.loopRate)),
    line(
      'tokens a case',
      `${tokens.outputPerCase.toFixed(1)} out, ${(tokens.promptTokens / Math.max(1, figures.records)).toFixed(0)} in (${percent(tokens.promptTokens === 0 ? 0 : tokens.cachedTokens / tokens.promptTokens)} cached)`,
    ),
    line(
      'tokens a right answer',
      tokens.outputPerCorrect === undefined
        ? 'none was right'
        : `${tokens.outputPerCorrect.toFixed(1)}${tokens.reasoningTokens > 0 ? `, reasoning ${percent(tokens.reasoningTokens / Math.max(1, tokens.outputTokens))}` : ''}`,
    ),
    line('time a case', `p50 ${tokens.msP50.toFixed(0)} ms, p95 ${tokens.msP95.toFixed(0)} ms`),
  )
  for (const label of new Set(figures.groups.map((group) => group.label))) {
    const rows = figures.groups.filter((group) => group.label === label)
    if (rows.length < 2) continue
    out.push('', `  ${label.padEnd(28)}    n   score`)
    for (const { value, score } of rows)
      out.push(`  ${value.padEnd(28)} ${String(score.n).padStart(4)}   ${formatShare(score)}`)
  }
  return out.join('\n')
}

/** A comparison for a terminal. */
export function formatComparison(models: readonly string[], comparison: Comparison): string {
  const width = Math.max(...models.map((model) => model.length), 5) + 2
  const out = [`${comparison.suite}: ${comparison.shared} cases that all runs have`, '']
  models.forEach((model, i) => {
    const difference = comparison.differences[i - 1]
    out.push(
      `  ${model.padEnd(width)} ${formatShare(comparison.scores[i]!)}` +
        (difference
          ? `   ${signed(difference.difference.mean)} [${signed(difference.difference.low)}, ${signed(difference.difference.high)}]   +${difference.won} −${difference.lost} cases, p = ${difference.p < 0.001 ? difference.p.toExponential(1) : difference.p.toFixed(3)}`
          : ''),
    )
  })
  const { cases, outputTokens, reasoningTokens } = comparison.onCommonlyRight
  out.push('', `  on the ${cases} cases that all have right, tokens a correct answer (of these reasoning):`)
  models.forEach((model, i) => {
    out.push(`  ${model.padEnd(width)} ${outputTokens[i]!.toFixed(1)} (${reasoningTokens[i]!.toFixed(1)})`)
  })
  return out.join('\n')
}

const signed = (share: number): string => `${share >= 0 ? '+' : '−'}${Math.abs(100 * share).toFixed(1)}`
