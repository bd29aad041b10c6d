import { mapLine, mappingShare } from './mapping.js'
import type { RequestLine } from './mapping-spans.js'
import { INTENT_TABLE } from './mapping-table.js'

/**
 * The mapping as a Markdown table made from real lines: for each intent its tool, what the intent fixes, and where each
 * slot went how often; then the share of slots carried by file.
 */
export function mappingReport(files: { readonly [name: string]: readonly RequestLine[] }): string {
  const used = new Map<string, Map<string, number>>()
  const lines = new Map<string, number>()
  for (const line of Object.values(files).flat()) {
    lines.set(line.intent, (lines.get(line.intent) ?? 0) + 1)
    const { expectation, carried } = mapLine(line)
    if (!('tool' in expectation)) continue
    const tally = used.get(line.intent) ?? new Map<string, number>()
    used.set(line.intent, tally)
    for (const [index, slot] of line.slots.entries()) {
      const parameter = Object.entries(expectation.arguments).find(([, value]) =>
        value.toLowerCase().includes(slot.value.toLowerCase().replace(/['’]s$/, '')),
      )?.[0]
      const key = `${slot.name} → ${carried[index] ? (parameter ?? '(joined)') : '(left out)'}`
      tally.set(key, (tally.get(key) ?? 0) + 1)
    }
  }
  const rows = Object.entries(INTENT_TABLE).map(([intent, row]) => {
    const slots = [...(used.get(intent) ?? [])].sort((a, b) => b[1] - a[1]).map(([key, count]) => `${key} ${count}`)
    const fixed = Object.entries(row.fixed ?? {}).map(([name, value]) => `${name}=${value}`)
    const extra = [...fixed, ...(row.rules ?? []).map((rule) => `rule ${rule}`)].join(', ')
    return `| ${intent} | ${lines.get(intent) ?? 0} | ${row.tool} | ${extra} | ${slots.join('; ')} |`
  })
  const shares = Object.entries(files).map(([name, list]) => {
    const { carried, slots, share } = mappingShare(list)
    return `| ${name} | ${list.length} | ${carried} of ${slots} | ${(share * 100).toFixed(2)}% |`
  })
  return [
    '| file | lines | slots carried | share |',
    '|---|---|---|---|',
    ...shares,
    '',
    '| intent | lines | tool | decided by intent or text | slots → parameters, with counts |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
