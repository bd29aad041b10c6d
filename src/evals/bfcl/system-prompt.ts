import { dumpPythonJson } from '../python/json-dump.js'
import { pyRepr } from '../python/repr.js'
import { PyDict, type PyValue } from '../python/values.js'
import { RETURN_FORMATS, type ReturnFormat } from './decode-formats.js'
import { OUTPUT_FORMATS, PARAMETER_TYPES, PROMPT_STYLES, PROMPT_TEMPLATES } from './prompt-texts.js'

/** One way of prompting for calls. */
export interface PromptVariation {
  readonly returnFormat: ReturnFormat
  readonly tagged: boolean
  readonly documents: 'python' | 'xml' | 'json'
  readonly layout: keyof typeof PROMPT_TEMPLATES
  readonly style: keyof typeof PROMPT_STYLES
}

/** The way that every category but format sensitivity is prompted. */
export const DEFAULT_VARIATION: PromptVariation = {
  returnFormat: 'python',
  tagged: false,
  documents: 'json',
  layout: 'plaintext',
  style: 'classic',
}

/** The 26 variations of the format-sensitivity category, in the official order. */
export const VARIATIONS: readonly PromptVariation[] = [
  ...RETURN_FORMATS.flatMap((returnFormat) =>
    [true, false].flatMap((tagged) =>
      (['python', 'xml', 'json'] as const).map((documents) => ({
        ...DEFAULT_VARIATION,
        returnFormat,
        tagged,
        documents,
      })),
    ),
  ),
  { ...DEFAULT_VARIATION, layout: 'markdown' },
  { ...DEFAULT_VARIATION, style: 'experimental' },
]

/** The official name of a variation, as it stands in ids. */
export function variationName({ returnFormat, tagged, documents, layout, style }: PromptVariation): string {
  return `ret_fmt=${returnFormat}&tool_call_tag=${tagged ? 'True' : 'False'}&func_doc_fmt=${documents}&prompt_fmt=${layout}&style=${style}`
}

/** The system prompt for models that are asked in words to write calls. Source: formulate_system_prompt of BFCL v4. */
export function systemPrompt(functions: readonly PyDict[], variation: PromptVariation = DEFAULT_VARIATION): string {
  const style = PROMPT_STYLES[variation.style]
  const documents = {
    json: () => dumpPythonJson([...functions], 4),
    xml: () => functions.map(xmlDocument).join('\n'),
    python: () => functions.flatMap((one) => [pythonDocument(one), '\n']).join('\n\n'),
  }[variation.documents]()
  const calls = fill(variation.tagged ? style.tagged : style.plain, {
    output_format: OUTPUT_FORMATS[variation.returnFormat],
    param_types: PARAMETER_TYPES[variation.returnFormat],
  })
  return fill(PROMPT_TEMPLATES[variation.layout], {
    persona: style.persona,
    task: style.task,
    tool_call_format: calls,
    multiturn_behavior: style.turns,
    available_tools: fill(style.tools, { format: variation.documents, functions: documents }),
  })
}

/** Python's `str.format` with named fields; what is filled in is not read again. */
function fill(template: string, values: { readonly [name: string]: string }): string {
  return template.replace(/\{(\w+)\}/g, (field, name: string) => values[name] ?? field)
}

const member = (of: PyValue | undefined, key: string): PyValue | undefined =>
  of instanceof PyDict ? of.get(key) : undefined
const words = (value: PyValue | undefined, instead = ''): string =>
  value === undefined ? instead : typeof value === 'string' ? value : pyRepr(value)
const entries = (value: PyValue | undefined): (readonly [PyValue, PyValue])[] =>
  value instanceof PyDict ? [...value.entries()] : []

function describe(meta: PyValue): string {
  const choices = member(meta, 'enum')
  return words(member(meta, 'description')) + (choices === undefined ? '' : ` Enum values: ${words(choices)}.`)
}

function xmlDocument(one: PyDict): string {
  const parameters = one.get('parameters')
  const required = member(parameters, 'required')
  const inner = entries(member(parameters, 'properties')).map(([name, meta]) =>
    xmlParameter(String(name), meta, required, 2),
  )
  return `<function name="${words(one.get('name'))}">\n  <desc>${words(one.get('description'))}</desc>\n  <params>\n${inner.join('')}  </params>\n</function>\n`
}

function xmlParameter(name: string, meta: PyValue, required: PyValue | undefined, level: number): string {
  const indent = ' '.repeat(level * 2)
  let type = words(member(meta, 'type'), 'string')
  const itemType = member(member(meta, 'items'), 'type')
  const rest = member(meta, 'additionalProperties')
  if (itemType !== undefined) type = `${type}[${words(itemType)}]`
  else if (rest !== undefined) type = `${type}[${words(member(rest, 'type'), 'string')}]`
  const needed = required === undefined || required === null || (Array.isArray(required) && required.includes(name))
  const fallback = member(meta, 'default')
  const attributes = [
    `name="${name}", type="${type}", required="${needed}"`,
    ...(fallback === undefined ? [] : [`default="${pyRepr(fallback)}"`]),
  ]
  const properties = member(meta, 'properties')
  const nested =
    properties === undefined
      ? ''
      : `${indent}  <params>\n${entries(properties)
          .map(([child, childMeta]) => xmlParameter(String(child), childMeta, member(meta, 'required'), level + 2))
          .join('')}${indent}  </params>\n`
  // The official code takes every comma away, also those inside a default.
  return `${indent}<param ${attributes.join(' ').replaceAll(',', '')}>\n${indent}  <desc>${describe(meta)}</desc>\n${nested}${indent}</param>\n`
}

const PYTHON_TYPES: { readonly [type: string]: string } = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
}

function pythonType(meta: PyValue | undefined): string {
  const type = words(member(meta, 'type'), 'string')
  if (Object.hasOwn(PYTHON_TYPES, type)) return PYTHON_TYPES[type]!
  const items = member(meta, 'items')
  if (['array', 'list', 'tuple'].includes(type) && items !== undefined) return `list[${pythonType(items)}]`
  if (type !== 'object' && type !== 'dict') return type
  const rest = member(meta, 'additionalProperties')
  return rest === undefined ? 'dict' : `dict[str, ${pythonType(rest)}]`
}

function pythonDocument(one: PyDict): string {
  const properties = entries(member(one.get('parameters'), 'properties'))
  const lines = properties.flatMap(([name, meta]) => pythonParameter(String(name), meta, 0))
  const args = properties.length === 0 ? '' : `    Args:\n${lines.join('')}`
  return `# Function: ${words(one.get('name'))}\n    """\n    ${words(one.get('description'))}\n\n${args}    """\n`
}

function pythonParameter(name: string, meta: PyValue, depth: number): string[] {
  const fallback = member(meta, 'default')
  const note = fallback === undefined ? '' : `, default=${pyRepr(fallback)}`
  return [
    `${' '.repeat(8 + 4 * depth)}${name} (${pythonType(meta)}${note}): ${describe(meta)}\n`,
    ...entries(member(meta, 'properties')).flatMap(([child, childMeta]) =>
      pythonParameter(String(child), childMeta, depth + 1),
    ),
  ]
}
