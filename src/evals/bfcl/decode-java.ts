import type { Node } from '@vscode/tree-sitter-wasm'
import { PyError } from '../python/errors.js'
import { PyDict, type PyValue } from '../python/values.js'
import type { SyntaxTree } from './syntax-tree.js'

/** The official decoder cuts the text (a str) at offsets that count UTF-8 bytes; this reproduces the slip. */
class ByteSlicer {
  readonly #characters: readonly string[]
  /** Bytes before each UTF-16 unit; undefined for plain ASCII, where all offsets agree. */
  readonly #bytes: readonly number[] | undefined

  constructor(private readonly source: string) {
    const ascii = /^[\x00-\x7f]*$/.test(source)
    this.#characters = ascii ? [] : [...source]
    if (ascii) return
    const bytes: number[] = []
    let count = 0
    for (const character of source) {
      for (let unit = 0; unit < character.length; unit += 1) bytes.push(count)
      count += Buffer.byteLength(character)
    }
    bytes.push(count)
    this.#bytes = bytes
  }

  text(node: Node): string {
    if (this.#bytes === undefined) return this.source.slice(node.startIndex, node.endIndex)
    return this.#characters.slice(this.#bytes[node.startIndex], this.#bytes[node.endIndex]).join('')
  }
}

/**
 * Reads the first method call of a Java text: `[{name: {parameter: source text}}]`, or an empty dict when there is none.
 * String and character literals lose their quotes; arguments without a name have the key None.
 *
 * Source: the Java parser of BFCL v4.
 * @throws PyError SyntaxError, Exception when a parameter stands twice
 */
export function decodeJavaCall(source: string, tree: SyntaxTree): PyValue {
  if (tree.failed) throw new PyError('SyntaxError', 'Error parsing java the source code.')
  const slicer = new ByteSlicer(source)
  return firstCall(tree.root, slicer) ?? new PyDict()
}

function firstCall(node: Node, slicer: ByteSlicer): PyValue | undefined {
  if (node.type !== 'method_invocation') {
    for (const child of node.children) {
      const found = child && firstCall(child, slicer)
      if (found !== undefined && found !== null) return found
    }
    return undefined
  }
  const method = slicer.text(node.childForFieldName('name')!)
  const object = node.childForFieldName('object')
  const name = object ? `${slicer.text(object)}.${method}` : method
  const args = node.childForFieldName('arguments')
  return args ? [new PyDict().set(name, argumentsOf(args, slicer))] : undefined
}

function argumentsOf(list: Node, slicer: ByteSlicer): PyDict {
  const found = new PyDict()
  const add = (key: PyValue, value: string): void => {
    if (found.has(key))
      throw new PyError('Exception', 'Error: Multiple arguments with the same name are not supported.')
    found.set(key, value)
  }
  for (const child of list.children) {
    if (child?.type === 'assignment_expression')
      add(slicer.text(child.children[0]!), sourceOf(child.children[2]!, slicer, false))
    else if (child?.type === 'identifier' || child?.type === 'class_literal') add(null, sourceOf(child, slicer, false))
  }
  return found
}

/** Source text of a value, put together from its tokens without the white space between them. */
function sourceOf(node: Node | null, slicer: ByteSlicer, nested: boolean): string {
  if (node === null) throw new PyError('AttributeError', "'NoneType' object has no attribute 'type'")
  switch (node.type) {
    case 'string_literal':
    case 'character_literal':
      return nested ? slicer.text(node) : [...slicer.text(node)].slice(1, -1).join('')
    case 'identifier':
    case 'class_literal':
    case 'type_identifier':
    case 'method_invocation':
      return slicer.text(node)
    case 'array_creation_expression': {
      const type = sourceOf(node.childForFieldName('type'), slicer, true)
      return `new ${type}[]${sourceOf(node.childForFieldName('value'), slicer, true)}`
    }
    case 'object_creation_expression': {
      const type = sourceOf(node.childForFieldName('type'), slicer, true)
      const args = node.childForFieldName('arguments')?.children ?? []
      const texts = args.filter((child) => !['(', ')', ','].includes(child?.type ?? ''))
      return `new ${type}(${texts.map((child) => sourceOf(child, slicer, true)).join(', ')})`
    }
  }
  if (node.childCount === 0) return slicer.text(node)
  return node.children.map((child) => sourceOf(child, slicer, true)).join('')
}
