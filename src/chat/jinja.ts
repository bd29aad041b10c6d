import * as library from '@huggingface/jinja'
import { ChatError } from './errors.js'
import { pythonNumber, pythonStrip } from './python-text.js'

/** A value while a template runs. */
interface Value {
  readonly type: string
  readonly value: unknown
}

/** A node of the syntax tree. */
interface Statement {
  readonly type: string
}

interface Environment {
  set(name: string, value: unknown): unknown
  /** Takes a value in the library's own form. */
  declareVariable(name: string, value: Value): unknown
  lookupVariable(name: string): Value
}

interface BaseInterpreter {
  run(program: unknown): Value
  evaluate(statement: Statement | undefined, environment: Environment): Value
}

// The library's type files use imports that Node's resolution rejects, so the parts used here are described by hand.
const { parse, tokenize } = library as unknown as {
  parse(tokens: unknown): unknown
  tokenize(source: string, options: { lstrip_blocks: boolean; trim_blocks: boolean }): unknown
}
const EnvironmentClass = library.Environment as unknown as new () => Environment
const InterpreterClass = library.Interpreter as unknown as new (environment: Environment) => BaseInterpreter

/** Shape of the syntax tree's node for `operand | filter`; the library does not export its node types. */
interface FilterNode {
  readonly type: 'FilterExpression'
  readonly operand: Statement
  readonly filter: { readonly type: string; readonly value?: unknown }
}

/**
 * The library's interpreter, with the three filters in which it differs from Python: `string` (writes `true`, refuses
 * None), `tojson` (exponents of small numbers) and `trim` (JavaScript's idea of white space).
 */
class PythonInterpreter extends InterpreterClass {
  override evaluate(statement: Statement | undefined, environment: Environment): Value {
    if (statement?.type !== 'FilterExpression') return super.evaluate(statement, environment)
    const node = statement as FilterNode
    if (node.filter.type !== 'Identifier') return super.evaluate(statement, environment)
    const name = node.filter.value
    if (name !== 'string' && name !== 'tojson' && name !== 'trim') return super.evaluate(statement, environment)
    const operand = this.evaluate(node.operand, environment)
    if (name === 'tojson') return this.text(rememberedJson(operand), environment)
    if (name === 'string') return operand.type === 'StringValue' ? operand : this.text(toText(operand), environment)
    return operand.type === 'StringValue'
      ? this.text(pythonStrip(String(operand.value)), environment)
      : super.evaluate(statement, environment)
  }

  /** A string of the library's own class, which is not exported: its literals make one. */
  private text(value: string, environment: Environment): Value {
    return super.evaluate({ type: 'StringLiteral', value } as Statement, environment)
  }
}

/** JSON of values that live longer than one run (see `JinjaProgram.run`): a long tool list is written out once. */
const written = new WeakMap<Value, string>()

function rememberedJson(value: Value): string {
  if (value.type !== 'ObjectValue') return toJson(value)
  let json = written.get(value)
  if (json === undefined) {
    json = toJson(value)
    written.set(value, json)
  }
  return json
}

/** `json.dumps(value, ensure_ascii=False)` of a template value. */
function toJson(value: Value): string {
  switch (value.type) {
    case 'StringValue':
      return JSON.stringify(value.value)
    case 'IntegerValue':
    case 'FloatValue':
      return pythonNumber(value.value as number)
    case 'BooleanValue':
      return value.value ? 'true' : 'false'
    case 'NullValue':
      return 'null'
    case 'ArrayValue':
    case 'TupleValue':
      return `[${(value.value as Value[]).map(toJson).join(', ')}]`
    case 'ObjectValue':
    case 'KeywordArgumentsValue': {
      const parts: string[] = []
      for (const [key, item] of value.value as Map<string, Value>) parts.push(`${JSON.stringify(key)}: ${toJson(item)}`)
      return `{${parts.join(', ')}}`
    }
    default:
      throw new Error(`no JSON form for ${value.type}`)
  }
}

/** `str(value)` of a template value; containers print as JSON, which no known template relies on. */
function toText(value: Value): string {
  switch (value.type) {
    case 'BooleanValue':
      return value.value ? 'True' : 'False'
    case 'NullValue':
      return 'None'
    case 'UndefinedValue':
      return ''
    default:
      return toJson(value)
  }
}

/** A compiled Jinja template that behaves as under Python's Jinja in the points that chat templates use. */
export class JinjaProgram {
  private readonly program: unknown

  /** Throws ChatError `template-syntax`. */
  constructor(readonly source: string) {
    try {
      this.program = parse(tokenize(source, { lstrip_blocks: true, trim_blocks: true }))
    } catch (error) {
      throw new ChatError('template-syntax', messageOf(error), 'chat template', 'Use a template that parses as Jinja.')
    }
  }

  private readonly converted = new WeakMap<object, Value>()

  /**
   * Text of the template for these variables. `lasting` ones are objects that never change: they are converted once and
   * known again by identity. Throws ChatError `template-failed`.
   */
  run(variables: { readonly [name: string]: unknown }, lasting: { readonly [name: string]: object } = {}): string {
    const environment = new EnvironmentClass()
    try {
      for (const [name, value] of Object.entries(globals)) environment.set(name, value)
      for (const [name, value] of Object.entries(variables)) if (value !== undefined) environment.set(name, value)
      for (const [name, value] of Object.entries(lasting)) {
        const known = this.converted.get(value)
        if (known !== undefined) environment.declareVariable(name, known)
        else {
          environment.set(name, value)
          this.converted.set(value, environment.lookupVariable(name))
        }
      }
      return String(new PythonInterpreter(environment).run(this.program).value)
    } catch (error) {
      throw new ChatError('template-failed', messageOf(error), 'chat template', 'The template refuses these messages.')
    }
  }
}

const globals: { readonly [name: string]: unknown } = {
  true: true,
  false: false,
  none: null,
  True: true,
  False: false,
  None: null,
  raise_exception: (message: unknown) => {
    throw new Error(String(message))
  },
  range: (start: number, stop?: number, step = 1) => {
    const [from, to] = stop === undefined ? [0, start] : [start, stop]
    const count = step === 0 ? 0 : Math.max(0, Math.ceil((to - from) / step))
    if (count > 100_000) throw new Error('range() is too long')
    return Array.from({ length: count }, (_, i) => from + i * step)
  },
  strftime_now: (format: string) => strftime(format, new Date()),
}

/** The directives of strftime that chat templates print the date with. */
function strftime(format: string, now: Date): string {
  const two = (n: number) => String(n).padStart(2, '0')
  const name = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-US', options).format(now)
  return format.replace(/%[a-zA-Z%]/g, (directive) => {
    switch (directive) {
      case '%Y':
        return String(now.getFullYear())
      case '%m':
        return two(now.getMonth() + 1)
      case '%d':
        return two(now.getDate())
      case '%H':
        return two(now.getHours())
      case '%M':
        return two(now.getMinutes())
      case '%S':
        return two(now.getSeconds())
      case '%b':
        return name({ month: 'short' })
      case '%B':
        return name({ month: 'long' })
      case '%a':
        return name({ weekday: 'short' })
      case '%A':
        return name({ weekday: 'long' })
      case '%%':
        return '%'
      default:
        return directive
    }
  })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
