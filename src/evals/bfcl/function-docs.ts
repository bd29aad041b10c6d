import type { JsonSchema, JsonValue, ToolSpec } from '../../chat/types.js'
import { deepCopy } from '../python/deep-copy.js'
import { dumpPythonJson } from '../python/json-dump.js'
import { PyDict, PyTuple, type PyValue } from '../python/values.js'
import { languageOf } from './decode.js'

const HINTS = {
  python: ' Note that the provided function is in Python 3 syntax.',
  java: ' Note that the provided function is in Java 8 SDK syntax.',
  javascript: ' Note that the provided function is in JavaScript syntax.',
} as const

/**
 * A function's document as models are shown it: with the language's hint, and for Java and JavaScript with every
 * parameter as a string that holds an expression. The given document stays as it is.
 *
 * Source: _func_doc_language_specific_pre_processing of BFCL v4.
 */
export function hintedDocument(document: PyDict, category: string): PyDict {
  const language = languageOf(category)
  const hinted = deepCopy(document)
  append(hinted, HINTS[language])
  if (language === 'python') return hinted
  const name = language === 'java' ? 'Java' : 'JavaScript'
  const properties = dictIn(dictIn(hinted, 'parameters'), 'properties')
  for (const value of properties?.values() ?? []) {
    if (!(value instanceof PyDict)) continue
    const type = String(value.get('type'))
    append(
      value,
      type === 'any'
        ? ` This parameter can be of any type of ${name} object in string representation.`
        : ` This is ${name} ${type} type parameter in string representation.`,
    )
    if (language === 'java' ? type === 'ArrayList' || type === 'Array' : type === 'array') {
      append(
        value,
        ` The list elements are of type ${String(dictIn(value, 'items')?.get('type'))}; they are not in string representation.`,
      )
      value.delete('items')
    }
    const inner = value.get('properties')
    if (language === 'javascript' && type === 'dict' && inner !== undefined) {
      append(
        value,
        ` The dictionary entries have the following schema; they are not in string representation. ${dumpPythonJson(inner)}`,
      )
      value.delete('properties')
    }
    value.set('type', 'string')
  }
  return hinted
}

const JSON_TYPES: { readonly [type: string]: string } = {
  integer: 'integer',
  number: 'number',
  float: 'number',
  string: 'string',
  boolean: 'boolean',
  bool: 'boolean',
  array: 'array',
  list: 'array',
  dict: 'object',
  object: 'object',
  tuple: 'array',
  any: 'string',
  byte: 'integer',
  short: 'integer',
  long: 'integer',
  double: 'number',
  char: 'string',
  ArrayList: 'array',
  Array: 'array',
  HashMap: 'object',
  Hashtable: 'object',
  Queue: 'array',
  Stack: 'array',
  Any: 'string',
  String: 'string',
  Bigint: 'integer',
}

/**
 * A document as a tool for native calling: JSON Schema types, dots of the name as underscores.
 *
 * Source: convert_to_tool and GORILLA_TO_OPENAPI of BFCL v4, in the form of an OpenAI-compatible endpoint.
 */
export function documentAsTool(hinted: PyDict): ToolSpec {
  const tool = deepCopy(hinted)
  const parameters = dictIn(tool, 'parameters') ?? new PyDict()
  parameters.set('type', 'object')
  castProperties(dictIn(parameters, 'properties'))
  return {
    name: String(tool.get('name')).replaceAll('.', '_'),
    description: String(tool.get('description') ?? ''),
    parameters: toJson(parameters) as JsonSchema,
  }
}

function castProperties(properties: PyDict | undefined): void {
  for (const value of properties?.values() ?? []) {
    if (!(value instanceof PyDict)) continue
    const type = value.get('type')
    if (type === 'float') {
      value.set('format', 'float')
      append(value, ' This is a float type value.')
    }
    value.set('type', castType(type) ?? 'string')
    const cast = value.get('type')
    if (cast !== 'array' && cast !== 'object') continue
    const items = dictIn(value, 'items')
    if (value.has('properties')) castProperties(dictIn(value, 'properties'))
    else if (items) {
      items.set('type', castType(items.get('type')) ?? 'string')
      const inner = dictIn(items, 'items')
      if (items.get('type') === 'array' && inner) inner.set('type', castType(inner.get('type')) ?? 'string')
      else if (items.get('type') === 'object') castProperties(dictIn(items, 'properties'))
    }
  }
}

function castType(type: PyValue | undefined): string | undefined {
  return typeof type === 'string' && Object.hasOwn(JSON_TYPES, type) ? JSON_TYPES[type] : undefined
}

function append(dict: PyDict, text: string): void {
  dict.set('description', String(dict.get('description') ?? '') + text)
}

function dictIn(dict: PyDict | undefined, key: string): PyDict | undefined {
  const value = dict?.get(key)
  return value instanceof PyDict ? value : undefined
}

function toJson(value: PyValue): JsonValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string')
    return value
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(toJson)
  if (value instanceof PyTuple) return value.items.map(toJson)
  if (value instanceof PyDict)
    return Object.fromEntries([...value.entries()].map(([key, item]) => [String(key), toJson(item)]))
  return null
}
