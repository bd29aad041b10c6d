import type { Estimate } from '../bootstrap.js'
import type { WorldFigures } from './figures.js'

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`

function cell(of: Estimate): string {
  return of.n === 0 ? '–' : `${percent(of.mean)} [${percent(of.low)}, ${percent(of.high)}] n=${of.n}`
}

/** The figures as text for a terminal. */
export function formatWorldFigures(figures: WorldFigures, title: string): string {
  const row = (name: string, ...cells: readonly string[]): string =>
    `  ${name.padEnd(22)}${cells.map((one) => one.padEnd(32)).join('')}`.trimEnd()
  const share = figures.requests === 0 ? 0 : figures.askedBeyond / figures.requests
  const lines = [
    `${title}: ${figures.scenarios} scenarios, success ${cell(figures.success)}`,
    row('', 'all', 'simple', 'complex'),
    row('every field', cell(figures.success), cell(figures.simple), cell(figures.complex)),
    ...Object.entries(figures.byField).map(([field, { all, simple, complex }]) =>
      row(field, cell(all), cell(simple), cell(complex)),
    ),
    '',
    ...Object.entries(figures.byTrait).map(([trait, of]) => row(trait, cell(of))),
    '',
    `  reward (share of what was required)   ${figures.score.toFixed(3)}`,
    `  did something nobody asked for        ${figures.unwanted} of ${figures.scenarios} scenarios`,
    `  requests of the owner                 ${figures.requests}`,
    `  asked by the default table            ${figures.askedByDefault} of ${figures.requests} requests`,
    `  asked beyond the default table        ${figures.askedBeyond} of ${figures.requests} requests (${percent(share)})`,
    ...reasons(figures),
  ]
  return `${lines.join('\n')}\n`
}

function reasons({ asks }: WorldFigures): string[] {
  const counts = new Map<string, number>()
  for (const { tool, why } of asks) counts.set(`${tool}: ${why}`, (counts.get(`${tool}: ${why}`) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1]).map(([reason, n]) => `    ${String(n).padStart(4)}  ${reason}`)
}
