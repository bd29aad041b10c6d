import { callDict } from '../python/calls.js'
import { PyError } from '../python/errors.js'
import { parsePythonExpression } from '../python/parser.js'
import { pyRepr, pyStr } from '../python/repr.js'
import { pyStrip } from '../python/strip.js'
import { PyDict, type PyValue, pyTypeName } from '../python/values.js'

/** What happens to an element of the list that is no call. */
export type OtherElements = 'refuse' | 'skip'

/**
 * Reads an agent's message as calls and writes each again as Python source, as the execution role of ACEBench does before
 * it evaluates them. A text that is an expression but no call and no list gives no calls.
 *
 * Source: decode_function_list of ACEBench (roles EXECUTION_STEP and EXECUTION).
 * @throws PyError where the official code raises
 */
export function readSteps(message: string, others: OtherElements): string[] {
  if (message === '') throw new PyError('IndexError', 'string index out of range')
  let text = message.startsWith(' ') ? message.slice(1) : message
  if (!text.startsWith('[')) text = `[${text}`
  if (!text.endsWith(']')) text = `${text}]`
  const body = parsePythonExpression(pyStrip(text, "[]'"))
  const elements = body.kind === 'Tuple' || body.kind === 'List' ? body.items : body.kind === 'Call' ? [body] : []
  const calls: PyDict[] = []
  for (const element of elements) {
    if (element.kind === 'Call') calls.push(callDict(element, 'source'))
    else if (others === 'refuse') throw new PyError('ValueError', 'Element is not a function call')
  }
  return calls.flatMap((call) => [...call.entries()].map(([name, values]) => source(name, values)))
}

function source(name: PyValue, values: PyValue): string {
  if (!(values instanceof PyDict))
    throw new PyError('AttributeError', `'${pyTypeName(values)}' object has no attribute 'items'`)
  const written = [...values.entries()].map(([key, value]) => `${pyStr(key)}=${sourceOf(value)}`)
  return `${pyStr(name)}(${written.join(', ')})`
}

/** A dict is taken for a nested call, named by its first key, whatever it is. */
function sourceOf(value: PyValue): string {
  if (!(value instanceof PyDict)) return pyRepr(value)
  const [name] = value.keys()
  if (name === undefined) throw new PyError('IndexError', 'list index out of range')
  return source(name, value.get(name)!)
}
