import { z } from 'zod'
import type { Message, ToolSpec } from '../../chat/types.js'
import { corporaFolder } from '../../evals/datasets-place.js'
import type { Conversation } from '../sft/conversation.js'
import { deriveSeed } from '../sft/seed.js'
import type { ExampleSource } from '../sft/source.js'
import { Draw } from './draw.js'
import { readCorpora } from './human.js'

/** Options of the source in a recipe. */
export const CopyDrillOptions = z.strictObject({
  /** Folder that holds hwu64/, slurp/ and snips/; default: of BOTPSY_DATASETS, else of what `botpsy data fetch` brought. */
  corpora: z.string().optional(),
  /** Texts of an epoch. */
  texts: z.number().int().positive().default(400),
  /** Exchanges of a text. */
  exchanges: z.number().int().positive().default(16),
})

const text = { type: 'string' } as const
const tool = (name: string, description: string, ...parameters: string[]): ToolSpec => ({
  name,
  description,
  parameters: { type: 'object', properties: Object.fromEntries(parameters.map((parameter) => [parameter, text])) },
})

const ECHO = tool('echo', 'Repeat a text.', 'text')
const PICK = tool('pick', 'Pick what is called, named or titled so.', 'title')
const PLAN = tool('plan', 'Plan something.', 'title', 'people', 'place', 'when')
const LINK = tool('link', 'Connect two things.', 'from', 'to')

const PLAN_CUES = { title: ['about', 'for'], people: ['with', 'and'], place: ['at', 'in'], when: ['on', 'by'] } as const

/**
 * Drills in copying: requests of words drawn without regard to sense, so that only looking back can tell the next word of
 * a value. A model that starts from random weights learns to copy from these in a fraction of the texts that it takes on
 * real requests, whose values are half guessable. The words come from the training requests.
 */
export class CopyDrills implements ExampleSource {
  readonly #words: readonly string[]

  constructor(
    words: Iterable<string>,
    private readonly options: z.infer<typeof CopyDrillOptions>,
  ) {
    this.#words = [...new Set(words)].sort()
  }

  /** See `ExampleSource.epoch`. */
  *epoch(epoch: number, seed: number): Iterable<Conversation> {
    const draw = new Draw(deriveSeed(seed, 'copy', epoch))
    for (let i = 0; i < this.options.texts; i++) {
      yield {
        tools: draw.shuffled([ECHO, PICK, PLAN, LINK]),
        exchanges: Array.from({ length: this.options.exchanges }, () => this.#exchange(draw)),
      }
    }
  }

  #exchange(draw: Draw): Message[] {
    const kind = draw.weighted([
      ['say', 0.3],
      ['echo', 0.25],
      ['pick', 0.2],
      ['link', 0.1],
      ['plan', 0.15],
    ] as const)
    if (kind === 'say') {
      const said = this.#phrase(draw, 3, 14)
      return [user(`say ${said}`), { role: 'assistant', content: said, toolCalls: [] }]
    }
    if (kind === 'echo') {
      const said = this.#phrase(draw, 1, 12)
      return called(`echo ${said}`, 'echo', { text: said })
    }
    if (kind === 'pick') {
      const title = this.#phrase(draw, 1, 6)
      const tail = draw.chance(0.5) ? ' please' : ''
      return called(`${this.#phrase(draw, 1, 5)} ${draw.pick(['called', 'named', 'titled'])} ${title}${tail}`, 'pick', {
        title,
      })
    }
    if (kind === 'link') {
      const from = this.#phrase(draw, 1, 4)
      const to = this.#phrase(draw, 1, 4)
      const ask = draw.chance(0.5) ? `from ${from} to ${to}` : `to ${to} from ${from}`
      return called(`${draw.pick(['link', 'connect', 'join'])} ${ask}`, 'link', { from, to })
    }
    const asked = (Object.keys(PLAN_CUES) as (keyof typeof PLAN_CUES)[]).filter(() => draw.chance(0.6))
    const values = new Map(asked.map((key) => [key, this.#phrase(draw, 1, 3)]))
    const parts = draw.shuffled(asked).map((key) => `${draw.pick(PLAN_CUES[key])} ${values.get(key)}`)
    return called(`plan ${parts.join(' ')}`.trim(), 'plan', Object.fromEntries(values))
  }

  #phrase(draw: Draw, least: number, most: number): string {
    return Array.from({ length: draw.integer(least, most) }, () => draw.pick(this.#words)).join(' ')
  }
}

function user(content: string): Message {
  return { role: 'user', content }
}

function called(request: string, name: string, values: { readonly [parameter: string]: string }): Message[] {
  return [
    user(request),
    { role: 'assistant', content: '', toolCalls: [{ id: 'call_0', name, arguments: { ...values } }] },
  ]
}

/** Opens the drills as a source for `botpsy train`. Throws CorporaError and ZodError. */
export default function copyDrills(options: Readonly<Record<string, unknown>>): ExampleSource {
  const parsed = CopyDrillOptions.parse(options)
  const corpora = readCorpora(parsed.corpora ?? corporaFolder())
  const cues = new Set(['called', 'named', 'titled', 'from', 'to', 'please', ...Object.values(PLAN_CUES).flat()])
  const words = corpora.train
    .flatMap((line) => line.text.split(/\s+/))
    .filter((word) => /^[\p{L}\p{N}'’.-]+$/u.test(word))
  return new CopyDrills(
    words.filter((word) => !cues.has(word.toLowerCase())),
    parsed,
  )
}
