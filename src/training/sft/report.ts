import { SingleBar } from 'cli-progress'
import type { EvaluationMetrics, StepMetrics } from './metrics.js'

/** Where a run tells how it goes. */
export interface Reporter {
  line(text: string): void
  begin(step: number, steps: number): void
  step(metrics: StepMetrics, steps: number): void
  evaluation(metrics: EvaluationMetrics): void
  end(): void
}

/** Lines of text, one every `every` steps. */
export class LineReporter implements Reporter {
  #tokens = 0
  #seconds = 0

  constructor(
    private readonly write: (line: string) => void,
    private readonly every = 10,
  ) {}

  line(text: string): void {
    this.write(text)
  }

  begin(step: number, steps: number): void {
    this.write(step === 0 ? `Training for ${steps} steps.` : `Going on from step ${step} of ${steps}.`)
  }

  step(metrics: StepMetrics, steps: number): void {
    this.#tokens += metrics.tokens
    this.#seconds += metrics.seconds
    if (metrics.step % this.every !== 0 && metrics.step !== steps) return
    const speed = Math.round(this.#tokens / Math.max(this.#seconds, 1e-9))
    this.#tokens = 0
    this.#seconds = 0
    this.write(
      `step ${metrics.step}/${steps}  loss ${metrics.loss.toFixed(4)}  lr ${metrics.lr.toExponential(2)}  ` +
        `norm ${metrics.gradNorm.toFixed(2)}  ${speed} tokens/s`,
    )
  }

  evaluation(metrics: EvaluationMetrics): void {
    this.write(evaluationLine(metrics))
  }

  end(): void {}
}

/** A progress bar on a terminal; evaluations and notices scroll above it. */
export class BarReporter implements Reporter {
  #bar: SingleBar | undefined
  #speed = 0

  constructor(private readonly stream: NodeJS.WriteStream) {}

  line(text: string): void {
    if (this.#bar === undefined) {
      this.stream.write(`${text}\n`)
      return
    }
    this.stream.write(`\r\u001b[K${text}\n`)
    this.#bar.render()
  }

  begin(step: number, steps: number): void {
    this.#bar = new SingleBar({
      stream: this.stream,
      format: '{bar} {value}/{total}  loss {loss}  {speed} tokens/s  {eta_formatted} left',
      hideCursor: true,
      etaBuffer: 50,
    }) as SingleBar & { render(): void }
    this.#bar.start(steps, step, { loss: '-', speed: '-' })
  }

  step(metrics: StepMetrics): void {
    const speed = metrics.tokens / Math.max(metrics.seconds, 1e-9)
    this.#speed = this.#speed === 0 ? speed : 0.9 * this.#speed + 0.1 * speed
    this.#bar?.update(metrics.step, { loss: metrics.loss.toFixed(4), speed: Math.round(this.#speed) })
  }

  evaluation(metrics: EvaluationMetrics): void {
    this.line(evaluationLine(metrics))
  }

  end(): void {
    this.#bar?.stop()
    this.#bar = undefined
  }
}

/** The bar when the stream is a terminal, else lines. */
export function defaultReporter(stream: NodeJS.WriteStream = process.stderr): Reporter {
  return stream.isTTY ? new BarReporter(stream) : new LineReporter((line) => stream.write(`${line}\n`))
}

function evaluationLine(metrics: EvaluationMetrics): string {
  const share = (value: number) => `${(100 * value).toFixed(1)}%`
  return (
    `step ${metrics.step}  ${metrics.file}: loss ${metrics.loss.toFixed(4)}, tokens ${share(metrics.tokenAccuracy)}, ` +
    `whole turns ${share(metrics.turnAccuracy)} of ${metrics.turns}`
  )
}
