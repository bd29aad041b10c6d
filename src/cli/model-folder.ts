import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, delimiter, join, resolve } from 'node:path'
import { z } from 'zod'
import { packageRoot } from '../engine/package-root.js'

/** No model that could be run; the message says how to get one. The program ends with exit code 4. */
export class NoModelError extends Error {
  override readonly name = 'NoModelError'
  readonly code = 'no-model'
  constructor(
    /** What was asked for. */
    readonly where: string,
    message: string,
  ) {
    super(message)
  }
}

const manifestSchema = z.object({
  name: z.string().optional(),
  /** The weights: a file beside the manifest, or a base on the hub known by its SHA-256. */
  weights: z.union([
    z.string(),
    z.object({ owner: z.string(), file: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  ]),
  /** A LoRA adapter (GGUF) beside the manifest. */
  adapter: z.string().optional(),
  /** A Jinja file beside the manifest, where it is not the weights' own. */
  template: z.string().optional(),
  dialect: z.enum(['qwen3.5', 'hermes', 'pythonic', 'plain']).optional(),
  contextLength: z.int().min(256).optional(),
  sampling: z
    .object({
      temperature: z.number().min(0).optional(),
      topK: z.int().min(0).optional(),
      topP: z.number().optional(),
      minP: z.number().optional(),
      repeatPenalty: z.number().optional(),
    })
    .optional(),
  think: z.union([z.boolean(), z.number()]).optional(),
  /** Trained on this host's own format, without standing instructions; its closing words are checked. */
  tiny: z.boolean().optional(),
})

/** `model.json` of a model folder (docs/architecture.md). */
export type ModelManifest = z.infer<typeof manifestSchema>

/** What is to be loaded. Paths are absolute. */
export interface ModelChoice {
  readonly name: string
  readonly gguf: string
  readonly lora: readonly string[]
  /** Jinja source. */
  readonly chatTemplate?: string
  readonly manifest?: ModelManifest
}

/** Folder of the embedded model in this package. */
export function embeddedModel(): string {
  return join(packageRoot(), 'models', 'botpsy-nano')
}

/**
 * Finds what `--model` names: a folder with `model.json`, a `.gguf` file, or the name of a folder in the package's
 * `models`. Without it the embedded model.
 * @throws NoModelError
 */
export async function chooseModel(
  wanted: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ModelChoice> {
  if (wanted !== undefined && /^https?:/.test(wanted)) {
    throw new NoModelError(wanted, `${wanted} is an endpoint, not a model file.`)
  }
  const asPath = wanted === undefined ? embeddedModel() : resolve(wanted)
  const place = [asPath, ...(wanted === undefined ? [] : [join(packageRoot(), 'models', wanted)])].find(existsSync)
  if (place === undefined) {
    throw new NoModelError(
      wanted ?? 'botpsy-nano',
      wanted === undefined
        ? `The embedded model is missing (${asPath}). Reinstall the package, or name a model with --model FILE.gguf.`
        : `There is no model ${wanted}: give a folder with model.json, a .gguf file, or one of: ${packagedModels().join(', ') || 'none is packaged'}.`,
    )
  }
  if (statSync(place).isFile()) return { name: basename(place).replace(/\.gguf$/i, ''), gguf: place, lora: [] }
  return fromFolder(place, env)
}

/** Names of the model folders in this package. */
export function packagedModels(): string[] {
  const folder = join(packageRoot(), 'models')
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, 'model.json')))
}

async function fromFolder(folder: string, env: NodeJS.ProcessEnv): Promise<ModelChoice> {
  const file = join(folder, 'model.json')
  if (!existsSync(file)) {
    const ggufs = readdirSync(folder).filter((name) => name.toLowerCase().endsWith('.gguf'))
    if (ggufs.length === 1) return { name: basename(folder), gguf: join(folder, ggufs[0]!), lora: [] }
    throw new NoModelError(folder, `${folder} has no model.json and ${ggufs.length} .gguf files; name the file itself.`)
  }
  let manifest: ModelManifest
  try {
    manifest = manifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    const text = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    throw new NoModelError(file, `${file} cannot be used: ${text}`)
  }
  const gguf =
    typeof manifest.weights === 'string' ? join(folder, manifest.weights) : await findBase(manifest.weights, env)
  if (!existsSync(gguf)) throw new NoModelError(gguf, `The weights ${gguf} that ${file} names are missing.`)
  return {
    name: manifest.name ?? basename(folder),
    gguf,
    lora: manifest.adapter ? [join(folder, manifest.adapter)] : [],
    manifest,
    ...(manifest.template ? { chatTemplate: readFileSync(join(folder, manifest.template), 'utf8') } : {}),
  }
}

/** A base by its SHA-256 in the folders of BOTPSY_MODELS: files of the right name first, then every other GGUF. */
async function findBase(
  base: { readonly owner: string; readonly file: string; readonly sha256: string },
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const found: string[] = []
  for (const folder of (env.BOTPSY_MODELS ?? '').split(delimiter)) {
    if (folder === '' || !existsSync(folder)) continue
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && entry.name.toLowerCase().endsWith('.gguf')) found.push(join(entry.parentPath, entry.name))
    }
  }
  found.sort((a, b) => Number(basename(b) === base.file) - Number(basename(a) === base.file))
  for (const file of found) if ((await sha256(file)) === base.sha256) return file
  throw new NoModelError(
    base.file,
    `The base ${base.owner}/${base.file} is not on this machine. Download it from the public hub into a folder and name that folder in BOTPSY_MODELS.`,
  )
}

function sha256(file: string): Promise<string> {
  return new Promise((done, fail) => {
    const hash = createHash('sha256')
    createReadStream(file)
      .on('data', (chunk) => hash.update(chunk))
      .on('error', fail)
      .on('end', () => done(hash.digest('hex')))
  })
}
