import type { MethodParameter } from '../../../python/bind-arguments.js'
import { pyEquals } from '../../../python/equals.js'
import { evaluate } from '../../../python/evaluate.js'
import { parsePythonExpression } from '../../../python/parser.js'
import { PyDict, type PyValue } from '../../../python/values.js'

/** A public method of a stateful class. */
export interface Method {
  readonly parameters: readonly MethodParameter[]
  /** @param args one value a parameter @throws PyError what the official method raises */
  run(args: readonly PyValue[]): PyValue
}

/** Constants of the official classes, from the data beside the benchmark. */
export interface Constants {
  /** Default state of a class. @throws BfclDataError */
  state(className: string): PyDict
  /** A constant of the long-context categories; always the same object, which methods may change. @throws BfclDataError */
  extension(name: string): PyValue
  /** A single constant of a class. @throws BfclDataError */
  constant(className: string, name: string): PyValue
}

/** What one case's instances are made with; official instances of one process share more than they should. */
export interface Process {
  readonly constants: Constants
  /** Default values that the methods of all instances share, as Python keeps them: one list for all calls. */
  readonly shared: Map<string, PyValue[]>
}

/** An instance of a stateful class of the multi-turn categories. */
export abstract class Simulator {
  /** Public attributes in the order in which the official class sets them. */
  readonly state = new Map<string, PyValue>()
  readonly methods = new Map<string, Method>()

  constructor(readonly className: string) {}

  /** Names of the public attributes in which an instance of the same class differs from this one. */
  differing(other: Simulator): string[] {
    return [...this.state]
      .filter(([name, value]) => {
        const theirs = other.state.get(name)
        return theirs === undefined || (theirs !== value && !pyEquals(theirs, value))
      })
      .map(([name]) => name)
  }

  /** Adds a method; defaults stand in the signature as in Python (`file_name, lines=10`). */
  protected method(name: string, signature: string, run: (args: PyValue[]) => PyValue): void {
    this.methods.set(name, { parameters: parametersOf(signature), run: (args) => run([...args]) })
  }

  /** The attribute; it must have been set. */
  protected get(name: string): PyValue {
    return this.state.get(name) ?? null
  }

  /** Sets attributes from the scenario, else from the default state, in this order. */
  protected load(scenario: PyDict, standard: PyDict, names: readonly string[]): void {
    for (const name of names) this.state.set(name, scenario.get(name) ?? standard.get(name) ?? null)
  }
}

const signatures = new Map<string, readonly MethodParameter[]>()

function parametersOf(signature: string): readonly MethodParameter[] {
  let parameters = signatures.get(signature)
  if (!parameters) {
    const call = parsePythonExpression(`f(${signature})`)
    if (call.kind !== 'Call') throw new Error(`not a signature: ${signature}`)
    parameters = [
      ...call.args.map((node) => ({ name: node.kind === 'Name' ? node.id : '' })),
      ...call.keywords.map(({ name, value }) => ({ name: name ?? '', standard: evaluate(value) })),
    ]
    signatures.set(signature, parameters)
  }
  return parameters
}

/** A dict with these members. */
export function dict(members: Readonly<Record<string, PyValue>>): PyDict {
  return PyDict.of(Object.entries(members))
}

/** `{"error": message}`. */
export function failure(message: string): PyDict {
  return dict({ error: message })
}
