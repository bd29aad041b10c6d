// Draws losses and accuracies of training runs from their metrics.jsonl files as one SVG file:
//   npx tsx scripts/draw-curve.ts OUT.svg NAME=metrics.jsonl [NAME=metrics.jsonl …]
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

const Step = z.object({ type: z.literal('step'), step: z.number(), loss: z.number() })
const Evaluation = z.object({
  type: z.literal('evaluation'),
  step: z.number(),
  loss: z.number(),
  tokenAccuracy: z.number(),
  turnAccuracy: z.number(),
})

interface Series {
  readonly name: string
  readonly colour: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

const WIDTH = 760
const HEIGHT = 260
const LEFT = 52
const COLOURS = ['#3366cc', '#dc3912', '#109618', '#990099', '#ff9900', '#0099c6']

/** Means over windows of steps, so that a noisy loss reads as a line. */
function smooth(points: readonly (readonly [number, number])[], window: number): [number, number][] {
  const out: [number, number][] = []
  for (let at = 0; at < points.length; at += window) {
    const part = points.slice(at, at + window)
    out.push([part.at(-1)![0], part.reduce((sum, [, y]) => sum + y, 0) / part.length])
  }
  return out
}

function panel(title: string, series: readonly Series[], top: number, most: number): string {
  const right = Math.max(1, ...series.flatMap(({ points }) => points.map(([x]) => x)))
  const x = (value: number): number => LEFT + (value / right) * (WIDTH - LEFT - 20)
  const y = (value: number): number => top + HEIGHT - 40 - (Math.min(value, most) / most) * (HEIGHT - 70)
  const grid = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const at = y(part * most).toFixed(1)
    return `<line x1="${LEFT}" x2="${WIDTH - 20}" y1="${at}" y2="${at}" stroke="#ddd"/><text x="${LEFT - 6}" y="${at}" text-anchor="end" dy="4">${+(part * most).toFixed(2)}</text>`
  })
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (part) =>
      `<text x="${x(part * right).toFixed(1)}" y="${top + HEIGHT - 22}" text-anchor="middle">${Math.round(part * right)}</text>`,
  )
  const lines = series.map(({ colour, points }) => {
    const path = points.map(([px, py]) => `${x(px).toFixed(1)},${y(py).toFixed(1)}`).join(' ')
    return `<polyline fill="none" stroke="${colour}" stroke-width="1.5" points="${path}"/>`
  })
  const legend = series.map(
    ({ name, colour }, i) =>
      `<text x="${WIDTH - 24}" y="${top + 34 + i * 15}" text-anchor="end" fill="${colour}">${name.replace(/[<&]/g, ' ')}</text>`,
  )
  return `<text x="${LEFT}" y="${top + 18}" font-weight="bold">${title}</text>${[...grid, ...ticks, ...lines, ...legend].join('')}`
}

const [out, ...runs] = process.argv.slice(2)
if (!out || runs.length === 0) throw new Error('usage: draw-curve.ts OUT.svg NAME=metrics.jsonl …')
const losses: Series[] = []
const shares: Series[] = []
for (const run of runs) {
  const [name, file] = run.split('=') as [string, string]
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line): unknown => JSON.parse(line))
  const steps = lines.flatMap((line) => Step.safeParse(line).data ?? [])
  const evaluations = lines.flatMap((line) => Evaluation.safeParse(line).data ?? [])
  const colour = (): string => COLOURS[(losses.length + shares.length) % COLOURS.length]!
  losses.push({
    name: `${name}, training`,
    colour: colour(),
    points: smooth(
      steps.map((s) => [s.step, s.loss] as const),
      20,
    ),
  })
  if (evaluations.length > 1) {
    losses.push({ name: `${name}, held out`, colour: colour(), points: evaluations.map((e) => [e.step, e.loss]) })
    shares.push({
      name: `${name}, tokens right`,
      colour: colour(),
      points: evaluations.map((e) => [e.step, e.tokenAccuracy]),
    })
    shares.push({
      name: `${name}, whole turns right`,
      colour: colour(),
      points: evaluations.map((e) => [e.step, e.turnAccuracy]),
    })
  }
}
const panels = [
  panel('loss a token, by step', losses, 0, 5),
  ...(shares.length > 0 ? [panel('held-out accuracy, by step', shares, HEIGHT, 1)] : []),
]
writeFileSync(
  out,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT * panels.length}" font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>${panels.join('')}</svg>\n`,
)
