import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Home } from '../../agent/home.js'
import { cacheFolder } from '../../engine/python-env.js'
import { findPython } from '../../engine/python-find.js'
import { sha256OfFile } from '../../model/hub.js'
import { resolveModel } from '../../model/model-folder.js'
import { EMBEDDED_MODEL, openEngine, packagedModels } from '../open-engine.js'
import { type Check, guard, ill, info, well } from './check.js'

/** Oldest Node that BotPsy runs on, as package.json says. */
const OLDEST_NODE: readonly [number, number] = [20, 12]

/** The program's own parts: Node, model, native module, Python. */
export async function machineChecks(home: Home, model: string | undefined): Promise<readonly Check[]> {
  return Promise.all([
    guard('node', 'Install a newer Node.', node),
    guard('model', 'Reinstall BotPsy, or name another model with --model.', () => modelFile(home, model)),
    guard('engine', 'Run: npm rebuild — or name an endpoint with --model.', () => engine(home, model)),
    guard('python', 'Install Python 3.11 with venv.', python),
  ])
}

function node(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]))
    return ill('node', `Node ${process.versions.node} is too old`, `Install Node ${OLDEST_NODE.join('.')} or newer.`)
  return well('node', `Node ${process.versions.node} on ${process.platform} ${process.arch}`)
}

async function modelFile(home: Home, model: string | undefined): Promise<Check> {
  if (model !== undefined && /^https?:\/\//.test(model)) return info('model', `at ${model}`)
  const { gguf } = await resolveModel(model ?? join(packagedModels(), EMBEDDED_MODEL), {
    named: [packagedModels(), join(home.root, 'models')],
    cache: home.cache,
  })
  const sum = await sha256OfFile(gguf)
  const list = join(gguf, '..', 'SHA256SUMS')
  const wanted = existsSync(list) ? sumOf(readFileSync(list, 'utf8'), basename(gguf)) : undefined
  if (wanted !== undefined && wanted !== sum)
    return ill(
      'model',
      `${gguf} is not the file that was published (SHA-256 ${sum.slice(0, 12)}…)`,
      'Reinstall BotPsy.',
    )
  return well('model', `${basename(gguf)}, SHA-256 ${sum.slice(0, 12)}…${wanted === undefined ? '' : ' as published'}`)
}

/** The sum of one file in the format of sha256sum(1). */
function sumOf(text: string, name: string): string | undefined {
  for (const line of text.split('\n')) {
    const [, sum, file] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line.trim()) ?? []
    if (file === name) return sum
  }
  return undefined
}

async function engine(home: Home, model: string | undefined): Promise<Check> {
  const opened = await openEngine(model === undefined ? {} : { model }, home)
  try {
    // Endpoints do not tell tokens; that they answered at all is the check.
    const tokens = await opened.engine.tokenize?.('Good morning.')
    const name = opened.engine.model.name
    return well('engine', tokens === undefined ? `${name} answers` : `${name} loads and reads text`)
  } finally {
    await opened.engine.close()
  }
}

async function python(): Promise<Check> {
  const named = process.env.BOTPSY_PYTHON
  if (named) return info('python', `${named}, from BOTPSY_PYTHON (for training only)`)
  const folder = join(cacheFolder(), 'python')
  if (existsSync(folder) && readdirSync(folder).length > 0)
    return info('python', `an environment for training is in ${folder}`)
  const found = await findPython().catch((error: Error) => error)
  if (found instanceof Error) return info('python', `${found.message} Only training needs it.`)
  return info('python', `${found.version}; the environment for training is made when it is first needed`)
}
