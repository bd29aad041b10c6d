import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, delimiter, join, resolve } from 'node:path'
import { z } from 'zod'
import { type DownloadOptions, download, hubUrl } from './hub.js'
import { type HubWeights, type ModelManifest, modelManifestSchema } from './model-manifest.js'
import { Sha256Memo } from './sha256-memo.js'

/** A model that cannot be found or whose folder is broken. */
export class ModelFolderError extends Error {
  override readonly name = 'ModelFolderError'

  /**
   * @param code `unknown`: nothing of this name; `manifest`: model.json or a file that it names is broken or absent; `absent`: the
   *   weights are not on this machine and downloading was not allowed.
   * @param where What was asked for, or the file that is wrong.
   * @param message What is wrong and what to do.
   */
  constructor(
    readonly code: 'unknown' | 'manifest' | 'absent',
    readonly where: string,
    message: string,
  ) {
    super(message)
  }
}

/** Where to look for models. */
export interface ModelPlaces {
  /** Folders that hold model folders by their names: the package's `models`, the owner's. */
  readonly named: readonly string[]
  /** Where downloads go and hashes are remembered. Absent: neither. */
  readonly cache?: string
  /** Folders that are searched for weights (default: the variable BOTPSY_MODELS, a list separated as PATH is). */
  readonly search?: readonly string[]
  /** Fetch what is nowhere on this machine (default: it is an error). Needs `cache`. */
  readonly download?: Omit<DownloadOptions, 'sha256'> & { readonly endpoint?: string }
}

/** What is to be loaded; all paths are absolute. */
export interface ResolvedModel {
  readonly name: string
  readonly gguf: string
  /** LoRA adapters in GGUF form. */
  readonly lora: readonly string[]
  /** Jinja source, where it is not the file's own. */
  readonly chatTemplate?: string
  readonly manifest?: ModelManifest
}

/**
 * Finds a model by what `--model` names: a `.gguf` file, a folder with `model.json` (or with a single GGUF file), or a name. A base
 * on the hub is looked for by SHA-256 among the search folders and in the cache before anything is downloaded.
 *
 * @throws ModelFolderError; HubError when a download fails.
 */
export async function resolveModel(wanted: string, places: ModelPlaces): Promise<ResolvedModel> {
  const candidates = [
    resolve(wanted),
    ...(/[\\/]/.test(wanted) ? [] : places.named.map((folder) => join(folder, wanted))),
  ]
  const place = candidates.find((path) => existsSync(path))
  if (place === undefined) {
    const known = await modelNames(places.named)
    const names = known.length > 0 ? `one of the names ${known.join(', ')}` : 'a name (none is known here)'
    throw new ModelFolderError(
      'unknown',
      wanted,
      `There is no model ${wanted}: give a .gguf file, a folder with model.json, or ${names}.`,
    )
  }
  if ((await stat(place)).isFile()) {
    return { name: basename(place).replace(/\.gguf$/i, ''), gguf: place, lora: [] }
  }
  return await fromFolder(place, places)
}

/** Names of the model folders inside the given folders, sorted. */
export async function modelNames(folders: readonly string[]): Promise<string[]> {
  const names = new Set<string>()
  for (const folder of folders) {
    if (!existsSync(folder)) continue
    for (const name of await readdir(folder)) if (existsSync(join(folder, name, 'model.json'))) names.add(name)
  }
  return [...names].sort()
}

async function fromFolder(folder: string, places: ModelPlaces): Promise<ResolvedModel> {
  const path = join(folder, 'model.json')
  if (!existsSync(path)) {
    const files = (await readdir(folder)).filter((name) => name.toLowerCase().endsWith('.gguf'))
    if (files.length === 1) return { name: basename(folder), gguf: join(folder, files[0]!), lora: [] }
    throw new ModelFolderError(
      'manifest',
      folder,
      `${folder} has no model.json and ${files.length} GGUF files; name the file itself.`,
    )
  }
  const manifest = await readManifest(path)
  const beside = (name: string): string => {
    const file = join(folder, name)
    if (!existsSync(file)) throw new ModelFolderError('manifest', path, `${path} names ${name}, which is missing.`)
    return file
  }
  return {
    name: manifest.name ?? basename(folder),
    lora: manifest.adapter === undefined ? [] : [beside(manifest.adapter)],
    ...(manifest.template !== undefined && { chatTemplate: await readFile(beside(manifest.template), 'utf8') }),
    gguf: typeof manifest.weights === 'string' ? beside(manifest.weights) : await findWeights(manifest.weights, places),
    manifest,
  }
}

async function readManifest(path: string): Promise<ModelManifest> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(path, 'utf8'))
  } catch (cause) {
    throw new ModelFolderError(
      'manifest',
      path,
      `${path} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`,
    )
  }
  const parsed = modelManifestSchema.safeParse(value)
  if (!parsed.success)
    throw new ModelFolderError('manifest', path, `${path} cannot be used: ${z.prettifyError(parsed.error)}`)
  return parsed.data
}

/**
 * A file with the SHA-256 of the weights: one of the search folders', the cache's, or a download into the cache.
 * @throws ModelFolderError `absent`; HubError.
 */
export async function findWeights(weights: HubWeights, places: ModelPlaces): Promise<string> {
  const memo = new Sha256Memo(places.cache === undefined ? undefined : join(places.cache, 'sha256.json'))
  const cached = places.cache === undefined ? undefined : join(places.cache, weights.sha256, basename(weights.file))
  const folders = places.search ?? (process.env.BOTPSY_MODELS ?? '').split(delimiter).filter((folder) => folder !== '')
  const files = [...(cached === undefined ? [] : [cached]), ...(await ggufFiles(folders))].filter((file) =>
    existsSync(file),
  )
  // Files of the right name first: hashing gigabytes in vain takes long.
  files.sort((a, b) => Number(basename(b) === basename(weights.file)) - Number(basename(a) === basename(weights.file)))
  for (const file of files) {
    if (weights.bytes !== undefined && (await stat(file)).size !== weights.bytes) continue
    if ((await memo.of(file)) === weights.sha256) return file
  }
  const address = `${weights.owner}/${weights.file}`
  if (places.download === undefined || cached === undefined) {
    throw new ModelFolderError(
      'absent',
      address,
      `The base ${address} is not on this machine. Allow the download, or put the file into a folder that BOTPSY_MODELS lists.`,
    )
  }
  const { endpoint, ...options } = places.download
  const url = hubUrl(
    {
      repository: weights.owner,
      file: weights.file,
      ...(weights.revision !== undefined && { revision: weights.revision }),
    },
    endpoint,
  )
  await download(url, cached, { ...options, sha256: weights.sha256 })
  return cached
}

async function ggufFiles(folders: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const folder of folders) {
    if (!existsSync(folder)) continue
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && entry.name.toLowerCase().endsWith('.gguf')) found.push(join(entry.parentPath, entry.name))
    }
  }
  return found
}
