import type { Node } from '@vscode/tree-sitter-wasm'
import { PyError } from '../python/errors.js'
import { PyDict, type PyValue } from '../python/values.js'
import type { SyntaxTree } from './syntax-tree.js'

/**
 * Reads the first call that is a statement of its own in a JavaScript text: `[{name: {parameter: source text}}]`, or
 * None when there is none. A value in quotes loses them; unnamed identifiers have the key None.
 *
 * Source: the JavaScript parser of BFCL v4.
 * @throws PyError SyntaxError, Exception when a parameter stands twice
 */
export function decodeJavaScriptCall(tree: SyntaxTree): PyValue {
  if (tree.failed) throw new PyError('SyntaxError', 'Error js parsing the source code.')
  for (const statement of tree.root.children) {
    if (statement?.type !== 'expression_statement') continue
    for (const call of statement.children)
      if (call?.type === 'call_expression')
        return [new PyDict().set(call.children[0]!.text, argumentsOf(call.children[1]!))]
  }
  return null
}

function argumentsOf(list: Node): PyDict {
  const found = new PyDict()
  const add = (key: PyValue, value: string): void => {
    if (found.has(key))
      throw new PyError('Exception', 'Error: Multiple arguments with the same name are not supported.')
    found.set(key, value)
  }
  for (const child of list.children) {
    if (child?.type === 'assignment_expression') add(child.children[0]!.text, unquoted(child.children[2]!.text))
    else if (child?.type === 'identifier' || child?.type === 'true') add(null, child.text)
  }
  return found
}

function unquoted(text: string): string {
  const quoted = ['"', "'"].some((quote) => text.startsWith(quote) && text.endsWith(quote))
  return quoted ? text.slice(1, -1) : text
}
