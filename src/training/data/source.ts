import { z } from 'zod'
import { corporaFolder } from '../../evals/datasets-place.js'
import { expectedCall } from '../../evals/requests/mapping.js'
import type { Conversation } from '../sft/conversation.js'
import { deriveSeed } from '../sft/seed.js'
import type { ExampleSource } from '../sft/source.js'
import { compose } from './compose.js'
import type { Mix, WordsOnly } from './compose-input.js'
import { NANO_MIX } from './compose-input.js'
import { Draw } from './draw.js'
import type { Task } from './exchange.js'
import { frameRequest, POOL_OF_SLOT } from './exchange.js'
import { ForeignMaker } from './foreign-tasks.js'
import type { Pools } from './grammar.js'
import { renderTemplate, textOf } from './grammar.js'
import type { Corpora, HumanLine, SlotValues } from './human.js'
import { readCorpora, restyle, slotValues, swapSlots } from './human.js'
import { jitter } from './jitter.js'
import { HeldOutRanking } from './ranking.js'
import { drawRequest, poolsWith, REQUESTS } from './requests.js'
import { resultPools } from './results.js'
import { WORD_ANSWERS, WORD_REQUESTS } from './words-only.js'

/** Options of the data source in a recipe. */
export const NanoDataOptions = z.strictObject({
  /** Folder that holds hwu64/, slurp/ and snips/; default: of BOTPSY_DATASETS, else of what `botpsy data fetch` brought. */
  corpora: z.string().optional(),
  /** Which lines: `train`, or the held-out lines of the training files as they are. */
  split: z.enum(['train', 'validation']).default('train'),
  /** Estimated tokens of one text. */
  budget: z.number().int().positive().default(740),
  /** Times that each line of HWU64 and SLURP comes with other slot values in an epoch, beside once as it is. */
  swapped: z.number().nonnegative().default(1),
  /** Share of the Snips lines in an epoch; epochs take turns. */
  snips: z.number().min(0).max(1).default(0.3),
  /** Synthetic requests of each grammar per epoch. */
  synthetic: z.number().int().nonnegative().default(45),
})

/** The options with defaults filled in. */
export type NanoDataOptions = z.infer<typeof NanoDataOptions>

/** Opens the data of the embedded model as a source for `botpsy train`. Throws CorporaError and ZodError. */
export default function nanoData(options: Readonly<Record<string, unknown>>): ExampleSource {
  const parsed = NanoDataOptions.parse(options)
  const folder = parsed.corpora ?? corporaFolder()
  return new NanoSource(readCorpora(folder), parsed)
}

/** Training texts by epoch: the human lines once each, with other values, and synthetic requests, packed under tool lists. */
export class NanoSource implements ExampleSource {
  readonly #corpora: Corpora
  readonly #options: NanoDataOptions
  readonly #values: SlotValues
  readonly #pools: Pools
  readonly #ranking: HeldOutRanking
  readonly #foreign: ForeignMaker

  constructor(corpora: Corpora, options: NanoDataOptions) {
    this.#corpora = corpora
    this.#options = options
    this.#values = slotValues(corpora.train)
    this.#pools = poolsWith(this.#values)
    this.#foreign = new ForeignMaker(resultPools(this.#pools))
    const draw = new Draw(11)
    this.#ranking = new HeldOutRanking([
      ...corpora.train.flatMap((line) => {
        const expectation = expectedCall(line)
        return 'tool' in expectation ? [{ tool: expectation.tool, text: line.text }] : []
      }),
      ...REQUESTS.flatMap((grammar) =>
        Array.from({ length: 20 }, () => ({
          tool: grammar.tool,
          text: textOf(drawRequest(grammar, this.#pools, draw).pieces),
        })),
      ),
    ])
  }

  /** See `ExampleSource.epoch`. */
  *epoch(epoch: number, seed: number): Iterable<Conversation> {
    const draw = new Draw(deriveSeed(seed, 'nano', epoch))
    const validation = this.#options.split === 'validation'
    const tasks: { [tool: string]: Task[] } = {}
    const words: WordsOnly[] = []
    const add = (line: HumanLine): void => {
      const expectation = expectedCall(line)
      if ('noTool' in expectation)
        words.push({ text: line.text, answer: draw.pick(WORD_ANSWERS[line.intent] ?? ['All right.']) })
      if (!('tool' in expectation) || line.text === '') return
      tasks[expectation.tool] ??= []
      tasks[expectation.tool]?.push({
        tool: expectation.tool,
        text: line.text,
        arguments: { ...expectation.arguments },
      })
    }
    if (validation) {
      for (const [index, line] of this.#corpora.validation.entries())
        if (line.corpus !== 'snips' || index % 4 === 0) add(line)
    } else {
      for (const line of this.#lines(epoch, draw)) add(line)
      for (const grammar of REQUESTS) {
        for (let i = 0; i < this.#synthetic(grammar.templates.length); i++) {
          const task = frameRequest(drawRequest(grammar, this.#pools, draw), draw)
          tasks[task.tool] ??= []
          tasks[task.tool]?.push(task)
        }
      }
      for (const [intent, templates] of Object.entries(WORD_REQUESTS)) {
        for (const template of templates) {
          for (let i = 0; i < 3; i++) {
            const text = textOf(renderTemplate(template, this.#pools, draw))
            words.push({ text: capital(text, draw), answer: draw.pick(WORD_ANSWERS[intent] ?? ['All right.']) })
          }
        }
      }
    }
    const mix: Mix = validation
      ? { ...NANO_MIX, foreign: 0, declines: 0, results: 0, parallel: 0, longer: 0, short: 0 }
      : NANO_MIX
    yield* compose(
      {
        tasks,
        words,
        ranking: this.#ranking,
        pools: this.#pools,
        resultPools: resultPools(this.#pools),
        foreign: this.#foreign,
        mix,
        budget: this.#options.budget,
      },
      draw,
    )
  }

  #synthetic(templates: number): number {
    return Math.ceil((this.#options.synthetic * Math.min(templates, 6)) / 6)
  }

  *#lines(epoch: number, draw: Draw): Generator<HumanLine> {
    const { swapped, snips } = this.#options
    const extra = (slot: string): string | undefined => {
      const pool = POOL_OF_SLOT[slot]
      return pool === undefined ? undefined : textOf(renderTemplate(`{:${pool}}`, this.#pools, draw))
    }
    const rounds = snips > 0 ? Math.max(1, Math.round(1 / snips)) : 0
    for (const [index, line] of this.#corpora.train.entries()) {
      if (line.corpus === 'snips') {
        if (rounds === 0 || (index * 7 + epoch) % rounds !== 0) continue
        const said = draw.chance(0.5) ? line : swapSlots(line, this.#values, () => undefined, 0.7, draw)
        yield draw.chance(0.25) ? jitter(said, draw) : said
        continue
      }
      yield restyle(draw.chance(0.35) ? jitter(line, draw) : line, draw)
      if (line.intent.startsWith('general_') || line.slots.length === 0) continue
      const copies = Math.floor(swapped) + (draw.chance(swapped % 1) ? 1 : 0)
      for (let i = 0; i < copies; i++) {
        const said = swapSlots(line, this.#values, extra, 0.75, draw)
        yield restyle(draw.chance(0.5) ? jitter(said, draw) : said, draw)
      }
    }
  }
}

function capital(text: string, draw: Draw): string {
  return draw.chance(0.3) ? `${text[0]?.toUpperCase()}${text.slice(1)}${draw.pick(['.', '!', ''])}` : text
}
