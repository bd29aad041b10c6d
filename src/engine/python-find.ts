import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { PythonEnvError } from './python-env-error.js'

const run = promisify(execFile)

/** Oldest Python that the worker's pinned packages support. */
export const OLDEST_PYTHON: readonly [number, number] = [3, 11]

/** A Python interpreter that was started once to learn what it is. */
export interface PythonInterpreter {
  /** Absolute path of the executable. */
  readonly executable: string
  /** e.g. `3.11.7`. */
  readonly version: string
  /** Whether it can make virtual environments with pip inside (Debian splits this off). */
  readonly canMakeEnvs: boolean
}

/** Commands tried, the version that the lock file was tested with first. */
function candidates(): string[][] {
  const named = ['python3.11', 'python3.12', 'python3.13', 'python3.14', 'python3', 'python'].map((name) => [name])
  return process.platform === 'win32' ? [['py', '-3.11'], ['py', '-3'], ...named] : named
}

const QUESTION = [
  'import json, sys',
  'try:',
  '    import ensurepip, venv',
  '    ready = True',
  'except ImportError:',
  '    ready = False',
  'print(json.dumps([sys.executable, list(sys.version_info[:3]), ready]))',
].join('\n')

/**
 * Starts an interpreter and asks what it is.
 * @returns undefined when the command is missing, fails, or answers something that is no Python.
 */
export async function askPython(command: readonly string[]): Promise<PythonInterpreter | undefined> {
  const [program, ...args] = command
  if (program === undefined) return undefined
  try {
    const { stdout } = await run(program, [...args, '-I', '-c', QUESTION], { timeout: 20_000 })
    const answer: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
    if (!Array.isArray(answer)) return undefined
    const [executable, version, ready] = answer as unknown[]
    if (typeof executable !== 'string' || executable === '' || !Array.isArray(version)) return undefined
    return { executable, version: version.join('.'), canMakeEnvs: ready === true }
  } catch {
    return undefined
  }
}

/** Whether a version such as `3.11.7` is new enough. */
export function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > OLDEST_PYTHON[0] || (major === OLDEST_PYTHON[0] && minor >= OLDEST_PYTHON[1])
}

/**
 * Finds an interpreter on the PATH that is new enough and can make environments.
 * @throws {PythonEnvError} `no-python`, `old-python` or `no-venv`, each telling what to install.
 */
export async function findPython(): Promise<PythonInterpreter> {
  const seen: PythonInterpreter[] = []
  for (const command of candidates()) {
    const found = await askPython(command)
    if (found === undefined) continue
    if (isSupported(found.version) && found.canMakeEnvs) return found
    seen.push(found)
  }
  const oldest = OLDEST_PYTHON.join('.')
  const bare = seen.find((python) => isSupported(python.version))
  if (bare !== undefined) {
    throw new PythonEnvError(
      'no-venv',
      bare.executable,
      `Python ${bare.version} at ${bare.executable} lacks the venv module.`,
      'Install it (on Debian and Ubuntu the package is python3-venv) or point BOTPSY_PYTHON to another interpreter.',
    )
  }
  const old = seen[0]
  if (old !== undefined) {
    throw new PythonEnvError(
      'old-python',
      old.executable,
      `Python ${old.version} is too old: training needs ${oldest} or newer.`,
      `Install Python ${oldest} or newer, or point BOTPSY_PYTHON to one.`,
    )
  }
  throw new PythonEnvError(
    'no-python',
    'PATH',
    'No Python interpreter was found; training needs one (talking to a model does not).',
    `Install Python ${oldest} or newer, or point BOTPSY_PYTHON to one.`,
  )
}
