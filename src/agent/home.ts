import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { finishSwap } from './archive/swap.js'

/** The data folder cannot be made or used. */
export class HomeError extends Error {
  override readonly name = 'HomeError'
  readonly code = 'no-home'
  constructor(
    /** The folder. */
    readonly where: string,
    message: string,
  ) {
    super(message)
  }
}

/** The owner's folders. File tools reach `files` alone; the domains keep their stores beside it. */
export interface Home {
  readonly root: string
  /** The journal's SQLite file. */
  readonly journal: string
  /** The owner's rules. */
  readonly policy: string
  /** The owner's files root, unless another one is named in the settings. */
  readonly files: string
  /** States of evaluated prompts, safe to delete. */
  readonly cache: string
}

/** The platform's place for application data (XDG base directories, macOS and Windows conventions). */
export function defaultHome(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const home = env.HOME && env.HOME !== '' ? env.HOME : homedir()
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'BotPsy')
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'BotPsy')
  return join(
    env.XDG_DATA_HOME && env.XDG_DATA_HOME !== '' ? env.XDG_DATA_HOME : join(home, '.local', 'share'),
    'botpsy',
  )
}

/**
 * The owner's data folder: `data` (from `--data`), else `BOTPSY_HOME`, else the platform's. Makes the folders, readable
 * by the owner alone.
 * @throws HomeError
 */
export function openHome(data?: string, env: NodeJS.ProcessEnv = process.env): Home {
  const root = resolve(data ?? (env.BOTPSY_HOME && env.BOTPSY_HOME !== '' ? env.BOTPSY_HOME : defaultHome(env)))
  const home: Home = {
    root,
    journal: join(root, 'journal.sqlite'),
    policy: join(root, 'policy.yaml'),
    files: join(root, 'files'),
    cache: join(root, 'cache'),
  }
  finishSwap(root)
  try {
    for (const folder of [home.root, home.files, home.cache]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
    }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    throw new HomeError(root, `The data folder ${root} cannot be made (${text}). Name another one with --data DIR.`)
  }
  return home
}
