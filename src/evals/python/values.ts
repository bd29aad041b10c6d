import { PyError } from './errors.js'

/**
 * A Python value. An int is a `bigint` and a float a `number`, so the two never mix; a str is a JavaScript string
 * (astral characters as surrogate pairs); None is `null`; a list is an array.
 */
export type PyValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | PyValue[]
  | PyTuple
  | PyDict
  | PySet
  | PyBytes
  | PyComplex
  | PyEllipsis
  | PyObject

/** A value of a class that is not modelled here (a Decimal, a bound method, a type …): its class, its `repr`, its call. */
export class PyObject {
  constructor(
    /** `type(value).__name__` */
    readonly typeName: PyTypeName,
    /** `repr(value)` */
    readonly repr: string,
    /** What calling it does; undefined: it is not callable. */
    readonly call?: (positional: readonly PyValue[], keywords: ReadonlyMap<string, PyValue>) => PyValue,
  ) {}
}

/** Python's `...`. */
export class PyEllipsis {
  readonly kind = 'ellipsis'
}

/** The one value of its type. */
export const ELLIPSIS = new PyEllipsis()

/** An immutable sequence, different from a list with the same items. */
export class PyTuple {
  constructor(readonly items: readonly PyValue[]) {}
}

/** A byte string. */
export class PyBytes {
  constructor(readonly bytes: Uint8Array) {}
}

/** A complex number of two floats. */
export class PyComplex {
  constructor(
    readonly real: number,
    readonly imag: number,
  ) {}
}

/** A dict: keys keep the order of their first insertion, and keys that are equal in Python (1, 1.0, True) are one. */
export class PyDict {
  readonly #entries = new Map<string, [PyValue, PyValue]>()

  /** A dict of these pairs; a later pair replaces the value of an equal key, keeping place and first key. */
  static of(pairs: Iterable<readonly [PyValue, PyValue]>): PyDict {
    const dict = new PyDict()
    for (const [key, value] of pairs) dict.set(key, value)
    return dict
  }

  get size(): number {
    return this.#entries.size
  }

  /** The value, or undefined when the key is absent. @throws PyError TypeError for an unhashable key. */
  get(key: PyValue): PyValue | undefined {
    return this.#entries.get(hashKey(key))?.[1]
  }

  /** @throws PyError TypeError for an unhashable key. */
  has(key: PyValue): boolean {
    return this.#entries.has(hashKey(key))
  }

  /** @throws PyError TypeError for an unhashable key. */
  set(key: PyValue, value: PyValue): this {
    const hash = hashKey(key)
    const entry = this.#entries.get(hash)
    if (entry) entry[1] = value
    else this.#entries.set(hash, [key, value])
    return this
  }

  /** Removes a key; says whether it was there. @throws PyError TypeError for an unhashable key. */
  delete(key: PyValue): boolean {
    return this.#entries.delete(hashKey(key))
  }

  /** Pairs in order of insertion. */
  entries(): IterableIterator<[PyValue, PyValue]> {
    return this.#entries.values()
  }

  /** Keys in order of insertion. */
  keys(): PyValue[] {
    return [...this.#entries.values()].map(([key]) => key)
  }

  /** Values in order of insertion. */
  values(): PyValue[] {
    return [...this.#entries.values()].map(([, value]) => value)
  }
}

/** A set. Its iteration order is the order of insertion here; Python's depends on hashes and is not reproduced. */
export class PySet {
  readonly #items = new PyDict()

  /** @throws PyError TypeError for an unhashable item. */
  constructor(items: Iterable<PyValue>) {
    for (const item of items) if (!this.#items.has(item)) this.#items.set(item, null)
  }

  get size(): number {
    return this.#items.size
  }

  /** @throws PyError TypeError for an unhashable item. */
  has(item: PyValue): boolean {
    return this.#items.has(item)
  }

  items(): PyValue[] {
    return this.#items.keys()
  }
}

/**
 * A string that is the same for two hashable values exactly when Python takes them for the same dict key.
 * @throws PyError TypeError for a list, dict or set.
 */
export function hashKey(value: PyValue): string {
  if (typeof value === 'string') return `s${value}`
  if (typeof value === 'bigint') return `n${value}`
  if (typeof value === 'boolean') return value ? 'n1' : 'n0'
  if (typeof value === 'number') return Number.isInteger(value) ? `n${BigInt(value)}` : `f${value}`
  if (value === null) return 'N'
  if (value instanceof PyTuple) {
    const keys = value.items.map(hashKey)
    return `t${keys.map((key) => `${key.length}:${key}`).join('')}`
  }
  if (value instanceof PyBytes) return `b${[...value.bytes].join(',')}`
  if (value instanceof PyEllipsis) return 'E'
  if (value instanceof PyComplex) return value.imag === 0 ? hashKey(value.real) : `c${value.real + 0},${value.imag + 0}`
  if (value instanceof PyObject) return `o${value.typeName}:${value.repr}`
  throw new PyError('TypeError', `unhashable type: '${pyTypeName(value)}'`)
}

/** Names of the types of {@link PyValue}, as `type(value).__name__` gives them. */
export type PyTypeName =
  | 'NoneType'
  | 'bool'
  | 'int'
  | 'float'
  | 'str'
  | 'list'
  | 'tuple'
  | 'dict'
  | 'set'
  | 'bytes'
  | 'complex'
  | 'ellipsis'
  | 'Decimal'
  | 'mpf'
  | 'mpc'
  | 'method'
  | 'type'
  | 'builtin_function_or_method'
  | 'dict_keys'
  | 'dict_values'
  | 'dict_items'
  | 'object'

/** `type(value).__name__`. */
export function pyTypeName(value: PyValue): PyTypeName {
  switch (typeof value) {
    case 'string':
      return 'str'
    case 'bigint':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
  }
  if (value === null) return 'NoneType'
  if (Array.isArray(value)) return 'list'
  if (value instanceof PyDict) return 'dict'
  if (value instanceof PyTuple) return 'tuple'
  if (value instanceof PySet) return 'set'
  if (value instanceof PyBytes) return 'bytes'
  if (value instanceof PyObject) return value.typeName
  return value instanceof PyComplex ? 'complex' : 'ellipsis'
}
