import type { MethodParameter } from '../../python/bind-arguments.js'
import { pyEquals } from '../../python/equals.js'
import { PyError } from '../../python/errors.js'
import { PyDict, type PyValue } from '../../python/values.js'

/** A method that a model may call. */
export interface SimulatorMethod {
  /** As Python's messages name it: the class that defines it, then its name. */
  readonly qualifiedName: string
  readonly parameters: readonly MethodParameter[]
  /** @param values one a parameter, in their order @throws PyError */
  run(values: readonly PyValue[]): PyValue
}

/** One stateful class of the agent categories. */
export interface Simulator {
  readonly className: string
  readonly methods: ReadonlyMap<string, SimulatorMethod>
  /** Sets what a case's configuration says; what it does not say returns to the standard. */
  load(scenario: PyDict): void
  /** The attributes that are compared after a run, as Python holds them. */
  saved(): PyDict
}

/** A method's declaration: required parameters by name, others with their standard value. */
export function method(
  qualifiedName: string,
  parameters: readonly (string | readonly [string, PyValue])[],
  run: (...values: PyValue[]) => PyValue,
): readonly [string, SimulatorMethod] {
  const named = parameters.map((one) => (typeof one === 'string' ? { name: one } : { name: one[0], standard: one[1] }))
  return [
    qualifiedName.slice(qualifiedName.indexOf('.') + 1),
    { qualifiedName, parameters: named, run: (values) => run(...values) },
  ]
}

/** `{key: value, …}`. */
export function record(members: { readonly [name: string]: PyValue }): PyDict {
  return PyDict.of(Object.entries(members))
}

/** What most methods answer when they did something. */
export function done(message: string): PyDict {
  return record({ status: true, message })
}

/** What most methods answer when they did nothing. */
export function refused(message: string): PyDict {
  return record({ status: false, message })
}

/** An attribute of the exported initial state that must be a dict; its keys as whole numbers where Python has them so. */
export function dictAttribute(state: PyDict, name: string, wholeKeys = false): PyDict {
  const value = state.get(name)
  if (!(value instanceof PyDict)) throw new PyError('KeyError', `'${name}'`)
  return wholeKeys ? PyDict.of([...value.entries()].map(([key, item]) => [BigInt(String(key)), item] as const)) : value
}

/** An attribute of the exported initial state that must be a list. */
export function listAttribute(state: PyDict, name: string): PyValue[] {
  const value = state.get(name)
  if (!Array.isArray(value)) throw new PyError('KeyError', `'${name}'`)
  return value
}

/** The device that the phone's apps share the methods of; every app holds a state of its own. Source: class BaseApi. */
export class Device implements Simulator {
  readonly className: string = 'BaseApi'
  #wifi: PyValue = false
  #loggedIn: PyValue = true

  get methods(): ReadonlyMap<string, SimulatorMethod> {
    return new Map([
      method('BaseApi.turn_on_wifi', [], () => {
        this.#wifi = true
        return done('Wi-Fi has been turned on')
      }),
      method('BaseApi.login_device', [], () => {
        this.#loggedIn = true
        return done('Device has been logged in')
      }),
    ])
  }

  load(scenario: PyDict): void {
    this.#wifi = scenario.get('wifi') ?? (scenario.has('wifi') ? null : false)
    this.#loggedIn = scenario.get('logged_in') ?? (scenario.has('logged_in') ? null : true)
  }

  saved(): PyDict {
    return record({ wifi: this.#wifi, logged_in: this.#loggedIn })
  }

  /** `self.wifi == False`. */
  protected get isOffline(): boolean {
    return pyEquals(this.#wifi, false)
  }

  /** `self.logged_in == False`. */
  protected get isLocked(): boolean {
    return pyEquals(this.#loggedIn, false)
  }
}
