import { pyEquals } from '../../../python/equals.js'
import { PyError } from '../../../python/errors.js'
import { pyStr } from '../../../python/repr.js'
import { hashKey, type PyValue } from '../../../python/values.js'

/** Depth at which a directory that holds itself ends Python's recursion. */
const DEEPEST = 900

/** A file; its content is a str unless a model wrote something else. */
export class FileNode {
  constructor(
    readonly name: PyValue,
    public content: PyValue,
  ) {}
}

/** What a directory holds, by name, in order of insertion. Two directories may share one after a move. */
export class Contents {
  readonly #entries = new Map<string, readonly [PyValue, FileNode | DirectoryNode]>()

  get size(): number {
    return this.#entries.size
  }

  get(name: PyValue): FileNode | DirectoryNode | undefined {
    return this.#entries.get(hashKey(name))?.[1]
  }

  has(name: PyValue): boolean {
    return this.#entries.has(hashKey(name))
  }

  set(name: PyValue, node: FileNode | DirectoryNode): void {
    const key = hashKey(name)
    this.#entries.set(key, [this.#entries.get(key)?.[0] ?? name, node])
  }

  delete(name: PyValue): void {
    this.#entries.delete(hashKey(name))
  }

  copy(): Contents {
    const copy = new Contents()
    for (const [name, node] of this.entries()) copy.set(name, node)
    return copy
  }

  entries(): IterableIterator<readonly [PyValue, FileNode | DirectoryNode]> {
    return this.#entries.values()
  }
}

/** A directory. */
export class DirectoryNode {
  contents = new Contents()

  constructor(
    readonly name: PyValue,
    readonly parent: DirectoryNode | null,
  ) {}

  /** @throws PyError ValueError when the name is taken */
  addFile(name: PyValue, content: PyValue = ''): void {
    if (this.contents.has(name)) throw this.#taken('File', name)
    this.contents.set(name, new FileNode(name, content))
  }

  /** @throws PyError ValueError when the name is taken */
  addDirectory(name: PyValue): DirectoryNode {
    if (this.contents.has(name)) throw this.#taken('Directory', name)
    const added = new DirectoryNode(name, this)
    this.contents.set(name, added)
    return added
  }

  #taken(kind: string, name: PyValue): PyError {
    return new PyError('ValueError', `${kind} '${pyStr(name)}' already exists in directory '${pyStr(this.name)}'.`)
  }

  /** The directory itself for `.`, else what it holds under this name. */
  item(name: PyValue): FileNode | DirectoryNode | undefined {
    return name === '.' ? this : this.contents.get(name)
  }
}

/** Whether two nodes have the same names and contents. @throws PyError RecursionError for a directory that holds itself */
export function sameNodes(a: FileNode | DirectoryNode, b: FileNode | DirectoryNode, depth = 0): boolean {
  if (a === b) return true
  if (a instanceof FileNode) return b instanceof FileNode && pyEquals(a.name, b.name) && pyEquals(a.content, b.content)
  if (!(b instanceof DirectoryNode) || !pyEquals(a.name, b.name)) return false
  checkDepth(depth)
  if (a.contents === b.contents) return true
  if (a.contents.size !== b.contents.size) return false
  for (const [name, node] of a.contents.entries()) {
    const other = b.contents.get(name)
    if (other === undefined || !sameNodes(node, other, depth + 1)) return false
  }
  return true
}

/** @throws PyError RecursionError from the depth on at which Python gives up */
export function checkDepth(depth: number): void {
  if (depth > DEEPEST) throw new PyError('RecursionError', 'maximum recursion depth exceeded')
}
