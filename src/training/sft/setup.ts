import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { ChatTemplate } from '../../chat/index.js'
import type { CreateModel } from '../../engine/worker-client.js'
import { readTokenizerJson, type Tokenizer } from '../../model/index.js'
import type { Recipe } from './recipe.js'
import { SftError } from './sft-error.js'
import type { Tokeniser } from './token-cache.js'
import { tokenise } from './tokenise.js'

/** What a run needs of its tokenizer and template files. */
export interface TextSetup {
  readonly tokenizer: Tokenizer
  readonly template: ChatTemplate
  /** Id of the token that ends a turn. */
  readonly endId: number
  /** For training data. */
  readonly training: Tokeniser
  /** For held-out data: only what the assistant says counts. */
  readonly heldOut: Tokeniser
  /** Files that make a checkpoint folder a whole model for other programs. */
  readonly files: Readonly<Record<string, Uint8Array>>
  /** Changes with the content of tokenizer and template. */
  readonly identity: string
}

/**
 * Reads tokenizer and template.
 * @throws {SftError} `bad-tokenizer` when the tokenizer lacks the template's end-of-turn token; errors of the readers as they are.
 */
export async function readTexts(recipe: Recipe): Promise<TextSetup> {
  const tokenizer = await readTokenizerJson(recipe.tokenizer)
  const source = await readFile(recipe.template, 'utf8')
  const template = new ChatTemplate(source)
  const { endToken } = template.shape
  const endId = tokenizer.idOf(endToken)
  if (endId === undefined) {
    throw new SftError('bad-tokenizer', recipe.tokenizer, `has no token ${endToken || 'for the end of a turn'}.`)
  }
  const raw = await readFile(recipe.tokenizer)
  const tokenizerJson = recipe.tokenizer.endsWith('.gz') ? gunzipSync(raw) : raw
  const identity = createHash('sha256').update(tokenizerJson).update('\0').update(source).digest('hex')
  const make = (auxWeight: number): Tokeniser => {
    const options = { maxTokens: recipe.data.maxTokens, auxWeight }
    return {
      key: JSON.stringify([identity, options]),
      tokenise: (conversation) => tokenise(conversation, template, tokenizer, options),
    }
  }
  const pad = tokenizer.idOf('<|endoftext|>') === undefined ? endToken : '<|endoftext|>'
  const config = { tokenizer_class: 'PreTrainedTokenizerFast', eos_token: endToken, pad_token: pad }
  return {
    tokenizer,
    template,
    endId,
    training: make(recipe.data.auxWeight),
    heldOut: make(0),
    identity,
    files: {
      'tokenizer.json': new Uint8Array(tokenizerJson),
      'tokenizer_config.json': Buffer.from(`${JSON.stringify(config, undefined, 2)}\n`),
      'chat_template.jinja': Buffer.from(source),
    },
  }
}

/** What the worker is asked to create, with the members filled in that the tokenizer decides. */
export function modelRequest(recipe: Recipe, texts: TextSetup, id: string): CreateModel {
  const { config, checkpoint, train, lora, dtype, kernels } = recipe.model
  const endOfText = texts.tokenizer.idOf('<|endoftext|>') ?? texts.endId
  const filled = {
    vocab_size: Math.ceil(texts.tokenizer.size / 64) * 64,
    eos_token_id: texts.endId,
    pad_token_id: endOfText,
    bos_token_id: null,
    ...(config === undefined ? {} : withRopeSections(config)),
  }
  return {
    id,
    ...(checkpoint === undefined ? { config: filled } : { checkpoint }),
    seed: recipe.seed,
    dtype,
    train,
    kernels,
    ...(lora === undefined
      ? {}
      : {
          lora: {
            rank: lora.rank,
            alpha: lora.alpha,
            seed: recipe.seed,
            ...(lora.dropout === undefined ? {} : { dropout: lora.dropout }),
            ...(lora.targets === undefined ? {} : { targets: lora.targets }),
          },
        }),
  }
}

/**
 * Qwen3.5's rotary dimensions are shared among time, height and width of a picture's position; for text the shares do not
 * matter, but llama.cpp refuses shares that add up to more than there is, and the default is that of heads of 256.
 */
function withRopeSections(config: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { model_type, head_dim, rope_parameters } = config
  if (typeof model_type !== 'string' || !model_type.startsWith('qwen3_5') || typeof head_dim !== 'number') return config
  const given = typeof rope_parameters === 'object' && rope_parameters !== null ? rope_parameters : {}
  const rope: Record<string, unknown> = { rope_type: 'default', partial_rotary_factor: 0.25, ...given }
  const pairs = Math.floor((head_dim * Number(rope.partial_rotary_factor)) / 2)
  const first = Math.ceil(pairs / 3)
  const second = Math.ceil((pairs - first) / 2)
  return { ...config, rope_parameters: { mrope_section: [first, second, pairs - first - second], ...rope } }
}
