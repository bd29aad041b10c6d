import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { ScheduleShape } from './schedule.js'
import { SftError } from './sft-error.js'

const positive = z.number().int().positive()

const SourceShape = z
  .strictObject({
    /** JSON lines of conversations (`.jsonl`, or gzipped `.jsonl.gz`). */
    file: z.string().optional(),
    /** Name of a registered generator. */
    generator: z.string().optional(),
    /** ES module whose `export` (default `default`) makes a source from `options`. */
    module: z.string().optional(),
    export: z.string().default('default'),
    options: z.record(z.string(), z.unknown()).default({}),
    /** How often examples are drawn from it, relative to the other sources; default its size where known, else 1. */
    share: z.number().positive().optional(),
  })
  .refine((s) => [s.file, s.generator, s.module].filter((x) => x !== undefined).length === 1, {
    message: 'name exactly one of file, generator and module',
  })

/** One source of examples in a recipe. */
export type SourceSpec = z.infer<typeof SourceShape>

const RecipeShape = z.strictObject({
  name: z.string().regex(/^[\w.-]+$/),
  /** Folder of the run: checkpoints, metrics. Relative to the recipe. */
  output: z.string(),
  seed: z.number().int().nonnegative().default(0),
  model: z
    .strictObject({
      /** Content of a config.json; `vocab_size` and the special ids are filled in from the tokenizer where absent. */
      config: z.looseObject({ model_type: z.string() }).optional(),
      /** Hugging Face folder to start from. */
      checkpoint: z.string().optional(),
      train: z.enum(['full', 'lora']).default('full'),
      lora: z
        .strictObject({
          rank: positive,
          alpha: z.number().positive(),
          dropout: z.number().min(0).max(1).optional(),
          targets: z.array(z.string()).optional(),
        })
        .optional(),
      dtype: z.enum(['float32', 'bfloat16']).default('float32'),
      kernels: z.enum(['auto', 'reference']).default('auto'),
    })
    .refine((m) => (m.config === undefined) !== (m.checkpoint === undefined), {
      message: 'name exactly one of config and checkpoint',
    }),
  /** tokenizer.json. */
  tokenizer: z.string(),
  /** Jinja chat template. */
  template: z.string(),
  data: z.strictObject({
    sources: z.array(SourceShape).min(1),
    /** Longer examples are cut after the last assistant turn that fits. */
    maxTokens: positive.default(2048),
    /** Loss weight of what the user says, as an auxiliary language-model loss. */
    auxWeight: z.number().min(0).max(1).default(0),
    /** Examples that are shuffled and sorted by length together. */
    pool: positive.default(1024),
    /** Folder of tokenised files; default beside the run. */
    cache: z.string().optional(),
  }),
  batch: z.strictObject({
    /** Tokens (with padding) of one optimizer step, at most. */
    tokens: positive,
    /** Tokens (with padding) of one request to the worker, at most; default all of the step. */
    microTokens: positive.optional(),
  }),
  optimizer: z.strictObject({
    schedule: ScheduleShape,
    beta1: z.number().min(0).lt(1).default(0.9),
    beta2: z.number().min(0).lt(1).default(0.95),
    eps: z.number().positive().default(1e-8),
    weightDecay: z.number().nonnegative().default(0.1),
    /** 0: no clipping. */
    maxGradNorm: z.number().nonnegative().default(1),
  }),
  /** Optimizer steps of the whole run. */
  steps: positive,
  evaluation: z
    .strictObject({
      files: z.record(z.string(), z.string()),
      /** Steps between evaluations. */
      every: positive.default(200),
      /** At most so many examples of each file, the first ones. */
      examples: positive.default(200),
      /** File whose loss decides which checkpoint is the best; default the first. */
      best: z.string().optional(),
    })
    .optional(),
  checkpoints: z
    .strictObject({ every: positive.default(200), keep: positive.default(2) })
    .default({ every: 200, keep: 2 }),
  worker: z
    .strictObject({
      threads: positive.default(1),
      nice: z.number().int().min(0).max(19).default(0),
      device: z.enum(['cpu', 'cuda']).default('cpu'),
    })
    .default({ threads: 1, nice: 0, device: 'cpu' }),
})

/** Everything about one SFT run; paths are absolute after {@link readRecipe}. */
export type Recipe = z.infer<typeof RecipeShape>

/**
 * Reads a recipe (YAML or JSON) and makes its paths absolute, relative to the file's folder. A path may begin with
 * `$NAME/`, the folder that an environment variable names.
 * @throws {SftError} `bad-recipe` naming the field.
 */
export async function readRecipe(file: string): Promise<Recipe> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw new SftError('bad-recipe', file, `cannot be read (${(error as Error).message}).`)
  }
  return parseRecipe(text, file)
}

/** As {@link readRecipe}, from text; `file` gives the folder that paths are relative to. */
export function parseRecipe(text: string, file: string): Recipe {
  let value: unknown
  try {
    value = parseYaml(text)
  } catch (error) {
    throw new SftError('bad-recipe', file, `is neither YAML nor JSON (${(error as Error).message}).`)
  }
  const parsed = RecipeShape.safeParse(value)
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'recipe'}: ${issue.message}`)
    throw new SftError('bad-recipe', file, `${problems.join('; ')}.`)
  }
  const at = (path: string) => resolve(dirname(resolve(file)), expand(path, file))
  const recipe = parsed.data
  const { checkpoint } = recipe.model
  const { batch, evaluation } = recipe
  if (recipe.data.maxTokens > (batch.microTokens ?? batch.tokens)) {
    throw new SftError(
      'bad-recipe',
      file,
      'data.maxTokens: one example must fit into a request (batch.microTokens or tokens).',
    )
  }
  if (evaluation?.best !== undefined && evaluation.files[evaluation.best] === undefined) {
    throw new SftError('bad-recipe', file, `evaluation.best: there is no evaluation file named ${evaluation.best}.`)
  }
  return {
    ...recipe,
    output: at(recipe.output),
    tokenizer: at(recipe.tokenizer),
    template: at(recipe.template),
    model: { ...recipe.model, ...(checkpoint === undefined ? {} : { checkpoint: at(checkpoint) }) },
    data: {
      ...recipe.data,
      cache: at(recipe.data.cache ?? `${recipe.output}/tokenised`),
      sources: recipe.data.sources.map((source) => ({
        ...source,
        ...(source.file === undefined ? {} : { file: at(source.file) }),
        ...(source.module === undefined ? {} : { module: at(source.module) }),
      })),
    },
    ...(evaluation === undefined
      ? {}
      : {
          evaluation: {
            ...evaluation,
            files: Object.fromEntries(Object.entries(evaluation.files).map(([name, path]) => [name, at(path)])),
          },
        }),
  }
}

/** SHA-256 (hex, 16 digits) of a JSON value; tells whether two runs share a part of their recipe. */
export function fingerprint(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)
}

function expand(path: string, file: string): string {
  return path.replace(/^\$([A-Za-z_]\w*)(?=\/|$)/, (_, name: string) => {
    const value = process.env[name]
    if (!value) throw new SftError('bad-recipe', file, `the path ${path} needs the variable ${name}, which is not set.`)
    return value
  })
}
