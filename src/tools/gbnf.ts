import type { JsonSchema, JsonValue } from '../chat/types.js'

/**
 * Collects rules of a grammar in GBNF (llama.cpp's format: https://github.com/ggml-org/llama.cpp/tree/master/grammars).
 * Rules of equal body share one name, so that ten string parameters cost one rule.
 */
export class GbnfBuilder {
  readonly #rules = new Map<string, string>()
  readonly #byBody = new Map<string, string>()

  /** Defines a rule under a fixed name (letters, digits, dashes). Defining it again with the same body is a no-op. */
  define(name: string, body: string): string {
    this.#rules.set(name, body)
    return name
  }

  /** Name of a rule with this body; made when there is none. */
  share(prefix: string, body: string): string {
    const known = this.#byBody.get(body)
    if (known) return known
    const name = `${prefix}-${this.#byBody.size}`
    this.#byBody.set(body, name)
    this.#rules.set(name, body)
    return name
  }

  has(name: string): boolean {
    return this.#rules.has(name)
  }

  /** The whole grammar, one rule a line. The rule `root` is where it starts. */
  toString(): string {
    return [...this.#rules].map(([name, body]) => `${name} ::= ${body}`).join('\n')
  }
}

/** A text as a GBNF literal. */
export function literal(text: string): string {
  let body = ''
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    if (char === '"' || char === '\\') body += `\\${char}`
    else if (char === '\n') body += '\\n'
    else if (char === '\r') body += '\\r'
    else if (char === '\t') body += '\\t'
    else if (code < 0x20 || code === 0x7f) body += `\\x${code.toString(16).padStart(2, '0').toUpperCase()}`
    else body += char
  }
  return `"${body}"`
}

/**
 * A rule for the JSON text of values of a schema: types, enumerations, constants, `items`, `properties` (each key at
 * most once, in schema order, required ones present), `anyOf`/`oneOf`, `minItems`/`maxItems` up to 16. Other keywords
 * are left to validation.
 */
export function jsonRule(builder: GbnfBuilder, schema: JsonSchema): string {
  if (schema.const !== undefined) return builder.share('v', literal(JSON.stringify(schema.const)))
  if (schema.enum) return builder.share('v', schema.enum.map((value) => literal(JSON.stringify(value))).join(' | '))
  const options = schema.anyOf ?? schema.oneOf
  if (options) return builder.share('v', options.map((option) => jsonRule(builder, option)).join(' | '))
  const types = schemaTypes(schema)
  if (types.length === 0) return anyJson(builder)
  if (types.length === 1) return typedRule(builder, schema, types[0] as string)
  return builder.share('v', types.map((type) => typedRule(builder, schema, type)).join(' | '))
}

/** The JSON types a schema names, empty when it leaves the type open. */
export function schemaTypes(schema: JsonSchema): string[] {
  if (schema.type === undefined) return []
  return typeof schema.type === 'string' ? [schema.type] : [...schema.type]
}

/** A rule for a whole number, without a minus sign when the schema's minimum is not negative. */
export function integerRule(builder: GbnfBuilder, schema: JsonSchema): string {
  const digits = '("0" | [1-9] [0-9]{0,14})'
  const minimum = typeof schema.minimum === 'number' ? schema.minimum : undefined
  return builder.share('v', minimum !== undefined && minimum >= 0 ? digits : `"-"? ${digits}`)
}

/** A rule for a decimal number. */
export function numberRule(builder: GbnfBuilder, schema: JsonSchema): string {
  const digits = '("0" | [1-9] [0-9]{0,14}) ("." [0-9]{1,15})?'
  const minimum = typeof schema.minimum === 'number' ? schema.minimum : undefined
  return builder.share('v', minimum !== undefined && minimum >= 0 ? digits : `"-"? ${digits}`)
}

function typedRule(builder: GbnfBuilder, schema: JsonSchema, type: string): string {
  switch (type) {
    case 'string':
      return jsonString(builder, schema)
    case 'integer':
      return integerRule(builder, schema)
    case 'number':
      return numberRule(builder, schema)
    case 'boolean':
      return builder.share('v', '"true" | "false"')
    case 'null':
      return builder.share('v', '"null"')
    case 'array':
      return arrayRule(builder, schema)
    case 'object':
      return objectRule(builder, schema)
    default:
      return anyJson(builder)
  }
}

function jsonString(builder: GbnfBuilder, schema: JsonSchema): string {
  builder.define('jchar', '[^"\\\\\\x00-\\x1F\\x7F] | "\\\\" (["\\\\/bfnrt] | "u" [0-9a-fA-F]{4})')
  const repeat = typeof schema.minLength === 'number' && schema.minLength > 0 ? '+' : '*'
  return builder.share('v', `"\\"" jchar${repeat} "\\""`)
}

function arrayRule(builder: GbnfBuilder, schema: JsonSchema): string {
  const item = schema.items ? jsonRule(builder, schema.items) : anyJson(builder)
  const least = typeof schema.minItems === 'number' ? Math.min(schema.minItems, 16) : 0
  const most = typeof schema.maxItems === 'number' && schema.maxItems <= 16 ? schema.maxItems : undefined
  if (most === 0) return builder.share('v', '"[]"')
  const more = `{${Math.max(0, least - 1)},${most === undefined ? '' : most - 1}}`
  const filled = `"[" ${item} (", " ${item})${more} "]"`
  return builder.share('v', least === 0 ? `"[]" | ${filled}` : filled)
}

function objectRule(builder: GbnfBuilder, schema: JsonSchema): string {
  const properties = Object.entries(schema.properties ?? {})
  if (properties.length === 0) {
    const extra = schema.additionalProperties
    const value = typeof extra === 'object' ? jsonRule(builder, extra) : anyJson(builder)
    const key = jsonString(builder, {})
    return builder.share('v', `"{}" | "{" ${key} ": " ${value} (", " ${key} ": " ${value})* "}"`)
  }
  const required = new Set(schema.required ?? [])
  const members = properties.map(([key, value]) => ({
    text: `${literal(JSON.stringify(key))} ": " ${jsonRule(builder, value)}`,
    required: required.has(key),
  }))
  return builder.share('v', `"{" ${memberSequence(builder, members)} "}"`)
}

/**
 * Members in order, separated by commas, optional ones skippable. Two rules a position tell whether something stands
 * before (then a comma is due).
 */
export function memberSequence(
  builder: GbnfBuilder,
  members: readonly { readonly text: string; readonly required: boolean }[],
): string {
  let first = '""'
  let later = '""'
  for (let i = members.length - 1; i >= 0; i--) {
    const member = members[i]!
    const after = builder.share('m', later)
    const skipFirst = builder.share('m', first)
    later = member.required ? `", " ${member.text} ${after}` : `", " ${member.text} ${after} | ${after}`
    first = member.required ? `${member.text} ${after}` : `${member.text} ${after} | ${skipFirst}`
  }
  return builder.share('m', first)
}

function anyJson(builder: GbnfBuilder): string {
  if (!builder.has('jany')) {
    builder.define('jany', '"null"')
    const text = jsonString(builder, {})
    const number = numberRule(builder, {})
    builder.define(
      'jany',
      `${text} | ${number} | "true" | "false" | "null" | "[]" | "[" jany (", " jany)* "]" | ` +
        `"{}" | "{" ${text} ": " jany (", " ${text} ": " jany)* "}"`,
    )
  }
  return 'jany'
}

/** A JSON value as a GBNF literal of its JSON text. */
export function jsonLiteral(value: JsonValue): string {
  return literal(JSON.stringify(value))
}
