import type { JsonValue } from '../../../chat/types.js'

const PATH = /^(value_json|value)((?:\.[A-Za-z_]\w*|\[\s*(?:'[^']*'|"[^"]*"|\d+)\s*\])*)\s*((?:\|.*)?)$/s
const STEP = /\.([A-Za-z_]\w*)|\[\s*(?:'([^']*)'|"([^"]*)"|(\d+))\s*\]/g

/**
 * Reads a payload through a value template. Devices announce templates in Jinja; only plain look-ups with simple filters
 * are carried out (`{{ value_json.state }}`, `{{ value_json['a'].b | float | round(1) }}`), since what a device announces
 * is outside text that must not run as a program here. Undefined for any other template and where nothing is found.
 */
export function readTemplate(template: string | undefined, payload: string): string | undefined {
  if (template === undefined || template.trim() === '') return payload
  const inner = /^\s*\{\{-?\s*([^{}]*?)\s*-?\}\}\s*$/.exec(template)?.[1]
  const match = inner === undefined || template.length > 2000 ? null : PATH.exec(inner)
  if (!match) return undefined
  let value: JsonValue | undefined
  if (match[1] === 'value') value = payload
  else {
    try {
      value = JSON.parse(payload) as JsonValue
    } catch {
      return undefined
    }
  }
  for (const step of (match[2] ?? '').matchAll(STEP)) {
    const key = step[1] ?? step[2] ?? step[3] ?? step[4] ?? ''
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as { readonly [key: string]: JsonValue })[key]
        : undefined
  }
  for (const filter of (match[3] ?? '').split('|').slice(1)) {
    const parsed = /^\s*(\w+)\s*(?:\(\s*(?:'([^']*)'|"([^"]*)"|(-?[\d.]+))?\s*\))?\s*$/.exec(filter)
    if (!parsed) return undefined
    const argument = parsed[2] ?? parsed[3] ?? parsed[4]
    switch (parsed[1]) {
      case 'default':
        value ??= argument
        break
      case 'int':
        value = Math.trunc(Number(value))
        break
      case 'float':
        value = Number(value)
        break
      case 'round': {
        const by = 10 ** Number(argument ?? 0)
        value = Math.round(Number(value) * by) / by
        break
      }
      case 'upper':
        value = String(value).toUpperCase()
        break
      case 'lower':
        value = String(value).toLowerCase()
        break
      default:
        return undefined
    }
  }
  if (value === undefined || value === null || (typeof value === 'number' && !Number.isFinite(value))) return undefined
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Writes a command through a command template, of which only look-ups of the value are carried out. Undefined where the
 * template wants more.
 */
export function writeTemplate(
  template: string | undefined,
  value: string,
  names: readonly string[],
): string | undefined {
  if (template === undefined) return value
  const written = template.replace(/\{\{\s*(\w+)\s*(?:\|\s*(?:int|float|round)\s*)?\}\}/g, (whole, name: string) =>
    names.includes(name) ? value : whole,
  )
  return /\{\{|\{%/.test(written) ? undefined : written
}
