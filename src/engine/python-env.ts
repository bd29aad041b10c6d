import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { LockTimeoutError, withFileLock } from './file-lock.js'
import { packageRoot } from './package-root.js'
import { PythonEnvError } from './python-env-error.js'
import { askPython, findPython, isSupported } from './python-find.js'

export { PythonEnvError, type PythonEnvErrorCode } from './python-env-error.js'

/** Where the environment comes from and goes to; every member has a default. */
export interface PythonEnvOptions {
  /** Interpreter to use as it is, nothing installed. Default: the variable BOTPSY_PYTHON. */
  readonly python?: string
  /** Folder with the requirement files. Default: `trainer/` of this package. */
  readonly requirements?: string
  /**
   * Requirement files in the order of pip calls. Files that end in `.lock` are installed with `--require-hashes --no-deps`.
   * Default: `requirements.lock`, then `requirements-torch.txt` (torch by version alone: its builds differ by platform).
   */
  readonly files?: readonly string[]
  /** Parent of the environments. Default: `botpsy/python` in the platform's cache folder. */
  readonly cache?: string
  /** Receives one line at a time of what happens. */
  readonly onProgress?: (line: string) => void
  readonly signal?: AbortSignal
}

/** A Python that can run the worker. */
export interface PythonEnv {
  /** Path of the interpreter. */
  readonly python: string
  /** Folder of the environment; absent for an interpreter that the user named. */
  readonly folder?: string
  /** Whether this call made it. */
  readonly made: boolean
}

/** The platform's folder for things that can be made again (XDG base directories, macOS and Windows conventions). */
export function cacheFolder(): string {
  if (process.env.XDG_CACHE_HOME) return join(process.env.XDG_CACHE_HOME, 'botpsy')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'botpsy')
  if (process.platform === 'win32') {
    return join(process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'botpsy', 'cache')
  }
  return join(homedir(), '.cache', 'botpsy')
}

/**
 * Gives a Python with everything that the worker imports. The first call makes a virtual environment in the user's
 * cache (network needed once); it is named by the hash of its requirement files, so that a new version of BotPsy makes
 * a new one. Several processes may call at once: one makes it, the others wait. An environment counts only after its
 * last step, so that one left half-made by a crash is made anew.
 * @throws {PythonEnvError} with what to do about it.
 */
export async function ensurePythonEnv(options: PythonEnvOptions = {}): Promise<PythonEnv> {
  const named = options.python ?? process.env.BOTPSY_PYTHON
  if (named) return { python: await checkNamed(named), made: false }

  const source = options.requirements ?? join(packageRoot(), 'trainer')
  const files = (options.files ?? ['requirements.lock', 'requirements-torch.txt']).map((name) => join(source, name))
  const missing = files.find((file) => !existsSync(file))
  if (missing !== undefined) {
    throw new PythonEnvError('no-requirements', missing, `${missing} is missing.`, 'Reinstall BotPsy.')
  }
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file)).update('\0')
  const home = join(options.cache ?? join(cacheFolder(), 'python'), hash.digest('hex').slice(0, 16))

  const ready = current(home)
  if (ready !== undefined) return { python: interpreter(ready), folder: ready, made: false }
  const say = options.onProgress ?? (() => {})
  try {
    return await withFileLock(
      join(home, 'lock'),
      {
        onWait: () => say('Another process is making the Python environment; waiting for it.'),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      },
      async () => {
        const meanwhile = current(home)
        if (meanwhile !== undefined) return { python: interpreter(meanwhile), folder: meanwhile, made: false }
        return await make(home, files, say, options.signal)
      },
    )
  } catch (error) {
    if (error instanceof LockTimeoutError) {
      throw new PythonEnvError(
        'busy',
        error.where,
        'Another process keeps making the environment.',
        'End it, try again.',
      )
    }
    if (options.signal?.aborted) throw new PythonEnvError('aborted', home, 'Stopped while waiting.', 'Run it again.')
    throw error
  }
}

async function checkNamed(python: string): Promise<string> {
  const found = await askPython([python])
  if (found === undefined || !isSupported(found.version)) {
    throw new PythonEnvError(
      'bad-interpreter',
      python,
      `BOTPSY_PYTHON names ${python}, which ${found === undefined ? 'does not run' : `is Python ${found.version}`}.`,
      'Point it to Python 3.11 or newer with the packages of trainer/requirements.lock, or unset it.',
    )
  }
  return python
}

/** The marker `current` names the finished environment; it is written last and by rename. */
function current(home: string): string | undefined {
  const marker = join(home, 'current')
  if (!existsSync(marker)) return undefined
  const folder = join(home, readFileSync(marker, 'utf8').trim())
  return existsSync(interpreter(folder)) ? folder : undefined
}

function interpreter(folder: string): string {
  return process.platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python')
}

async function make(
  home: string,
  files: readonly string[],
  say: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<PythonEnv> {
  const base = await findPython()
  await mkdir(home, { recursive: true })
  for (const entry of await readdir(home)) {
    // Left by makers that died: nobody else can be at work while this process holds the lock.
    if (entry.startsWith('env-')) await rm(join(home, entry), { recursive: true, force: true })
  }
  const name = `env-${randomBytes(4).toString('hex')}`
  const folder = join(home, name)
  try {
    say(
      `Making a Python ${base.version} environment in ${folder} (once; 1 to 6 GB, by the build of PyTorch that pip finds).`,
    )
    await step(base.executable, ['-m', 'venv', folder], 'making the environment', say, signal)
    for (const file of files) {
      const hashes = file.endsWith('.lock') ? ['--require-hashes', '--no-deps'] : []
      const args = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', ...hashes, '-r', file]
      await step(interpreter(folder), args, `installing ${file}`, say, signal)
    }
    const marker = join(home, `current-${name}`)
    await writeFile(marker, `${name}\n`)
    await rename(marker, join(home, 'current'))
    say('The Python environment is ready.')
    return { python: interpreter(folder), folder, made: true }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** Lines of pip worth showing; the rest is kept for the error only. */
const NEWS = /^(Collecting|Downloading|Installing|Successfully|Building|Processing)/

async function step(
  command: string,
  args: readonly string[],
  what: string,
  say: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const child: ChildProcess = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const stop = () => child.kill('SIGTERM')
  signal?.addEventListener('abort', stop, { once: true })
  const tail: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue
    createInterface({ input: stream }).on('line', (line) => {
      tail.push(line)
      if (tail.length > 15) tail.shift()
      const text = line.trim()
      if (NEWS.test(text)) say(text.length > 160 ? `${text.slice(0, 157)}...` : text)
    })
  }
  const code = await new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (status, killed) => resolve(status ?? killed ?? 'killed'))
  })
  signal?.removeEventListener('abort', stop)
  if (code === 0) return
  if (signal?.aborted) throw new PythonEnvError('aborted', command, `Stopped while ${what}.`, 'Run it again.')
  throw new PythonEnvError(
    'install-failed',
    command,
    `${what} failed (${code}). Last lines:\n${tail.join('\n')}\n`,
    'Check the network and pip configuration (index, proxy, certificates); or install trainer/requirements.lock into an ' +
      'environment of your own and point BOTPSY_PYTHON to its interpreter.',
  )
}
