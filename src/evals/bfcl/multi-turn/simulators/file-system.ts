import { PyError } from '../../../python/errors.js'
import { binary, truth, unary } from '../../../python/evaluate.js'
import { fixedPoint } from '../../../python/format-value.js'
import { greaterThan, iterate, noAttribute } from '../../../python/operations.js'
import { pyStr } from '../../../python/repr.js'
import { pyContains, pyLength, pyLines, pySlice } from '../../../python/sequences.js'
import { pyStrip } from '../../../python/strip.js'
import { PyDict, type PyValue, pyTypeName } from '../../../python/values.js'
import { splitWords, stripEnd } from '../../../text/strings.js'
import { copyNode, moveNode } from './file-system-moves.js'
import { checkDepth, DirectoryNode, FileNode, sameNodes } from './file-system-nodes.js'
import { dict, failure, type Process, Simulator } from './simulator.js'

/** GorillaFileSystem: directories and files below one root. */
export class FileSystem extends Simulator {
  #root = new DirectoryNode('/', null)
  #here: DirectoryNode

  constructor(scenario: PyDict, longContext: boolean, process: Process) {
    super('GorillaFileSystem')
    const root = scenario.get('root')
    if (root instanceof PyDict) {
      const [name, data] = [...root.entries()][0]!
      this.#root = new DirectoryNode(name, null)
      this.#load(contentsOf(data), this.#root, longContext ? process : undefined)
    }
    this.#here = this.#root
    this.#addMethods()
  }

  override differing(other: Simulator): string[] {
    return other instanceof FileSystem && sameNodes(other.#root, this.#root) ? [] : ['root']
  }

  #load(current: PyDict, parent: DirectoryNode, process: Process | undefined): void {
    let innermost = true
    for (const [name, data] of current.entries()) {
      if (!(data instanceof PyDict)) continue
      if (data.get('type') === 'directory') {
        innermost = false
        const directory = new DirectoryNode(name, parent)
        this.#load(contentsOf(data), directory, process)
        parent.contents.set(name, directory)
      } else if (data.get('type') === 'file') {
        let content: PyValue = data.get('content') ?? ''
        if (process && !pyContains(process.constants.extension('FILES_TAIL_USED'), name))
          content = binary('+', content, process.constants.extension('FILE_CONTENT_EXTENSION'))
        parent.contents.set(name, new FileNode(name, content))
      }
    }
    if (innermost && process)
      for (const name of iterate(process.constants.extension('POPULATE_FILE_EXTENSION'))) parent.addFile(pyStr(name))
  }

  #addMethods(): void {
    this.method('pwd', '', () => {
      const path: string[] = []
      for (let at: DirectoryNode | null = this.#here; at !== null; at = at.parent) path.unshift(pyStr(at.name))
      return dict({ current_working_directory: `/${path.join('/')}` })
    })
    this.method('ls', 'a=False', ([all]) => {
      let names = [...this.#here.contents.entries()].map(([name]) => name)
      if (!truth(all!))
        names = names.filter((name) => {
          if (typeof name !== 'string') throw noAttribute(name, 'startswith')
          return !name.startsWith('.')
        })
      return dict({ current_directory_content: names })
    })
    this.method('cd', 'folder', ([folder]) => this.#cd(folder!))
    this.method('mkdir', 'dir_name', ([name]) => {
      const what = `mkdir: cannot create directory '${pyStr(name!)}'`
      if (!isValidName(name!)) return failure(`${what}: Invalid character`)
      if (this.#here.contents.has(name!)) return failure(`${what}: File exists`)
      this.#here.addDirectory(name!)
      return null
    })
    this.method('touch', 'file_name', ([name]) => {
      const what = `touch: cannot touch '${pyStr(name!)}'`
      if (!isValidName(name!)) return failure(`${what}: Invalid character`)
      if (this.#here.contents.has(name!)) return failure(`${what}: File exists`)
      this.#here.addFile(name!)
      return null
    })
    this.method('echo', 'content, file_name=None', ([content, name]) => {
      if (name === null) return dict({ terminal_output: content! })
      if (!isValidName(name!)) return failure(`echo: cannot write to '${pyStr(name!)}': Invalid character`)
      if (!truth(name!)) return dict({ terminal_output: content! })
      if (!this.#here.contents.has(name!)) return failure(`echo: cannot write to '${pyStr(name!)}': No such file`)
      const node = this.#here.item(name!)
      if (!(node instanceof FileNode))
        throw new PyError('AttributeError', "'Directory' object has no attribute '_write'")
      node.content = content!
      return null
    })
    this.method('cat', 'file_name', ([name]) => {
      if (!isValidName(name!)) return failure(`cat: '${pyStr(name!)}': Invalid character`)
      if (!this.#here.contents.has(name!)) return failure(`cat: '${pyStr(name!)}': No such file or directory`)
      const node = this.#here.item(name!)
      return node instanceof FileNode
        ? dict({ file_content: node.content })
        : failure(`cat: '${pyStr(name!)}': Is a directory`)
    })
    this.method('find', "path='.', name=None", ([path, name]) => this.#find(path!, name!))
    this.method('wc', "file_name, mode='l'", ([name, mode]) => this.#wc(name!, mode!))
    this.method('sort', 'file_name', ([name]) => {
      const content = this.#content(name!)
      if (content === undefined) return failure(`sort: ${pyStr(name!)}: No such file or directory`)
      const lines = pyLines(content).sort((a, b) => (a === b ? 0 : greaterThan(a, b) ? 1 : -1))
      return dict({ sorted_content: lines.join('\n') })
    })
    this.method('grep', 'file_name, pattern', ([name, pattern]) => {
      const content = this.#content(name!)
      if (content === undefined) return failure(`grep: ${pyStr(name!)}: No such file or directory`)
      return dict({ matching_lines: pyLines(content).filter((line) => pyContains(line, pattern!)) })
    })
    this.method('du', 'human_readable=False', ([readable]) => {
      const size = sizeOf(this.#here, 0)
      if (!truth(readable!)) return dict({ disk_usage: `${size} bytes` })
      let [left, unit] = [size, 'PB']
      for (const one of ['B', 'KB', 'MB', 'GB', 'TB']) {
        if (left < 1024) {
          unit = one
          break
        }
        left /= 1024
      }
      return dict({ disk_usage: `${fixedPoint(left, 2)} ${unit}` })
    })
    this.method('tail', 'file_name, lines=10', ([name, count]) => {
      const content = this.#content(name!)
      if (content === undefined) return failure(`tail: ${pyStr(name!)}: No such file or directory`)
      const lines = pyLines(content)
      const kept = greaterThan(count!, BigInt(lines.length)) ? BigInt(lines.length) : count!
      return dict({ last_lines: [...iterate(pySlice(lines, unary('-', kept), null, null))].map(pyStr).join('\n') })
    })
    this.method('diff', 'file_name1, file_name2', ([first, second]) => {
      const contents = this.#here.contents
      const [a, b] =
        contents.has(first!) && contents.has(second!) ? [this.#content(first!), this.#content(second!)] : []
      if (a === undefined || b === undefined)
        return failure(`diff: ${pyStr(first!)} or ${pyStr(second!)}: No such file or directory`)
      const [left, right] = [pyLines(a), pyLines(b)]
      const changed = left
        .slice(0, right.length)
        .flatMap((line, at) => (line === right[at] ? [] : [`- ${line}\n+ ${right[at]}`]))
      return dict({ diff_lines: changed.join('\n') })
    })
    this.method('mv', 'source, destination', ([source, target]) => moveNode(this.#here, source!, target!))
    this.method('cp', 'source, destination', ([source, target]) => copyNode(this.#here, source!, target!))
    this.method('rm', 'file_name', ([name]) => {
      if (!this.#here.contents.has(name!))
        return failure(`rm: cannot remove '${pyStr(name!)}': No such file or directory`)
      this.#here.contents.delete(name!)
      return dict({ result: `'${pyStr(name!)}' removed` })
    })
    this.method('rmdir', 'dir_name', ([name]) => {
      const what = `rmdir: cannot remove '${pyStr(name!)}'`
      if (!this.#here.contents.has(name!)) return failure(`${what}: No such file or directory`)
      const node = this.#here.item(name!)
      if (!(node instanceof DirectoryNode)) return failure(`${what}: Not a directory`)
      if (node.contents.size > 0) return failure(`${what}: Directory not empty`)
      this.#here.contents.delete(name!)
      return dict({ result: `'${pyStr(name!)}' removed` })
    })
  }

  /** Content of a file of the present directory; undefined when it holds none of this name. */
  #content(name: PyValue): PyValue | undefined {
    if (!this.#here.contents.has(name)) return undefined
    const node = this.#here.item(name)
    return node instanceof FileNode ? node.content : undefined
  }

  #cd(given: PyValue): PyValue {
    if (typeof given !== 'string') throw noAttribute(given, 'rstrip')
    const folder = stripEnd(given, '/') || '/'
    if (folder !== '/' && folder.includes('/'))
      return failure(`cd: ${folder}: Unsupported path. Only one folder level at a time is supported.`)
    if (folder === '..') {
      if (this.#here.parent === null) return failure('Current directory is already the root. Cannot go back.')
      this.#here = this.#here.parent
      return new PyDict()
    }
    const target = this.#navigate(folder)
    if (target instanceof PyDict) return target
    this.#here = target
    return dict({ current_working_directory: target.name })
  }

  #navigate(path: PyValue): DirectoryNode | PyDict {
    if (path === null || path === '.') return this.#here
    if (path === '/') return this.#root
    if (typeof path !== 'string') throw noAttribute(path, 'strip')
    let at = path.startsWith('/') ? this.#root : this.#here
    for (const name of pyStrip(path, '/').split('/')) {
      const next = at.item(name)
      if (!(next instanceof DirectoryNode)) return failure(`cd: '${path}': No such file or directory`)
      at = next
    }
    return at
  }

  #find(path: PyValue, name: PyValue): PyValue {
    const target = this.#navigate(path)
    if (target instanceof PyDict) return failure(pyStr(target.get('error') ?? '').replace('cd:', 'find:'))
    if (typeof path !== 'string') throw noAttribute(path, 'rstrip')
    const matches: string[] = []
    const search = (directory: DirectoryNode, base: string, depth: number): void => {
      checkDepth(depth)
      for (const [item, node] of directory.contents.entries()) {
        const place = `${base}/${pyStr(item)}`
        if (name === null || pyContains(item, name)) matches.push(place)
        if (node instanceof DirectoryNode) search(node, place, depth + 1)
      }
    }
    search(target, stripEnd(path, '/'), 0)
    return dict({ matches })
  }

  #wc(name: PyValue, mode: PyValue): PyValue {
    if (mode !== 'l' && mode !== 'w' && mode !== 'c') return failure(`wc: invalid mode '${pyStr(mode)}'`)
    const content = this.#content(name)
    if (content === undefined) return failure(`wc: ${pyStr(name)}: No such file or directory`)
    if (mode === 'l') return dict({ count: BigInt(pyLines(content).length), type: 'lines' })
    if (mode === 'c') return dict({ count: BigInt(pyLength(content)), type: 'characters' })
    if (typeof content !== 'string') throw noAttribute(content, 'split')
    return dict({ count: BigInt(splitWords(content).length), type: 'words' })
  }
}

function contentsOf(data: PyValue): PyDict {
  const contents = data instanceof PyDict ? data.get('contents') : undefined
  return contents instanceof PyDict ? contents : new PyDict()
}

function isValidName(name: PyValue): boolean {
  return ![...'|/\\?%*:"><'].some((character) => pyContains(name, character))
}

function sizeOf(node: FileNode | DirectoryNode, depth: number): number {
  checkDepth(depth)
  if (node instanceof FileNode) {
    if (typeof node.content !== 'string')
      throw new PyError('AttributeError', `'${pyTypeName(node.content)}' object has no attribute 'encode'`)
    return Buffer.byteLength(node.content)
  }
  let total = 0
  for (const [, child] of node.contents.entries()) total += sizeOf(child, depth + 1)
  return total
}
