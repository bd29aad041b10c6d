import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { download, sha256OfFile } from '../../model/hub.js'
import type { DataSet, PinnedFile } from './catalogue.js'
import {
  type CorpusFiles,
  convertHwu64,
  convertSlurp,
  convertSnips,
  convertXsid,
  formatCorpus,
  readHwu64,
  type SourceFile,
} from './convert-corpora.js'

/** A file made from fetched ones is not what it must be. */
export class DataFetchError extends Error {
  override readonly name = 'DataFetchError'
  readonly code = 'conversion'
  constructor(readonly where: string) {
    super(`${where} came out other than it must be and was not written. Please report it: this is a defect of BotPsy.`)
  }
}

/** How to fetch. */
export interface FetchDataOptions {
  /** Where files of GitHub repositories are served (default: the variable BOTPSY_GITHUB_RAW, else GitHub's own). */
  readonly endpoint?: string
  readonly signal?: AbortSignal
  readonly onFile?: (file: PinnedFile, fetched: boolean) => void
  /** As {@link download} has it. */
  readonly attempts?: number
  readonly pauseMs?: number
}

/** What a fetch did. */
export interface FetchedData {
  readonly fetched: number
  readonly present: number
  readonly made: readonly string[]
}

/**
 * Fetches a set's files at their pinned commit into `folder`, laid out as a datasets folder, and makes what is made of
 * them. A file that is there with the right SHA-256 is left alone; a broken download goes on where it stopped.
 * @param sets All sets, for those that need another one's sources.
 * @throws HubError, DataFetchError
 */
export async function fetchData(
  set: DataSet,
  folder: string,
  sets: readonly DataSet[],
  options: FetchDataOptions = {},
): Promise<FetchedData> {
  const needed = set.name === 'slurp' ? [...set.files, ...filesOf(sets, 'hwu64')] : set.files
  let fetched = 0
  for (const file of needed) {
    const target = join(folder, file.to)
    const there = existsSync(target) && (await sha256OfFile(target)) === file.sha256
    if (!there) {
      await download(rawUrl(file, options.endpoint), target, {
        sha256: file.sha256,
        token: '',
        ...(options.signal ? { signal: options.signal } : {}),
        ...(options.attempts === undefined ? {} : { attempts: options.attempts }),
        ...(options.pauseMs === undefined ? {} : { pauseMs: options.pauseMs }),
      })
      fetched += 1
    }
    options.onFile?.(file, !there)
  }
  const made: string[] = []
  const files = set.made.length === 0 ? undefined : await convert(set, folder, sets)
  for (const { to, sha256 } of set.made) {
    const target = join(folder, to)
    const text = formatCorpus(files?.get(to.slice(`corpora/${set.name}/`.length, -'.jsonl'.length)) ?? [])
    await mkdir(dirname(target), { recursive: true })
    await writeFile(`${target}.part`, text)
    if ((await sha256OfFile(`${target}.part`)) !== sha256) throw new DataFetchError(target)
    await rename(`${target}.part`, target)
    made.push(to)
  }
  return { fetched, present: needed.length - fetched, made }
}

/** Address of a file at its commit. */
export function rawUrl(
  file: Pick<PinnedFile, 'repository' | 'commit' | 'path'>,
  endpoint = process.env.BOTPSY_GITHUB_RAW || 'https://raw.githubusercontent.com',
): string {
  const path = [...file.repository.split('/'), file.commit, ...file.path.split('/')].map(encodeURIComponent).join('/')
  return `${endpoint.replace(/\/+$/, '')}/${path}`
}

async function convert(set: DataSet, folder: string, sets: readonly DataSet[]): Promise<CorpusFiles> {
  const sources = await readSources(set.files, folder, set.name)
  if (set.name === 'hwu64') return convertHwu64(sources)
  if (set.name === 'snips') return convertSnips(sources)
  if (set.name === 'xsid') return convertXsid(sources)
  return convertSlurp(sources, readHwu64(await readSources(filesOf(sets, 'hwu64'), folder, 'hwu64')))
}

function filesOf(sets: readonly DataSet[], name: string): readonly PinnedFile[] {
  return sets.find((set) => set.name === name)?.files ?? []
}

function readSources(files: readonly PinnedFile[], folder: string, set: string): Promise<SourceFile[]> {
  return Promise.all(
    files.map(async ({ to }) => ({
      name: to.slice(`sources/${set}/`.length),
      bytes: await readFile(join(folder, to)),
    })),
  )
}
