import type { Entry, Folder } from './folder.js'
import { cleanPath } from './paths.js'
import { StoreError } from './store-error.js'

/** A folder that lives in memory: the simulated backend of worlds, and a fast one for tests. */
export class MemoryFolder implements Folder {
  private readonly files = new Map<string, { data: Uint8Array; modified: number }>()
  private queue: Promise<unknown> = Promise.resolve()
  private tick = 0

  constructor(private readonly clock: () => number = () => ++this.tick) {}

  read(path: string): Uint8Array | undefined {
    return this.files.get(cleanPath(path))?.data
  }

  write(path: string, data: Uint8Array): void {
    const clean = cleanPath(path)
    if (this.stat(clean)?.kind === 'folder') throw new StoreError('kind', clean, `${clean} is a folder.`)
    this.files.set(clean, { data, modified: this.clock() })
  }

  remove(path: string): void {
    this.files.delete(cleanPath(path))
  }

  move(from: string, to: string): void {
    const source = cleanPath(from)
    const target = cleanPath(to)
    if (this.stat(source) === undefined) throw new StoreError('missing', source, `${source} does not exist.`)
    if (this.stat(target) !== undefined) throw new StoreError('exists', target, `${target} already exists.`)
    for (const [path, file] of [...this.files]) {
      if (path !== source && !path.startsWith(`${source}/`)) continue
      this.files.delete(path)
      this.files.set(target + path.slice(source.length), file)
    }
  }

  list(path: string): readonly Entry[] {
    const clean = cleanPath(path)
    const prefix = clean === '' ? '' : `${clean}/`
    const found = new Map<string, Entry>()
    for (const [name, file] of this.files) {
      if (!name.startsWith(prefix)) continue
      const [first = '', ...more] = name.slice(prefix.length).split('/')
      const at = prefix + first
      if (more.length === 0) found.set(at, { path: at, kind: 'file', size: file.data.length, modified: file.modified })
      else if (!found.has(at)) found.set(at, { path: at, kind: 'folder', size: 0, modified: file.modified })
    }
    return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  stat(path: string): Entry | undefined {
    const clean = cleanPath(path)
    const file = this.files.get(clean)
    if (file) return { path: clean, kind: 'file', size: file.data.length, modified: file.modified }
    if (clean === '' || [...this.files.keys()].some((p) => p.startsWith(`${clean}/`)))
      return { path: clean, kind: 'folder', size: 0, modified: 0 }
    return undefined
  }

  locked<T>(work: () => T | Promise<T>): Promise<T> {
    const next = this.queue.then(work)
    this.queue = next.catch(() => undefined)
    return next
  }
}
