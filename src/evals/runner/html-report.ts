import type { JsonValue } from '../../chat/types.js'
import { type Comparison, compareRuns } from './compare-runs.js'
import type { PublishedFigure } from './published.js'
import { plotGroups, plotScores, plotTokens, runColor } from './report-plots.js'
import { isRight, type RunFigures, runFigures } from './run-figures.js'
import type { StoredRun } from './run-folder.js'
import type { RunRecord } from './run-record.js'
import { formatShare } from './run-table.js'
import type { Suite } from './suite.js'

/** What a report shows beside the runs. */
export interface ReportOptions {
  readonly suite?: Pick<Suite, 'aggregate'>
  /** Most cases whose transcripts are shown; those where the runs differ come first. Default 60. */
  readonly transcripts?: number
  /** Figures of others for the same suite, labelled as reported by their authors. */
  readonly published?: readonly PublishedFigure[]
}

const STYLE = `
body{font:15px/1.5 system-ui,sans-serif;max-width:820px;margin:2rem auto;padding:0 1rem;color:#1d232a;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.2rem;border-bottom:1px solid #d8dee4;padding-bottom:.2rem}
table{border-collapse:collapse;width:100%;font-size:14px}th,td{padding:.3rem .5rem;border-bottom:1px solid #e4e8ec;text-align:left;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.small{color:#57606a;font-size:13px}.right{color:#116329}.wrong{color:#a40e26}
details{border:1px solid #d8dee4;border-radius:6px;margin:.5rem 0;padding:.4rem .7rem}summary{cursor:pointer}
.sides{display:flex;gap:.8rem;overflow-x:auto}.side{flex:1 1 0;min-width:260px}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f6f8fa;border-radius:6px;padding:.5rem;font-size:12.5px;max-height:26rem;overflow:auto;margin:.3rem 0}
figure{margin:1rem 0}@media(prefers-color-scheme:dark){body{background:#14181d;color:#dfe5ec}pre{background:#1e242b}td,th,h2,details{border-color:#343c45}.small{color:#97a3b0}.right{color:#5fd07b}.wrong{color:#ff8591}}
`

/** Makes one HTML file, complete in itself, of one run or of several runs of one suite. */
export function htmlReport(runs: readonly StoredRun[], options: ReportOptions = {}): string {
  const figures = runs.map((run) => runFigures(run, options.suite))
  const first = figures[0]
  if (!first) throw new RangeError('a report needs a run')
  const comparison = runs.length > 1 ? compareRuns(runs) : undefined
  const labels = [...new Set(figures.flatMap(({ groups }) => groups.map(({ label }) => label)))]
  const parts = [
    `<h1>${html(first.header.title)}</h1>`,
    `<p class="small">${figures.map(({ header, records }) => `${html(header.model)}: ${records} answers, started ${html(header.started)}`).join('<br>')}</p>`,
    ...first.header.notes.map((note) => `<p><strong>Note:</strong> ${html(note)}</p>`),
    '<h2>Score</h2>',
    `<figure>${plotScores(figures)}</figure>`,
    scoreTable(figures),
    options.published && options.published.length > 0 ? publishedTable(options.published) : '',
    comparison ? comparisonPart(figures, comparison) : '',
    ...labels
      .filter(
        (label) =>
          new Set(figures.flatMap(({ groups }) => groups.filter((g) => g.label === label).map((g) => g.value))).size >
          1,
      )
      .flatMap((label) => [
        `<h2>By ${html(label)}</h2>`,
        `<figure>${legend(figures)}${plotGroups(figures, label)}</figure>`,
        groupTable(figures, label),
      ]),
    '<h2>Transcripts</h2>',
    transcriptsPart(runs, options.transcripts ?? 60),
    '<h2>Settings</h2>',
    `<pre>${html(
      JSON.stringify(
        figures.map(({ header }) => header),
        undefined,
        2,
      ),
    )}</pre>`,
    '<p class="small">Intervals: 95%, percentile bootstrap over cases, 1,000 resamples.</p>',
  ]
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${html(first.header.title)}</title><style>${STYLE}</style></head><body>\n${parts.join('\n')}\n</body></html>\n`
}

function legend(figures: readonly RunFigures[]): string {
  if (figures.length < 2) return ''
  const entries = figures.map(
    ({ header }, i) => `<span style="color:${runColor(i)}">●</span> ${i + 1} ${html(header.model)}`,
  )
  return `<figcaption class="small">${entries.join(' &nbsp; ')}</figcaption>`
}

function scoreTable(figures: readonly RunFigures[]): string {
  const rows: [string, (run: RunFigures) => string][] = [
    ['score', ({ score }) => formatShare(score)],
    ...[...new Set(figures.flatMap(({ metrics }) => Object.keys(metrics)))].map(
      (name): [string, (run: RunFigures) => string] => [
        name,
        ({ metrics }) => (metrics[name] ? formatShare(metrics[name]) : ''),
      ],
    ),
    ...[...new Set(figures.flatMap(({ aggregates }) => aggregates.map(({ name }) => name)))].map(
      (name): [string, (run: RunFigures) => string] => [
        name,
        ({ aggregates }) => {
          const found = aggregates.find((one) => one.name === name)
          return found ? `${(100 * found.value).toFixed(1)}%` : ''
        },
      ],
    ),
    ['loop rate', ({ loopRate }) => `${(100 * loopRate).toFixed(1)}%`],
    ['tokens a case', ({ tokens }) => tokens.outputPerCase.toFixed(1)],
    ['tokens a right answer', ({ tokens }) => tokens.outputPerCorrect?.toFixed(1) ?? 'none right'],
    ['reasoning tokens', ({ tokens }) => String(tokens.reasoningTokens)],
    ['time a case, p50', ({ tokens }) => `${tokens.msP50.toFixed(0)} ms`],
  ]
  if (figures.some(({ judged }) => judged > 0))
    rows.push(['given by a judge', ({ judged }) => `${(100 * judged).toFixed(1)}%`])
  const head = figures.map(({ header }, i) => `<th class="n">${i + 1} ${html(header.model)}</th>`).join('')
  const body = rows.map(
    ([name, text]) =>
      `<tr><td>${html(name)}</td>${figures.map((run) => `<td class="n">${html(text(run))}</td>`).join('')}</tr>`,
  )
  return `<table><tr><th></th>${head}</tr>${body.join('')}</table>`
}

function publishedTable(published: readonly PublishedFigure[]): string {
  const rows = published.map(
    ({ model, value, source }) =>
      `<tr><td>${html(model)}</td><td class="n">${value.toFixed(1)}%</td><td class="small">${html(source)}</td></tr>`,
  )
  return `<h2>As reported by their authors, not measured here</h2><table>${rows.join('')}</table>`
}

function comparisonPart(figures: readonly RunFigures[], comparison: Comparison): string {
  const signed = (share: number): string => `${share >= 0 ? '+' : '−'}${Math.abs(100 * share).toFixed(1)}`
  const rows = comparison.differences.map(
    ({ model, difference, won, lost, p }) =>
      `<tr><td>${html(model)}</td><td class="n">${signed(difference.mean)} [${signed(difference.low)}, ${signed(difference.high)}]</td><td class="n">+${won} −${lost}</td><td class="n">${p < 0.001 ? p.toExponential(1) : p.toFixed(3)}</td></tr>`,
  )
  const models = figures.map(({ header }) => header.model)
  const tokens =
    comparison.onCommonlyRight.cases === 0
      ? '<p>No case is right in all runs.</p>'
      : `<figure>${plotTokens(models, comparison)}</figure>`
  return `<h2>Against ${html(models[0] ?? '')}, on the ${comparison.shared} cases that all have</h2>
<table><tr><th></th><th class="n">difference in points</th><th class="n">cases won, lost</th><th class="n">p (sign test)</th></tr>${rows.join('')}</table>
<h2>Tokens for a correct answer, on the ${comparison.onCommonlyRight.cases} cases that all have right</h2>${tokens}`
}

function groupTable(figures: readonly RunFigures[], label: string): string {
  const values = [
    ...new Set(figures.flatMap(({ groups }) => groups.filter((g) => g.label === label).map((g) => g.value))),
  ]
  const rows = values.map((value) => {
    const cells = figures.map(({ groups }) => {
      const group = groups.find((one) => one.label === label && one.value === value)
      return `<td class="n">${group ? html(`${formatShare(group.score)}, n ${group.score.n}`) : ''}</td>`
    })
    return `<tr><td>${html(value)}</td>${cells.join('')}</tr>`
  })
  return `<table>${rows.join('')}</table>`
}

function transcriptsPart(runs: readonly StoredRun[], most: number): string {
  const ids = [...new Set(runs.flatMap(({ records }) => records.map(({ id }) => id)))]
  const of = (id: string): (RunRecord | undefined)[] =>
    runs.map(({ records }) => records.find((record) => record.id === id && record.trial === 0))
  const rank = (id: string): number => {
    const rights = of(id).map((record) => record !== undefined && isRight(record))
    if (rights.some((right) => right !== rights[0])) return 0
    return rights[0] ? 2 : 1
  }
  const chosen = ids
    .map((id, index) => ({ id, index, rank: rank(id) }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .slice(0, most)
  const note =
    chosen.length < ids.length
      ? `<p class="small">${chosen.length} of ${ids.length} cases: first those where runs differ, then wrong ones. All are in the run folders.</p>`
      : ''
  return note + chosen.map(({ id }) => caseDetails(id, of(id))).join('\n')
}

function caseDetails(id: string, records: readonly (RunRecord | undefined)[]): string {
  const marks = records
    .map((record) =>
      record === undefined ? '·' : isRight(record) ? '<span class="right">✓</span>' : '<span class="wrong">✗</span>',
    )
    .join(' ')
  const shared = records[0]?.transcript[0]
  const sides = records.map((record) => {
    if (!record) return '<div class="side">not run</div>'
    const steps = record.transcript.map((step, i) => {
      const before = i === 0 ? '' : `<div class="small">then</div>${pre(lastInput(step.input))}`
      const calls = step.calls
        ? `\n${step.calls.map(({ name, arguments: args }) => `${name}(${args})`).join('\n')}`
        : ''
      return `${before}${step.reasoning ? `<div class="small">reasoning</div>${pre(step.reasoning)}` : ''}${pre(step.text + calls)}`
    })
    return `<div class="side"><div class="small">score ${record.score.value}${record.score.reason ? `: ${html(record.score.reason)}` : ''}</div>${steps.join('')}</div>`
  })
  return `<details><summary>${marks} ${html(id)}</summary>${shared ? `<div class="small">asked</div>${pre(inputText(shared.input))}` : ''}<div class="sides">${sides.join('')}</div></details>`
}

/** A text of any length, cut in the middle where it is long: a report of sixty cases must open in a browser. */
function pre(text: string): string {
  const most = 6000
  const cut =
    text.length > most
      ? `${text.slice(0, most / 2)}\n… ${text.length - most} characters …\n${text.slice(-most / 2)}`
      : text
  return `<pre>${html(cut)}</pre>`
}

function inputText(input: JsonValue): string {
  if (!Array.isArray(input)) return String(input)
  return input.map(messageText).join('\n\n')
}

function lastInput(input: JsonValue): string {
  return Array.isArray(input) ? messageText(input.at(-1) ?? '') : String(input).slice(-2000)
}

function messageText(message: JsonValue): string {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return String(message)
  const { role, content, toolCalls } = message
  const calls = Array.isArray(toolCalls) && toolCalls.length > 0 ? `\n${JSON.stringify(toolCalls)}` : ''
  return `[${String(role)}] ${typeof content === 'string' ? content : JSON.stringify(content ?? '')}${calls}`
}

function html(text: string): string {
  const visible = text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return visible.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}
