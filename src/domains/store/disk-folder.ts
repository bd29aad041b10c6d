import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { withFileLock } from '../../engine/file-lock.js'
import type { Entry, Folder } from './folder.js'
import { cleanPath } from './paths.js'
import { asStoreError, StoreError } from './store-error.js'

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** A folder on the disk. No path leads outside its root, neither by `..` nor by a symbolic link; links are never followed. */
export class DiskFolder implements Folder {
  /** Root as it was given; its own links are resolved once it exists. */
  constructor(
    readonly root: string,
    private readonly lockFile: string,
    private readonly maxBytes = 16 * 1024 * 1024,
    /** True for a root that BotPsy must not make: an unplugged drive is not an empty folder. */
    private readonly mustExist = false,
  ) {}

  /** The real path of a relative one, every part of which was looked at. */
  private locate(path: string): string {
    const clean = cleanPath(path)
    let at: string
    try {
      at = realpathSync(this.root)
    } catch {
      if (this.mustExist)
        throw new StoreError(
          'missing',
          this.root,
          `The folder ${this.root} is not there. Is its drive connected? Choose another one with: botpsy connect files`,
        )
      at = this.root
    }
    const base = at
    for (const part of clean === '' ? [] : clean.split('/')) {
      at = join(at, part)
      let kind: ReturnType<typeof lstatSync> | undefined
      try {
        kind = lstatSync(at)
      } catch (error) {
        if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw asStoreError(error, clean)
        kind = undefined
      }
      if (kind?.isSymbolicLink())
        throw new StoreError(
          'outside',
          clean,
          `${clean} goes through a link, and links are not followed. Use the file itself.`,
        )
      if (kind && !kind.isFile() && !kind.isDirectory())
        throw new StoreError('kind', clean, `${clean} is neither a file nor a folder.`)
    }
    if (at !== base && !at.startsWith(base.endsWith(sep) ? base : base + sep))
      throw new StoreError('outside', clean, `${clean} leads outside.`)
    return at
  }

  private guard<T>(path: string, work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw asStoreError(error, path === '' ? basename(this.root) : path)
    }
  }

  read(path: string): Uint8Array | undefined {
    return this.guard(path, () => {
      const at = this.locate(path)
      const entry = this.stat(path)
      if (entry === undefined) return undefined
      if (entry.kind === 'folder') throw new StoreError('kind', path, `${path} is a folder.`)
      if (entry.size > this.maxBytes)
        throw new StoreError(
          'too-large',
          path,
          `${path} is larger than ${Math.round(this.maxBytes / 1048576)} MB, too large to be read here.`,
        )
      return readFileSync(at)
    })
  }

  write(path: string, data: Uint8Array): void {
    this.guard(path, () => {
      if (data.length > this.maxBytes)
        throw new StoreError(
          'too-large',
          path,
          `The text for ${path} is larger than ${Math.round(this.maxBytes / 1048576)} MB.`,
        )
      const at = this.locate(path)
      if (this.stat(path)?.kind === 'folder') throw new StoreError('kind', path, `${path} is a folder.`)
      makeFolder(dirname(at))
      const temporary = join(dirname(at), `.${randomBytes(6).toString('hex')}.tmp`)
      try {
        const handle = openSync(temporary, 'wx', 0o600)
        try {
          for (let offset = 0; offset < data.length; ) offset += writeSync(handle, data, offset)
          fsyncSync(handle)
        } finally {
          closeSync(handle)
        }
        renameSync(temporary, at)
      } catch (error) {
        rmSync(temporary, { force: true })
        throw error
      }
      syncFolder(dirname(at))
    })
  }

  remove(path: string): void {
    this.guard(path, () => {
      const at = this.locate(path)
      if (this.stat(path) === undefined) return
      unlinkSync(at)
      syncFolder(dirname(at))
    })
  }

  move(from: string, to: string): void {
    this.guard(from, () => {
      const source = this.locate(from)
      const target = this.locate(to)
      const entry = this.stat(from)
      if (entry === undefined) throw new StoreError('missing', from, `${from} does not exist.`)
      if (this.stat(to) !== undefined) throw new StoreError('exists', to, `${to} already exists.`)
      makeFolder(dirname(target))
      if (entry.kind === 'file') {
        // A hard link fails where the target appeared meanwhile, a rename would replace it.
        try {
          linkSync(source, target)
          unlinkSync(source)
        } catch (error) {
          if (codeOf(error) === 'EEXIST') throw new StoreError('exists', to, `${to} already exists.`)
          if (!['EPERM', 'ENOTSUP', 'EXDEV', 'EMLINK', 'ENOSYS'].includes(codeOf(error))) throw error
          renameSync(source, target)
        }
      } else renameSync(source, target)
      syncFolder(dirname(source))
      syncFolder(dirname(target))
    })
  }

  list(path: string): readonly Entry[] {
    return this.guard(path, () => {
      const at = this.locate(path)
      let names: string[]
      try {
        names = readdirSync(at)
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return []
        if (codeOf(error) === 'ENOTDIR')
          throw new StoreError('kind', path, `${path === '' ? basename(this.root) : path} is a file, not a folder.`)
        throw error
      }
      const clean = cleanPath(path)
      const out: Entry[] = []
      for (const name of names) {
        const entry = this.statAt(join(at, name), clean === '' ? name : `${clean}/${name}`)
        if (entry !== undefined && !/^\.[0-9a-f]{12}\.tmp$/.test(name)) out.push(entry)
      }
      return out.sort((a, b) => (a.path < b.path ? -1 : 1))
    })
  }

  stat(path: string): Entry | undefined {
    return this.guard(path, () => this.statAt(this.locate(path), cleanPath(path)))
  }

  /** Links and special files are as if they were not there. */
  private statAt(at: string, path: string): Entry | undefined {
    try {
      const stat = lstatSync(at)
      if (!stat.isFile() && !stat.isDirectory()) return undefined
      return {
        path,
        kind: stat.isDirectory() ? 'folder' : 'file',
        size: stat.isFile() ? stat.size : 0,
        modified: stat.mtimeMs,
      }
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined
      throw error
    }
  }

  async locked<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await withFileLock(this.lockFile, { timeoutMs: 20_000 }, async () => work())
    } catch (error) {
      throw asStoreError(error, basename(this.root))
    }
  }
}

/** Makes a folder and those above it. On a read-only disk Node's own recursion says ENOENT; one step at a time says why. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    let missing = path
    while (!existsSync(dirname(missing)) && dirname(missing) !== missing) missing = dirname(missing)
    mkdirSync(missing)
    mkdirSync(path, { recursive: true })
  }
}

/** Makes a rename durable; some systems do not allow it on folders. */
function syncFolder(path: string): void {
  try {
    const handle = openSync(path, 'r')
    try {
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  } catch {
    // The data itself is on the disk already.
  }
}
