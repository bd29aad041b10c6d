import type { Dialect, JsonSchema, ToolSpec } from '../chat/types.js'
import type { CallGrammar } from '../engine/contract.js'
import { GbnfBuilder, integerRule, jsonRule, literal, memberSequence, numberRule, schemaTypes } from './gbnf.js'
import { quotationRule } from './quotations.js'

/** The text that opens a call in both dialects, and at which the grammar starts. */
export const CALL_OPENING = '<tool_call>'
/** The text that closes a call in both dialects. */
export const CALL_CLOSING = '</tool_call>'

/** What a value of the Qwen3.5 dialect ends with. */
const VALUE_END = '\n</parameter>\n'
/**
 * So much of the ending no string value can hold: enough to be no other text, and no more, so that the rest of the ending
 * is forced and need not be sampled.
 */
const VALUE_END_START = '\n</param'

/** Up to this many parameters may come in any order; more follow the schema's order (2^n states would be too many). */
const FREE_ORDER = 4

/** What else binds a call. */
export interface CallGrammarOptions {
  /** Texts, latest last, of which every string without an enumeration must be a quotation (Qwen3.5 dialect only). */
  readonly quoted?: readonly string[]
  /** Natural logarithms of weights by tool name; see {@link CallGrammar.weights}. */
  readonly weights?: ReadonlyMap<string, number>
}

/**
 * The grammar of what follows {@link CALL_OPENING} up to and with {@link CALL_CLOSING}: one call of a shown tool in the
 * dialect's form. Names are the shown ones, every parameter occurs at most once, required ones are present, values have
 * the schema's type and enumeration. A tool without parameters has an empty list. Strings of the Qwen3.5 dialect are raw
 * and end only at a line that begins with `</param`. Parallel calls start the grammar anew.
 *
 * @param specs the tools that the model is shown
 * @param dialect how calls are written
 * @returns undefined where nothing can be constrained: no tools, or a dialect without a call opening
 */
export function callGrammar(
  specs: readonly ToolSpec[],
  dialect: Dialect,
  options: CallGrammarOptions = {},
): CallGrammar | undefined {
  if (specs.length === 0 || (dialect !== 'qwen3.5' && dialect !== 'hermes')) return undefined
  const builder = new GbnfBuilder()
  const quotation = dialect === 'qwen3.5' ? quotationRule(builder, options.quoted ?? [], literal(VALUE_END)) : undefined
  const calls = specs.map((spec, i) =>
    dialect === 'qwen3.5' ? qwenCall(builder, spec, i, quotation) : hermesCall(builder, spec),
  )
  builder.define('root', calls.join(' | '))
  const opening = dialect === 'qwen3.5' ? qwenOpening : hermesOpening
  const weights = specs.map(({ name }) => [opening(name), options.weights?.get(name) ?? 0] as const)
  return {
    gbnf: builder.toString(),
    trigger: CALL_OPENING,
    ...(options.weights ? { weights: Object.fromEntries(weights) } : {}),
  }
}

const qwenOpening = (name: string): string => `\n<function=${name}>\n`
const hermesOpening = (name: string): string => `\n{"name": ${JSON.stringify(name)}, "arguments": {`

function qwenCall(builder: GbnfBuilder, spec: ToolSpec, index: number, quotation: string | undefined): string {
  const properties = Object.entries(spec.parameters.properties ?? {})
  const required = new Set(spec.parameters.required ?? [])
  const members = properties.map(([key, schema]) => ({
    text: `${literal(`<parameter=${key}>\n`)} ${qwenValue(builder, schema, quotation)}`,
    required: required.has(key),
  }))
  const end = builder.define('end', `${literal('</function>\n')} ${CALL_CLOSING}`)
  const body =
    members.length <= FREE_ORDER ? anyOrder(builder, members, index, end) : `${inOrder(builder, members)} ${end}`
  return builder.share('c', `${literal(qwenOpening(spec.name))} ${body}`)
}

interface Member {
  readonly text: string
  readonly required: boolean
}

function inOrder(builder: GbnfBuilder, members: readonly Member[]): string {
  return members.map((member) => `${builder.share('p', member.text)}${member.required ? '' : '?'}`).join(' ')
}

/** One rule for each set of parameters already written; a set that holds the required ones may end. */
function anyOrder(builder: GbnfBuilder, members: readonly Member[], index: number, end: string): string {
  const states = 1 << members.length
  for (let written = states - 1; written >= 0; written--) {
    const next: string[] = []
    members.forEach((member, i) => {
      if (!(written & (1 << i))) next.push(`${builder.share('p', member.text)} t${index}-${written | (1 << i)}`)
    })
    if (members.every((member, i) => !member.required || written & (1 << i))) next.push(end)
    builder.define(`t${index}-${written}`, next.join(' | '))
  }
  return `t${index}-0`
}

/** A value and its ending, in the Qwen3.5 form: strings raw, objects and arrays JSON, other scalars Python's or JSON's. */
function qwenValue(builder: GbnfBuilder, schema: JsonSchema, quotation: string | undefined): string {
  const close = literal(VALUE_END)
  if (schema.const !== undefined || schema.enum) {
    const values = schema.enum ?? [schema.const ?? null]
    return `(${values.map((value) => (typeof value === 'string' ? literal(value) : scalarLiteral(value))).join(' | ')}) ${close}`
  }
  const options = schema.anyOf ?? schema.oneOf
  if (options) return `(${options.map((option) => qwenValue(builder, option, quotation)).join(' | ')})`
  const types = schemaTypes(schema)
  // A value that may be a string, or anything, is raw text: coercion by the schema decides afterwards what it is.
  if (types.length === 0 || types.includes('string')) {
    return quotation ?? rawString(builder, typeof schema.minLength === 'number' && schema.minLength > 0)
  }
  const rules = types.map((type) => {
    if (type === 'boolean') return builder.share('v', '"True" | "False" | "true" | "false"')
    if (type === 'null') return builder.share('v', '"None" | "null"')
    if (type === 'integer') return integerRule(builder, schema)
    if (type === 'number') return numberRule(builder, schema)
    return jsonRule(builder, { ...schema, type })
  })
  return `(${rules.join(' | ')}) ${close}`
}

function scalarLiteral(value: unknown): string {
  if (value === true) return '"True" | "true"'
  if (value === false) return '"False" | "false"'
  if (value === null) return '"None" | "null"'
  return literal(JSON.stringify(value))
}

/**
 * Raw text up to and with {@link VALUE_END}, as an automaton that knows how much of the ending, or of the opening of a call,
 * the last characters are (Aho and Corasick 1975): one rule a state, so that the text may hold every proper part of them. The
 * opening itself it may not hold: a value with a call in it was not closed, and would be read as that.
 */
function rawString(builder: GbnfBuilder, filled: boolean): string {
  const patterns = [VALUE_END_START, CALL_OPENING.slice(0, -1)]
  const states = [...new Set(patterns.flatMap((pattern) => [...pattern].map((_, at) => pattern.slice(0, at))))]
  const name = (state: string): string => `s${states.indexOf(state)}`
  if (!builder.has(name(''))) {
    const alphabet = [...new Set(patterns.join(''))]
    const step = (state: string, char: string): string => {
      let text = state + char
      while (!patterns.some((pattern) => pattern.startsWith(text))) text = text.slice(1)
      return text
    }
    for (const state of states) {
      const byTarget = new Map<string, string[]>()
      for (const char of alphabet) {
        const target = step(state, char)
        if (target !== '') byTarget.set(target, [...(byTarget.get(target) ?? []), char])
      }
      const leading = [...byTarget.values()].flat()
      byTarget.delete(CALL_OPENING.slice(0, -1))
      const rules = [...byTarget].map(([target, chars]) => {
        const matched = chars.length === 1 ? literal(chars[0]!) : characterClass(chars, false)
        return target === VALUE_END_START
          ? `${matched} ${literal(VALUE_END.slice(VALUE_END_START.length))}`
          : `${matched} ${name(target)}`
      })
      rules.push(`${characterClass([...leading, '\0'], true)} ${name('')}`)
      builder.define(name(state), rules.join(' | '))
    }
  }
  return filled ? builder.share('p', `"<" ${name('<')} | [^<\\n\\x00] ${name('')}`) : name('')
}

function characterClass(chars: readonly string[], negated: boolean): string {
  const escaped = chars.map((char) => {
    if (char === '\n') return '\\n'
    if (char === '\0') return '\\x00'
    return /[\]\\^-]/.test(char) ? `\\${char}` : char
  })
  return `[${negated ? '^' : ''}${escaped.join('')}]`
}

function hermesCall(builder: GbnfBuilder, spec: ToolSpec): string {
  const required = new Set(spec.parameters.required ?? [])
  const members = Object.entries(spec.parameters.properties ?? {}).map(([key, schema]) => ({
    text: `${literal(`${JSON.stringify(key)}: `)} ${jsonRule(builder, schema)}`,
    required: required.has(key),
  }))
  return builder.share(
    'c',
    `${literal(hermesOpening(spec.name))} ${memberSequence(builder, members)} ${literal('}}\n')} ${CALL_CLOSING}`,
  )
}
