import { pyToFloat, pyToInt } from './convert-values.js'
import { PyError } from './errors.js'
import { binary, truth } from './evaluate.js'
import { greaterThan, iterate, lessThan, noAttribute } from './operations.js'
import { pyRepr, pyStr } from './repr.js'
import { pyRoundTo } from './round-to.js'
import { pyLength } from './sequences.js'
import { pyStrip } from './strip.js'
import { PyDict, PyObject, PySet, PyTuple, type PyTypeName, type PyValue, pyTypeName } from './values.js'

type Run = (args: readonly PyValue[]) => PyValue

function builtin(name: string, least: number, most: number, run: Run, type: PyTypeName): [string, PyObject] {
  const repr = type === 'type' ? `<class '${name}'>` : `<built-in function ${name}>`
  const object = new PyObject(type, repr, (positional, keywords) => {
    if (keywords.size > 0) throw new PyError('TypeError', `${name}() takes no keyword arguments`)
    if (positional.length < least || positional.length > most) {
      const wanted = least === most ? `exactly ${countOf(least)}` : `from ${least} to ${most} arguments`
      throw new PyError('TypeError', `${name}() takes ${wanted} (${positional.length} given)`)
    }
    return run(positional)
  })
  return [name, object]
}

function countOf(count: number): string {
  return count === 1 ? 'one argument' : `${count} arguments`
}

function best(name: string, wins: (one: PyValue, other: PyValue) => boolean): Run {
  return (args) => {
    const items = args.length === 1 ? iterate(args[0]!) : args
    if (items.length === 0) throw new PyError('ValueError', `${name}() arg is an empty sequence`)
    return items.reduce((kept, one) => (wins(one, kept) ? one : kept))
  }
}

const FUNCTIONS: readonly (readonly [string, number, number, Run])[] = [
  ['len', 1, 1, ([value]) => BigInt(pyLength(value!))],
  ['sum', 1, 2, ([items, start]) => iterate(items!).reduce((all, one) => binary('+', all, one), start ?? 0n)],
  ['min', 1, Number.POSITIVE_INFINITY, best('min', lessThan)],
  ['max', 1, Number.POSITIVE_INFINITY, best('max', greaterThan)],
  ['round', 1, 2, ([value, digits]) => pyRoundTo(value!, digits ?? null)],
  ['abs', 1, 1, ([value]) => (lessThan(value!, 0n) ? binary('*', value!, -1n) : binary('+', value!, 0n))],
  ['repr', 1, 1, ([value]) => pyRepr(value!)],
  ['print', 0, Number.POSITIVE_INFINITY, () => null],
  ['sorted', 1, 1, ([items]) => [...iterate(items!)].sort((a, b) => (lessThan(a, b) ? -1 : lessThan(b, a) ? 1 : 0))],
]

const TYPES: readonly (readonly [string, number, number, Run])[] = [
  ['str', 0, 1, ([value]) => (value === undefined ? '' : pyStr(value))],
  ['int', 0, 1, ([value]) => (value === undefined ? 0n : pyToInt(value))],
  ['float', 0, 1, ([value]) => (value === undefined ? 0 : pyToFloat(value))],
  ['bool', 0, 1, ([value]) => value !== undefined && truth(value)],
  ['list', 0, 1, ([items]) => (items === undefined ? [] : [...iterate(items)])],
  ['tuple', 0, 1, ([items]) => new PyTuple(items === undefined ? [] : [...iterate(items)])],
  ['set', 0, 1, ([items]) => new PySet(items === undefined ? [] : iterate(items))],
]

/** The built-in functions and types that are modelled, by name. */
export const BUILTINS: ReadonlyMap<string, PyValue> = new Map([
  ...FUNCTIONS.map(([name, least, most, run]) => builtin(name, least, most, run, 'builtin_function_or_method')),
  ...TYPES.map(([name, least, most, run]) => builtin(name, least, most, run, 'type')),
])

/** `value.name` for the methods of str and dict that are modelled. @throws PyError AttributeError for all else */
export function valueAttribute(value: PyValue, name: string): PyValue {
  const methods = typeof value === 'string' ? textMethods(value) : value instanceof PyDict ? dictMethods(value) : {}
  const run = Object.hasOwn(methods, name) ? methods[name] : undefined
  if (!run) throw noAttribute(value, name)
  return new PyObject('builtin_function_or_method', `<built-in method ${name} of ${pyTypeName(value)} object>`, run)
}

function textMethods(text: string): Readonly<Record<string, Run>> {
  return {
    upper: () => text.toUpperCase(),
    lower: () => text.toLowerCase(),
    strip: ([characters]) => pyStrip(text, typeof characters === 'string' ? characters : undefined),
    split: ([separator]) =>
      typeof separator === 'string' ? text.split(separator) : text.split(/\s+/).filter((word) => word !== ''),
    replace: ([from, to]) => text.replaceAll(pyStr(from ?? ''), () => pyStr(to ?? '')),
    startswith: ([start]) => text.startsWith(pyStr(start ?? '')),
    endswith: ([end]) => text.endsWith(pyStr(end ?? '')),
    join: ([items]) =>
      iterate(items ?? null)
        .map(pyStr)
        .join(text),
  }
}

function dictMethods(dict: PyDict): Readonly<Record<string, Run>> {
  return {
    get: ([key, standard]) => dict.get(key ?? null) ?? standard ?? null,
    keys: () => dict.keys(),
    values: () => dict.values(),
    items: () => [...dict.entries()].map((pair) => new PyTuple(pair)),
  }
}
