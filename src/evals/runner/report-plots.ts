import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import type { Comparison } from './compare-runs.js'
import type { RunFigures } from './run-figures.js'

/** Pictures are as wide as the page's column, in CSS pixels. */
const WIDTH = 760

function svg(options: Plot.PlotOptions): string {
  const { document } = parseHTML('<!doctype html><html><body></body></html>')
  const made = Plot.plot({ ...options, document: document as never, width: WIDTH })
  return made.outerHTML
}

const marginFor = (names: readonly string[]): number =>
  Math.min(320, 20 + 6.5 * Math.max(4, ...names.map((name) => name.length)))

const COLORS = ['#1b6ca8', '#e08214', '#35978f', '#8e44ad', '#b2182b', '#7f7f7f']

/** Color of the run at this place, in pictures and legends. */
export function runColor(index: number): string {
  return COLORS[index % COLORS.length] ?? '#000'
}

/** Scores of all runs with their intervals. */
export function plotScores(runs: readonly RunFigures[]): string {
  const rows = runs.map(({ header, score }, i) => ({ model: `${i + 1} ${header.model}`, ...score }))
  return svg({
    height: 60 + 34 * rows.length,
    marginLeft: marginFor(rows.map(({ model }) => model)),
    marginRight: 50,
    x: { domain: [0, 100], label: 'score, % →', grid: true, percent: true },
    y: { label: null },
    marks: [
      Plot.barX(rows, { x: 'mean', y: 'model', fill: '#9ec5e8', sort: { y: null } }),
      Plot.ruleY(rows, { x1: 'low', x2: 'high', y: 'model', stroke: '#1b4f79', strokeWidth: 2 }),
      Plot.text(rows, {
        x: 'high',
        y: 'model',
        text: ({ mean }) => `${(100 * mean).toFixed(1)}%`,
        dx: 5,
        textAnchor: 'start',
      }),
    ],
  })
}

/** Scores by the values of one label, one row a value and a dot a run. */
export function plotGroups(runs: readonly RunFigures[], label: string): string {
  const rows = runs.flatMap(({ header, groups }, i) =>
    groups
      .filter((group) => group.label === label)
      .map(({ value, score }) => ({ model: `${i + 1} ${header.model}`, value, ...score })),
  )
  const values = [...new Set(rows.map(({ value }) => value))]
  const models = [...new Set(rows.map(({ model }) => model))]
  return svg({
    height: 60 + 22 * values.length,
    marginLeft: marginFor(values),
    x: { domain: [0, 100], label: 'score, % →', grid: true, percent: true },
    y: { label: null, domain: values },
    color: { domain: models, range: models.map((_, i) => runColor(i)) },
    marks: [
      Plot.ruleY(rows, { x1: 'low', x2: 'high', y: 'value', stroke: 'model', strokeOpacity: 0.5 }),
      Plot.dot(rows, {
        x: 'mean',
        y: 'value',
        fill: 'model',
        r: 4,
        title: ({ model, mean }) => `${model}: ${(100 * mean).toFixed(1)}%`,
      }),
    ],
  })
}

/** Tokens written for a correct answer, on the cases that all runs have right. */
export function plotTokens(models: readonly string[], comparison: Comparison): string {
  const rows = models.flatMap((model, i) => {
    const reasoning = comparison.onCommonlyRight.reasoningTokens[i] ?? 0
    return [
      {
        model: `${i + 1} ${model}`,
        kind: 'answer',
        tokens: (comparison.onCommonlyRight.outputTokens[i] ?? 0) - reasoning,
      },
      { model: `${i + 1} ${model}`, kind: 'reasoning', tokens: reasoning },
    ]
  })
  return svg({
    height: 60 + 34 * models.length,
    marginLeft: marginFor(rows.map(({ model }) => model)),
    marginRight: 50,
    x: { label: 'tokens →', grid: true },
    y: { label: null },
    color: { domain: ['answer', 'reasoning'], range: ['#9ec5e8', '#f0b36b'] },
    marks: [
      Plot.barX(rows, Plot.stackX({ x: 'tokens', y: 'model', fill: 'kind', sort: { y: null } })),
      Plot.ruleX([0]),
    ],
  })
}
