import { existsSync, realpathSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'

const real = (path: string): string => (existsSync(path) ? realpathSync(path) : resolve(path))

/** Paths below the files root that are BotPsy's own: the home, unless the root lies inside the home. */
export function deniedBelow(root: string, home: string): readonly string[] {
  const path = relative(real(root), real(home))
  return path === '' || path.startsWith('..') || isAbsolute(path) ? [] : [path.split(sep).join('/')]
}

/** Names inside the home that may never be the files root. */
const OWN =
  /^(?:calendar|caldav|mail|contacts|locks|models|cache|logs?|domains\.db|journal.*|policy.*|credentials.*|connections.*|service.*|backups?|settings.*|memory.*)$/i

/** True when a folder is the home itself or one of BotPsy's own folders in it, which may never be the files root. */
export function isOwnFolder(root: string, home: string): boolean {
  const inside = relative(real(home), real(root))
  if (inside === '') return true
  return !inside.startsWith('..') && !isAbsolute(inside) && OWN.test(inside.split(sep)[0] ?? '')
}
