import type { RequestFigures } from './figures.js'

/** The figures of one file as text for a terminal: totals with intervals, intents, confusions. */
export function formatRequestFigures(figures: RequestFigures, title: string): string {
  const percent = (share: number): string => `${(share * 100).toFixed(1)}%`
  const { toolChoice, exactCall } = figures.intervals
  const interval = (of: { low: number; high: number }): string => `[${percent(of.low)}, ${percent(of.high)}]`
  const lines = [
    `${title}: ${figures.n} requests (${figures.toolIntents} for a tool, ${figures.noToolIntents} to be answered in words, ${figures.quirky.n} quirky)`,
  ]
  if (figures.toolIntents > 0) {
    lines.push(
      `  tool choice        ${percent(figures.toolChoice)} ${interval(toolChoice)}`,
      `  exact call         ${percent(figures.exactCall)} ${interval(exactCall)}`,
      `  slot F1            ${percent(figures.slotF1)}`,
      `  expected tool seen ${percent(figures.shortlistRecall)}`,
      `  lack a value       ${percent(figures.lacksValue)} of the requests for a tool (a question counts as right there)`,
    )
  }
  if (figures.noToolIntents > 0) {
    lines.push(
      `  no tool, precision ${percent(figures.noToolPrecision)}`,
      `  no tool, recall    ${percent(figures.noToolRecall)}`,
    )
  }
  if (figures.quirky.n > 0)
    lines.push(`  quirky             ${percent(figures.quirky.answeredInWords)} answered in words`)
  lines.push(
    `  tokens an answer   ${figures.tokensPerAnswer.toFixed(1)}`,
    `  latency            p50 ${figures.latencyP50.toFixed(0)} ms, p95 ${figures.latencyP95.toFixed(0)} ms`,
    '',
    `  ${'intent'.padEnd(26)}${'n'.padStart(5)}${'choice'.padStart(9)}${'exact'.padStart(9)}`,
  )
  for (const [intent, row] of Object.entries(figures.byIntent)) {
    lines.push(
      `  ${intent.padEnd(26)}${String(row.n).padStart(5)}${percent(row.toolChoice).padStart(9)}${percent(row.exactCall).padStart(9)}`,
    )
  }
  if (figures.confusions.length > 0) {
    lines.push('', '  most frequent wrong choices (expected → chosen)')
    for (const { expected, chosen, n } of figures.confusions)
      lines.push(`  ${String(n).padStart(5)}  ${expected} → ${chosen}`)
  }
  return `${lines.join('\n')}\n`
}
