import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { LockTimeoutError, withFileLock } from '../../engine/file-lock.js'
import { WorkerClient, WorkerError } from '../../engine/worker-client.js'
import { writeWhole } from '../../model/index.js'
import { planParts, type StepBatch, stepsFrom } from './batches.js'
import * as kept from './checkpoints.js'
import type { TokenisedExample } from './example.js'
import { appendMetrics, cutMetrics } from './metrics.js'
import { fingerprint, type Recipe } from './recipe.js'
import { defaultReporter, type Reporter } from './report.js'
import { EvaluationTally, packBatch, weightSum } from './requests.js'
import { learningRate } from './schedule.js'
import { modelRequest, readTexts, type TextSetup } from './setup.js'
import { SftError } from './sft-error.js'
import { openSource, type TokenSource } from './source.js'
import { tokeniseFile } from './token-cache.js'

/** What may differ from session to session of one run. */
export interface TrainOptions {
  /** Stop cleanly, with a checkpoint, after so many seconds. */
  readonly maxSeconds?: number
  /** Stop cleanly, with a checkpoint, after the step in progress. */
  readonly signal?: AbortSignal
  readonly reporter?: Reporter
  /** Interpreter of the worker; default: the environment made for it. */
  readonly python?: string
  /** Receives the worker's log lines; default: the reporter. */
  readonly onWorkerLog?: (line: string) => void
  /** Text of the recipe file, kept in every checkpoint. */
  readonly recipeText?: string
}

/** How a session ended. */
export interface TrainResult {
  readonly status: 'done' | 'stopped'
  readonly step: number
  /** Folder of the last checkpoint. */
  readonly checkpoint: string
  readonly best?: { readonly step: number; readonly loss: number }
}

/** Consecutive steps with a non-finite loss or gradient after which a run gives up. */
const MOST_BAD_STEPS = 10

const MODEL = 'student'

/**
 * Stage 1, supervised fine-tuning: runs a recipe from its start or from its last checkpoint to its last step. A run that
 * was killed and resumed gives the same weights as one that was not (same machine kind, threads and versions).
 * @throws {SftError}, and the typed errors of the Python environment, the worker, the tokenizer and the template.
 */
export async function trainSft(recipe: Recipe, options: TrainOptions = {}): Promise<TrainResult> {
  await mkdir(recipe.output, { recursive: true })
  try {
    return await withFileLock(join(recipe.output, 'lock'), { timeoutMs: 0 }, async () => await session(recipe, options))
  } catch (error) {
    if (!(error instanceof LockTimeoutError)) throw error
    throw new SftError('run-exists', recipe.output, 'another process is training here.', 'Wait for it or end it.')
  }
}

async function session(recipe: Recipe, options: TrainOptions): Promise<TrainResult> {
  const reporter = options.reporter ?? defaultReporter()
  const say = (line: string) => reporter.line(line)
  const texts = await readTexts(recipe)
  const cache = recipe.data.cache ?? join(recipe.output, 'tokenised')
  const sources: TokenSource[] = []
  for (const [index, spec] of recipe.data.sources.entries()) {
    sources.push(await openSource(spec, index, recipe.seed, texts.training, cache, say))
  }
  const heldOut: { name: string; examples: TokenisedExample[] }[] = []
  for (const [name, file] of Object.entries(recipe.evaluation?.files ?? {})) {
    const examples = await tokeniseFile(file, texts.heldOut, cache, say)
    heldOut.push({ name, examples: examples.slice(0, recipe.evaluation?.examples) })
  }
  const worker = await WorkerClient.start({
    ...recipe.worker,
    onLog: options.onWorkerLog ?? say,
    ...(options.python === undefined ? {} : { python: options.python }),
  })
  try {
    return await new Run(recipe, options, texts, sources, heldOut, worker, reporter).go()
  } finally {
    reporter.end()
    await worker.close()
  }
}

/** One session of a run: its state between steps. */
class Run {
  private progress: kept.Progress
  private badSteps = 0
  private readonly started = Date.now()

  constructor(
    private readonly recipe: Recipe,
    private readonly options: TrainOptions,
    private readonly texts: TextSetup,
    private readonly sources: readonly TokenSource[],
    private readonly heldOut: readonly { readonly name: string; readonly examples: readonly TokenisedExample[] }[],
    private readonly worker: WorkerClient,
    private readonly reporter: Reporter,
  ) {
    const { checkpoint, config, train, lora, dtype } = recipe.model
    const { maxTokens, auxWeight, pool } = recipe.data
    const identities = sources.map((source) => [source.identity, source.share])
    this.progress = {
      version: 1,
      step: 0,
      position: { epoch: 0, pool: 0, step: 0 },
      tokens: 0,
      taught: 0,
      seconds: 0,
      fingerprints: {
        model: fingerprint([config ?? checkpoint, train, lora, dtype, texts.identity]),
        data: fingerprint([identities, maxTokens, auxWeight, pool, recipe.batch, recipe.seed]),
      },
    }
  }

  async go(): Promise<TrainResult> {
    const { recipe, reporter } = this
    const model = await this.worker.createModel(modelRequest(recipe, this.texts, MODEL))
    reporter.line(
      `${model.architecture}: ${model.parameters} parameters, ${model.trainable} trained, ${model.dtype}, ${model.kernels} kernels.`,
    )
    await this.resume()
    await appendMetrics(this.metricsFile, {
      type: 'session',
      step: this.progress.step,
      started: new Date().toISOString(),
    })
    reporter.begin(this.progress.step, recipe.steps)
    let saved = this.progress.step
    if (this.progress.step < recipe.steps) {
      const sizes = {
        ...recipe.batch,
        microTokens: recipe.batch.microTokens ?? recipe.batch.tokens,
        pool: recipe.data.pool,
      }
      const batches = stepsFrom(this.sources, sizes, recipe.seed, this.progress.position)
      let coming = batches.next()
      while (this.progress.step < recipe.steps && !this.mustStop()) {
        const { value: batch, done } = await coming
        if (done) throw new SftError('no-data', recipe.output, 'the sources gave no example in a whole epoch.')
        // The next batch is rendered and tokenised while the worker computes.
        coming = batches.next()
        coming.catch(() => {})
        await this.step(batch)
        const improved = this.due(recipe.evaluation?.every) && (await this.evaluate())
        if (improved || this.due(recipe.checkpoints.every)) {
          await this.save()
          saved = this.progress.step
        }
      }
    }
    if (saved !== this.progress.step || !existsSync(this.folder)) await this.save()
    const { step, best } = this.progress
    const status = step >= recipe.steps ? 'done' : 'stopped'
    return { status, step, checkpoint: this.folder, ...(best === undefined ? {} : { best }) }
  }

  private get metricsFile(): string {
    return join(this.recipe.output, 'metrics.jsonl')
  }

  private get folder(): string {
    return kept.checkpointFolder(this.recipe.output, this.progress.step)
  }

  private mustStop(): boolean {
    const seconds = (Date.now() - this.started) / 1000
    return this.options.signal?.aborted === true || seconds >= (this.options.maxSeconds ?? Number.POSITIVE_INFINITY)
  }

  private due(every: number | undefined): boolean {
    return every !== undefined && (this.progress.step % every === 0 || this.progress.step === this.recipe.steps)
  }

  private async resume(): Promise<void> {
    const last = (await kept.listCheckpoints(this.recipe.output)).at(-1)
    if (last === undefined) {
      await cutMetrics(this.metricsFile, -1)
      return
    }
    const folder = kept.checkpointFolder(this.recipe.output, last)
    const found = await kept.readProgress(folder)
    const wanted = this.progress.fingerprints
    if (found.fingerprints.model !== wanted.model) {
      throw new SftError(
        'run-differs',
        folder,
        'was made with another model, tokenizer or template than the recipe names.',
        'Give the recipe another output folder, or restore it.',
      )
    }
    await this.worker.load(MODEL, folder)
    await cutMetrics(this.metricsFile, last)
    let { position } = found
    if (found.fingerprints.data !== wanted.data) {
      position = { epoch: position.epoch + 1, pool: 0, step: 0 }
      this.reporter.line('The data or batch part of the recipe changed: going on with a new epoch of it.')
    }
    this.progress = { ...found, position, fingerprints: wanted }
  }

  private async step(batch: StepBatch): Promise<void> {
    const { optimizer } = this.recipe
    const begun = Date.now()
    const lr = learningRate(optimizer.schedule, this.progress.step, this.recipe.steps)
    const divisor = weightSum(batch.parts)
    let lossSum = 0
    let tokens = 0
    let taught = 0
    let gradNorm = Number.NaN
    try {
      for (const part of batch.parts) {
        const loss = { name: 'cross_entropy' } as const
        const done = await this.worker.forwardBackward({ model: MODEL, batch: packBatch(part), loss, divisor })
        lossSum += done.lossSum
        tokens += done.tokens
        taught += done.weighted
      }
      const { beta1, beta2, eps, weightDecay, maxGradNorm } = optimizer
      const taken = await this.worker.optimStep({ model: MODEL, lr, beta1, beta2, eps, weightDecay, maxGradNorm })
      gradNorm = taken.gradNorm
      this.badSteps = 0
    } catch (error) {
      if (!(error instanceof WorkerError) || error.code !== 'non_finite') throw error
      this.reporter.line(`step ${this.progress.step + 1}: ${error.message}; left out.`)
      if (++this.badSteps >= MOST_BAD_STEPS) {
        throw new SftError(
          'diverged',
          this.recipe.output,
          `${MOST_BAD_STEPS} steps in a row were not finite.`,
          'Lower the rate.',
        )
      }
      await this.worker.zeroGrad(MODEL)
    }
    const seconds = (Date.now() - begun) / 1000
    const { epoch } = batch.next
    this.progress = {
      ...this.progress,
      step: this.progress.step + 1,
      position: batch.next,
      tokens: this.progress.tokens + tokens,
      taught: this.progress.taught + taught,
      seconds: this.progress.seconds + seconds,
    }
    const metrics = {
      type: 'step',
      step: this.progress.step,
      epoch,
      loss: lossSum / divisor,
      lr,
      gradNorm,
      tokens,
      taught,
      seconds,
    } as const
    await appendMetrics(this.metricsFile, metrics)
    this.reporter.step(metrics, this.recipe.steps)
  }

  /** @returns whether the file that decides has its lowest loss so far. */
  private async evaluate(): Promise<boolean> {
    const limit = this.recipe.batch.microTokens ?? this.recipe.batch.tokens
    const deciding = this.recipe.evaluation?.best ?? this.heldOut[0]?.name
    let improved = false
    for (const { name, examples } of this.heldOut) {
      const begun = Date.now()
      const tally = new EvaluationTally()
      for (const part of planParts(examples, limit)) {
        tally.add(part, await this.worker.forward(MODEL, packBatch(part), 1))
      }
      const metrics = tally.metrics(this.progress.step, name, (Date.now() - begun) / 1000)
      await appendMetrics(this.metricsFile, metrics)
      this.reporter.evaluation(metrics)
      if (name !== deciding || metrics.loss >= (this.progress.best?.loss ?? Number.POSITIVE_INFINITY)) continue
      this.progress = { ...this.progress, best: { step: this.progress.step, loss: metrics.loss } }
      improved = true
    }
    return improved
  }

  private async save(): Promise<void> {
    const { output, checkpoints } = this.recipe
    const files: Record<string, Uint8Array> = {
      ...this.texts.files,
      [kept.PROGRESS_FILE]: Buffer.from(kept.progressText(this.progress)),
    }
    if (this.options.recipeText !== undefined) files['recipe.yaml'] = Buffer.from(this.options.recipeText)
    await this.worker.save({ model: MODEL, path: this.folder, state: true, files, overwrite: true })
    const { best } = this.progress
    if (best !== undefined) await writeWhole(join(output, 'best.json'), `${JSON.stringify(best)}\n`)
    await kept.pruneCheckpoints(output, checkpoints.keep, best?.step)
  }
}
