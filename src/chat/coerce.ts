import { decodeJson, exactNumber } from './json.js'
import { readPythonLiteral } from './python-literal.js'
import type { JsonObject, JsonSchema, JsonValue, ToolSpec } from './types.js'

/**
 * Reads an argument's raw text by its schema, and by nothing else: a postcode stays a string where the schema says
 * string, `True` becomes a boolean only where it says boolean. Text that does not fit the schema stays a string, for the
 * validation of arguments to complain about. Without a schema everything is a string.
 */
export function coerceText(text: string, schema: JsonSchema | undefined): JsonValue {
  const types = typesOf(schema)
  if (types.size === 0) return text
  if (types.has('string') && (types.size === 1 || isListed(text, schema))) return text
  const trimmed = text.trim()
  if (types.has('null') && (trimmed === 'None' || trimmed === 'null')) return null
  if (types.has('boolean')) {
    const truth = truthOf(trimmed)
    if (truth !== undefined && (truth.bare || !types.has('string'))) return truth.value
  }
  if (types.has('integer') || types.has('number')) {
    const number = numberOf(trimmed, !types.has('number'), types.has('string'))
    if (number !== undefined) return number
  }
  const container = types.has('object') || types.has('array') ? containerOf(trimmed) : undefined
  if (container !== undefined && types.has(Array.isArray(container) ? 'array' : 'object')) {
    return coerceValue(container, schema)
  }
  return text
}

/** The same for a value that is already decoded JSON: scalars of another type are read by the schema, containers inside. */
export function coerceValue(value: JsonValue, schema: JsonSchema | undefined): JsonValue {
  const types = typesOf(schema)
  if (Array.isArray(value)) {
    const items = pick(schema, 'array')?.items
    return items === undefined ? value : value.map((item) => coerceValue(item, items))
  }
  if (typeof value === 'object' && value !== null) {
    const chosen = pick(schema, 'object')
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, coerceValue(item, propertySchema(chosen, key))]),
    )
  }
  if (typeof value === 'string') return types.has('string') ? value : coerceText(value, schema)
  if (typeof value === 'number' && types.size === 1 && types.has('string')) return String(value)
  return value
}

/** The schema of a parameter of a tool; undefined where the tool declares none. Inherited names are no parameters. */
export function parameterSchema(tool: ToolSpec | undefined, key: string): JsonSchema | undefined {
  return tool === undefined ? undefined : propertySchema(tool.parameters, key)
}

/** The arguments of a call whose raw texts are known, coerced by the tool's schema. */
export function coerceEntries(entries: readonly (readonly [string, string])[], tool: ToolSpec | undefined): JsonObject {
  return Object.fromEntries(entries.map(([key, text]) => [key, coerceText(text, parameterSchema(tool, key))]))
}

/** The arguments of a call that came as an object, coerced by the tool's schema. */
export function coerceObject(given: JsonObject, tool: ToolSpec | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, coerceValue(value, parameterSchema(tool, key))]),
  )
}

/** True when a text or key somewhere inside holds a NUL character or a lone surrogate. */
export function hasRefusedCharacters(value: JsonValue): boolean {
  if (typeof value === 'string') return refusedIn(value)
  if (Array.isArray(value)) return value.some(hasRefusedCharacters)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, item]) => refusedIn(key) || hasRefusedCharacters(item))
}

/** The first pattern is quick and also finds proper pairs; only then the second decides. */
function refusedIn(text: string): boolean {
  return /[\0\ud800-\udfff]/.test(text) && /\0|\p{Surrogate}/u.test(text)
}

function propertySchema(schema: JsonSchema | undefined, key: string): JsonSchema | undefined {
  const properties = schema?.properties
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key]
  const rest = schema?.additionalProperties
  return typeof rest === 'object' ? rest : undefined
}

/** JSON types that a schema admits; empty when it says nothing. */
function typesOf(schema: JsonSchema | undefined, depth = 0): Set<string> {
  const types = new Set<string>()
  if (schema === undefined || depth > 8) return types
  if (typeof schema.type === 'string') types.add(schema.type)
  else if (Array.isArray(schema.type)) for (const type of schema.type as readonly string[]) types.add(type)
  if (types.size > 0) return types
  for (const value of listed(schema)) types.add(typeOfValue(value))
  for (const branch of branches(schema)) for (const type of typesOf(branch, depth + 1)) types.add(type)
  return types
}

function branches(schema: JsonSchema | undefined): readonly JsonSchema[] {
  const any = Array.isArray(schema?.anyOf) ? (schema.anyOf as readonly JsonSchema[]) : []
  const one = Array.isArray(schema?.oneOf) ? (schema.oneOf as readonly JsonSchema[]) : []
  return [...any, ...one]
}

/** The branch of a schema that describes this type of container. */
function pick(schema: JsonSchema | undefined, type: 'array' | 'object'): JsonSchema | undefined {
  if (schema === undefined) return undefined
  if (schema.properties !== undefined || schema.items !== undefined) return schema
  return branches(schema).find((branch) => typesOf(branch).has(type)) ?? schema
}

function listed(schema: JsonSchema | undefined): readonly JsonValue[] {
  if (schema === undefined) return []
  if (Array.isArray(schema.enum)) return schema.enum as readonly JsonValue[]
  return schema.const === undefined ? [] : [schema.const]
}

function isListed(text: string, schema: JsonSchema | undefined): boolean {
  return listed(schema).includes(text) || branches(schema).some((branch) => isListed(text, branch))
}

function typeOfValue(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return 'number'
  return typeof value
}

function truthOf(text: string): { readonly value: boolean; readonly bare: boolean } | undefined {
  const bare = /^(?:true|false)$/i.test(text)
  const word = bare ? text : /^(["'])(true|false)\1$/i.exec(text)?.[2]
  return word === undefined ? undefined : { value: word.toLowerCase() === 'true', bare }
}

/** `canonical`: only the spelling that JSON would use, so that texts with a meaning of their own ("007") stay texts. */
function numberOf(text: string, integer: boolean, canonical: boolean): number | undefined {
  const unquoted = canonical ? text : (/^(["'])(.*)\1$/.exec(text)?.[2] ?? text)
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(unquoted)) return undefined
  const value = exactNumber(unquoted)
  if (typeof value === 'string') return undefined
  if (integer && !Number.isSafeInteger(value)) return undefined
  if (canonical && String(value) !== text) return undefined
  return value
}

function containerOf(text: string): JsonValue[] | JsonObject | undefined {
  if (!text.startsWith('{') && !text.startsWith('[')) return undefined
  const json = decodeJson(text)
  const read = json.ok ? json : readPythonLiteral(text)
  if (!read.ok) return undefined
  const value = read.value
  return Array.isArray(value) || (typeof value === 'object' && value !== null) ? value : undefined
}
