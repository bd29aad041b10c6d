import { bindArguments } from '../../python/bind-arguments.js'
import { BUILTINS, valueAttribute } from '../../python/builtins.js'
import { PyError } from '../../python/errors.js'
import { evaluateNames, type Names } from '../../python/evaluate-names.js'
import { dumpPythonJson } from '../../python/json-dump.js'
import { parsePythonExpression } from '../../python/parser.js'
import { pyStr } from '../../python/repr.js'
import { PyDict, PyObject, type PyValue } from '../../python/values.js'
import type { Simulator } from './simulators/simulator.js'

/** Names that the official executor refuses to call. */
const REFUSED = new Set(['kill', 'exit', 'quit', 'remove', 'unlink', 'popen', 'Popen', 'run'])
/** A name before an opening bracket, in texts too, with the white space between, which the official executor drops. */
const CALLED = /(?<![\p{L}\p{N}_])([a-zA-Z_][\p{L}\p{N}_]*)[\s\x1c-\x1f\x85]*(?=\()/gu

/** Executes call strings on the instances of a case, as the official executor's `eval` does. */
export class Executor {
  readonly #owners = new Map<string, string>()
  readonly #objects = new Map<string, PyObject>()
  readonly #instanceOf = new Map<PyValue, Simulator>()
  readonly #names: Names

  /** @param prefix what the names of the instances begin with, seen only where a text holds `name(` */
  constructor(instances: ReadonlyMap<string, Simulator>, prefix: string) {
    for (const [className, instance] of instances) {
      const name = `${prefix}_${className}_instance`.replace(/[-./:]/g, '_')
      const object = new PyObject('object', `<${className} object>`)
      this.#objects.set(name, object)
      this.#instanceOf.set(object, instance)
      for (const method of instance.methods.keys()) this.#owners.set(method, name)
    }
    this.#names = {
      lookUp: (name) => this.#objects.get(name) ?? BUILTINS.get(name),
      attribute: (value, name) => this.#attribute(value, name),
    }
  }

  /** The string that each call returns; a call that raises gives its message. */
  execute(calls: readonly string[]): string[] {
    return calls.map((call) => this.#one(call))
  }

  #one(given: string): string {
    const call = given.replace(CALLED, (_, name: string) => {
      const owner = this.#owners.get(name)
      return owner === undefined ? name : `${owner}.${name}`
    })
    try {
      const head = call.split('(')[0]!
      const name = head.includes('.') ? head.split('.')[1]! : head
      if (REFUSED.has(name)) throw new PyError('Exception', `Function call ${name} is not allowed.`)
      return shown(evaluateNames(parsePythonExpression(call.replace(/^[ \t]+/, '')), this.#names))
    } catch (error) {
      if (error instanceof PyError) return `Error during execution: ${errorText(error)}`
      throw error
    }
  }

  #attribute(value: PyValue, name: string): PyValue {
    const instance = this.#instanceOf.get(value)
    if (!instance) return valueAttribute(value, name)
    const method = instance.methods.get(name)
    if (method) {
      const full = `${instance.className}.${name}`
      return new PyObject('method', `<bound method ${full}>`, (positional, keywords) =>
        method.run(bindArguments(full, method.parameters, positional, keywords)),
      )
    }
    const attribute = instance.state.get(name)
    if (attribute !== undefined) return attribute
    throw new PyError('AttributeError', `'${instance.className}' object has no attribute '${name}'`)
  }
}

/** A result as the executor hands it on: a dict as JSON where JSON can hold it, all else as `str` shows it. */
function shown(value: PyValue): string {
  if (!(value instanceof PyDict)) return pyStr(value)
  try {
    return dumpPythonJson(value)
  } catch (error) {
    if (error instanceof PyError) return pyStr(value)
    throw error
  }
}

function errorText({ type, message }: PyError): string {
  return type === 'SyntaxError' || type === 'IndentationError' ? `${message} (<string>, line 1)` : message
}
