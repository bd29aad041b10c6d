import { z } from 'zod'
import type { JsonObject, JsonValue } from '../../../chat/types.js'
import { tidy } from '../outside.js'
import { longName } from './abbreviations.js'

/** One thing that a device announced: its component and settings under their long names. */
export interface Entry {
  /** `component/node/object`, unique. */
  readonly id: string
  /** Topic of the announcement; an empty message there takes it away. */
  readonly topic: string
  readonly component: string
  readonly config: JsonObject
  readonly name: string
  readonly area: string | undefined
}

/** An announcement beyond this is no device's. */
const MOST_BYTES = 256 * 1024

const objectSchema = z.record(z.string(), z.json())

/** Parts of a discovery topic under a prefix, or undefined for another topic. */
export function discoveryTopic(
  prefix: string,
  topic: string,
): { readonly component: string; readonly id: string } | undefined {
  if (!topic.startsWith(`${prefix}/`)) return undefined
  const parts = topic.slice(prefix.length + 1).split('/')
  if ((parts.length !== 3 && parts.length !== 4) || parts.at(-1) !== 'config') return undefined
  const ok = parts.every((part) => /^[\w-]{1,200}$/.test(part))
  return ok ? { component: parts[0] ?? '', id: parts.slice(0, -1).join('/') } : undefined
}

/** Topics on which devices under a prefix announce themselves. */
export const discoveryFilters = (prefix: string): string[] => [`${prefix}/+/+/config`, `${prefix}/+/+/+/config`]

/**
 * Reads an announcement (Home Assistant, "MQTT discovery"): one component, or a device with several. What is no valid
 * announcement gives nothing.
 */
export function readAnnouncement(prefix: string, topic: string, payload: Uint8Array): readonly Entry[] {
  const at = discoveryTopic(prefix, topic)
  if (at === undefined || payload.length === 0 || payload.length > MOST_BYTES) return []
  let raw: unknown
  try {
    raw = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
  } catch {
    return []
  }
  const parsed = objectSchema.safeParse(raw)
  if (!parsed.success) return []
  const config = expand(parsed.data)
  if (at.component !== 'device') return [entryOf(at.id, topic, at.component, config)]
  const { components, ...shared } = config
  if (!isObject(components)) return []
  return Object.entries(components).flatMap(([key, part]) => {
    if (!isObject(part)) return []
    const own = expand(part)
    return typeof own.platform === 'string'
      ? [
          entryOf(`${own.platform}/${at.id.split('/').slice(1).join('-')}/${key}`, topic, own.platform, {
            ...shared,
            ...own,
          }),
        ]
      : []
  })
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Long names throughout, and `~` in topics replaced by the base. */
function expand(config: JsonObject): JsonObject {
  const base = typeof config['~'] === 'string' ? config['~'] : undefined
  const walk = (value: JsonValue, key: string): JsonValue => {
    if (Array.isArray(value)) return value.map((item) => walk(item, key))
    if (isObject(value))
      return key === 'components'
        ? value
        : Object.fromEntries(Object.entries(value).map(([k, v]) => [longName(k), walk(v, longName(k))]))
    if (typeof value === 'string' && base !== undefined && /(?:^|_)topic$/.test(key))
      return value.startsWith('~') ? base + value.slice(1) : value.endsWith('~') ? value.slice(0, -1) + base : value
    return value
  }
  return Object.fromEntries(
    Object.entries(config)
      .filter(([key]) => key !== '~')
      .map(([key, value]) => [longName(key), walk(value, longName(key))]),
  )
}

function entryOf(id: string, topic: string, component: string, config: JsonObject): Entry {
  const device = isObject(config.device) ? config.device : {}
  const words = (value: JsonValue | undefined): string | undefined =>
    typeof value === 'string' && value.trim() !== '' ? value.replace(/_/g, ' ') : undefined
  const owner = words(device.name)
  const own = words(config.name)
  const joined =
    own === undefined
      ? owner
      : owner === undefined || own.toLowerCase().startsWith(owner.toLowerCase())
        ? own
        : `${owner} ${own}`
  return {
    id,
    topic,
    component,
    config,
    name: tidy(joined ?? id.split('/').at(-1)?.replace(/_/g, ' ') ?? id),
    area: words(device.suggested_area),
  }
}

/** A setting that is a text. */
export function setting(entry: Entry, name: string): string | undefined {
  const value = entry.config[name]
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined
}

/** A topic that can be published to or subscribed: without wild cards. */
export function topicOf(entry: Entry, name: string): string | undefined {
  const topic = setting(entry, name)
  return topic !== undefined && topic !== '' && topic.length < 1000 && !/[+#\0]/.test(topic) ? topic : undefined
}

/** One availability topic with its payloads. */
export interface Availability {
  readonly topic: string
  readonly offline: string
  readonly template: string | undefined
}

/** Where a device says whether it is there. */
export function availabilityOf(entry: Entry): readonly Availability[] {
  const list = entry.config.availability
  const one = (config: JsonObject, template: string): Availability[] => {
    const topic = config.topic
    return typeof topic === 'string' && topic !== '' && !/[+#\0]/.test(topic)
      ? [
          {
            topic,
            offline: typeof config.payload_not_available === 'string' ? config.payload_not_available : 'offline',
            template: typeof config[template] === 'string' ? config[template] : undefined,
          },
        ]
      : []
  }
  if (Array.isArray(list)) return list.flatMap((item) => (isObject(item) ? one(item, 'value_template') : []))
  const topic = entry.config.availability_topic
  return topic === undefined ? [] : one({ ...entry.config, topic }, 'availability_template')
}
