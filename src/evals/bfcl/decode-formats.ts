import { pyFloat, pyInt } from '../python/convert.js'
import { PyError } from '../python/errors.js'
import { parsePythonJson } from '../python/json.js'
import { literalEval } from '../python/literal.js'
import { pyStrip } from '../python/strip.js'
import { PyDict, type PyValue } from '../python/values.js'
import { parseXml, type XmlElement } from '../python/xml.js'
import { bracketed } from './decode.js'
import { decodePythonCalls } from './decode-python.js'

/** Notations in which the format-sensitivity category asks for calls. */
export const RETURN_FORMATS = ['python', 'json', 'verbose_xml', 'concise_xml'] as const

/** One of {@link RETURN_FORMATS}. */
export type ReturnFormat = (typeof RETURN_FORMATS)[number]

/**
 * Decodes a text of calls in one of the notations; with `tagged` the calls must stand between `<TOOLCALL>` marks.
 *
 * Source: ast_parse, json_parser and xml_parser of BFCL v4.
 * @throws PyError where the official decoder raises
 */
export function decodeFormatted(raw: string, format: ReturnFormat, tagged: boolean): PyValue {
  let text = bracketed(raw)
  if (tagged) {
    const found = /<TOOLCALL>([\s\S]*?)<\/TOOLCALL>/.exec(text)
    if (!found) throw new PyError('ValueError', 'No tool call tag found in input string')
    text = pyStrip(found[1]!)
  }
  if (format === 'python') return decodePythonCalls(text)
  if (format === 'json') return jsonCalls(/\[[\s\S]*\]/.exec(text)?.[0] ?? text)
  const xml = /<functions>[\s\S]*?<\/functions>/.exec(text)?.[0]
  if (xml === undefined) throw new PyError('ValueError', 'No XML function call found in input string')
  const root = parseXml(xml)
  return root.children.filter(isNamed('function')).map((element) => xmlCall(element, format === 'verbose_xml'))
}

function jsonCalls(source: string): PyValue {
  const text = /\[\s*\{[\s\S]*?\}\s*(?:,\s*\{[\s\S]*?\}\s*)*\]/.exec(source)?.[0] ?? source
  let value: PyValue
  try {
    value = parsePythonJson(text)
  } catch (error) {
    if (error instanceof PyError && error.type === 'JSONDecodeError') return []
    throw error
  }
  // Iterating over a dict or a str gives keys or characters, none of which is a call.
  if (value instanceof PyDict || typeof value === 'string') return []
  if (!Array.isArray(value)) throw new PyError('TypeError', 'object is not iterable')
  return value
    .filter((call) => call instanceof PyDict)
    .map((call) => new PyDict().set(member(call, 'function'), member(call, 'parameters')))
}

function member(call: PyDict, key: string): PyValue {
  const value = call.get(key)
  if (value === undefined) throw new PyError('KeyError', key)
  return value
}

function xmlCall(element: XmlElement, verbose: boolean): PyDict {
  const name = attribute(element, 'name')
  const container = verbose ? (element.children.find(isNamed('params')) ?? element) : element
  const values = new PyDict()
  for (const parameter of container.children.filter(isNamed('param'))) {
    const type = parameter.attributes.get('type') ?? 'string'
    if (verbose) {
      const value = typed(parameter.attributes.get('value') ?? '', type)
      values.set(parameter.attributes.get('name') ?? null, value)
    } else {
      const key = attribute(parameter, 'name')
      values.set(key, typed(pyStrip(parameter.text ?? ''), type))
    }
  }
  return new PyDict().set(name, values)
}

function isNamed(tag: string): (element: XmlElement) => boolean {
  return (element) => element.tag === tag
}

function attribute(element: XmlElement, name: string): string {
  const value = element.attributes.get(name)
  if (value === undefined) throw new PyError('KeyError', name)
  return value
}

function typed(text: string, type: string): PyValue {
  switch (type) {
    case 'integer':
      return pyInt(text)
    case 'float':
      return pyFloat(text)
    case 'boolean':
      return text.toLowerCase() === 'true'
    case 'null':
      return null
    case 'array':
    case 'tuple':
    case 'object':
    case 'dict':
      return literalEval(text)
    default:
      return text
  }
}
