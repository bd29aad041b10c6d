import { shadeOf } from '../colors.js'
import type { Change } from '../device.js'
import { type Entry, setting, topicOf } from './discovery.js'
import { writeTemplate } from './template.js'

/** One message to a device. */
export interface Message {
  readonly topic: string
  readonly payload: string
  readonly retain: boolean
}

/** Messages that bring a change about, or why it cannot be. */
export type Messages = readonly Message[] | { readonly why: string }

/** The part of a change that the entry's state topics can show; the rest is sent and not waited for. */
export function shownPart(entry: Entry, change: Change): Change {
  const json = setting(entry, 'schema') === 'json'
  const { brightness, color, ...rest } = change
  return {
    ...rest,
    ...(brightness !== undefined && (json || topicOf(entry, 'brightness_state_topic')) ? { brightness } : {}),
    ...(color !== undefined && (json || topicOf(entry, 'rgb_state_topic')) ? { color } : {}),
  }
}

/** What to publish for a change (the components of Home Assistant's MQTT integration). */
export function messagesFor(entry: Entry, change: Change): Messages {
  const retain = entry.config.retain === true
  const to = (topic: string, payload: string): Messages => {
    const at = topicOf(entry, topic)
    return at === undefined ? { why: 'it takes no such command' } : [{ topic: at, payload, retain }]
  }
  const plain = (payload: string): Messages => {
    const written = writeTemplate(setting(entry, 'command_template'), payload, ['value'])
    return written === undefined
      ? { why: 'its commands have a form that BotPsy cannot write' }
      : to('command_topic', written)
  }
  const say = (name: string, usual: string): Messages => plain(setting(entry, name) ?? usual)
  const onOff = (): Messages => (change.on === false ? say('payload_off', 'OFF') : say('payload_on', 'ON'))
  switch (entry.component) {
    case 'light':
      return setting(entry, 'schema') === 'json' ? jsonLight(entry, change, retain) : light(entry, change, retain)
    case 'scene':
      return say('payload_on', 'ON')
    case 'button':
      return say('payload_press', 'PRESS')
    case 'lock':
      return change.locked ? say('payload_lock', 'LOCK') : say('payload_unlock', 'UNLOCK')
    case 'cover': {
      const open = change.locked === undefined ? (change.position ?? (change.on ? 100 : 0)) : change.locked ? 0 : 100
      if (open === 100) return say('payload_open', 'OPEN')
      if (open === 0) return say('payload_close', 'CLOSE')
      const top = Number(setting(entry, 'position_open') ?? 100)
      const bottom = Number(setting(entry, 'position_closed') ?? 0)
      const written = writeTemplate(
        setting(entry, 'set_position_template'),
        String(Math.round(bottom + ((top - bottom) * open) / 100)),
        ['position', 'value'],
      )
      return written === undefined || topicOf(entry, 'set_position_topic') === undefined
        ? { why: 'it can only be opened and closed' }
        : to('set_position_topic', written)
    }
    case 'climate':
      return climate(entry, change, retain)
    case 'vacuum':
      return change.action === 'return' || change.on === false
        ? say('payload_return_to_base', 'return_to_base')
        : say('payload_start', 'start')
    default:
      return onOff()
  }
}

function jsonLight(entry: Entry, change: Change, retain: boolean): Messages {
  const topic = topicOf(entry, 'command_topic')
  if (topic === undefined) return { why: 'it takes no commands' }
  const modes = entry.config.supported_color_modes
  const known = Array.isArray(modes) ? modes.filter((m) => typeof m === 'string') : undefined
  const off = change.on === false || change.brightness === 0
  const body: Record<string, unknown> = { state: off ? 'OFF' : 'ON' }
  if (!off && change.brightness !== undefined) {
    if (entry.config.brightness !== true && (known === undefined || known.every((m) => m === 'onoff')))
      return { why: 'it cannot be dimmed' }
    body.brightness = Math.round((change.brightness / 100) * Number(setting(entry, 'brightness_scale') ?? 255))
  }
  if (!off && change.color !== undefined) {
    const shade = shadeOf(change.color)
    if (shade === undefined) return { why: 'that color is not known' }
    const colors = known?.some((m) => ['hs', 'rgb', 'rgbw', 'rgbww', 'xy'].includes(m)) ?? false
    const whites = known?.includes('color_temp') ?? false
    if ('kelvin' in shade && whites) body.color_temp = Math.round(1e6 / shade.kelvin)
    else if ('rgb' in shade && colors) body.color = { r: shade.rgb[0], g: shade.rgb[1], b: shade.rgb[2] }
    else if ('kelvin' in shade && colors)
      body.color = shade.kelvin < 4000 ? { r: 255, g: 200, b: 140 } : { r: 255, g: 255, b: 255 }
    else if (whites && change.color === 'white') body.color_temp = 250
    else return { why: 'it has no colors' }
  }
  return [{ topic, payload: JSON.stringify(body), retain }]
}

function light(entry: Entry, change: Change, retain: boolean): Messages {
  const topic = topicOf(entry, 'command_topic')
  if (topic === undefined) return { why: 'it takes no commands' }
  if (change.on === false || change.brightness === 0)
    return [{ topic, payload: setting(entry, 'payload_off') ?? 'OFF', retain }]
  const style: Message[] = []
  if (change.brightness !== undefined) {
    const at = topicOf(entry, 'brightness_command_topic')
    const scale = Number(setting(entry, 'brightness_scale') ?? 255)
    const payload = writeTemplate(
      setting(entry, 'brightness_command_template'),
      String(Math.round((change.brightness / 100) * scale)),
      ['value'],
    )
    if (at === undefined || payload === undefined) return { why: 'it cannot be dimmed' }
    style.push({ topic: at, payload, retain })
  }
  if (change.color !== undefined) {
    const shade = shadeOf(change.color)
    const rgb = topicOf(entry, 'rgb_command_topic')
    const temperature = topicOf(entry, 'color_temp_command_topic')
    if (shade === undefined) return { why: 'that color is not known' }
    if ('kelvin' in shade && temperature)
      style.push({ topic: temperature, payload: String(Math.round(1e6 / shade.kelvin)), retain })
    else if (rgb && setting(entry, 'rgb_command_template') === undefined)
      style.push({
        topic: rgb,
        payload: ('rgb' in shade ? shade.rgb : shade.kelvin < 4000 ? [255, 200, 140] : [255, 255, 255]).join(','),
        retain,
      })
    else return { why: 'it has no colors' }
  }
  const on: Message = { topic, payload: setting(entry, 'payload_on') ?? 'ON', retain }
  const order = setting(entry, 'on_command_type') ?? 'last'
  if (order === 'brightness' && style.length > 0) return style
  return order === 'first' ? [on, ...style] : [...style, on]
}

function climate(entry: Entry, change: Change, retain: boolean): Messages {
  const out: Message[] = []
  const mode = topicOf(entry, 'mode_command_topic')
  if (change.on === false) {
    if (mode === undefined) return { why: 'it cannot be switched off' }
    return [{ topic: mode, payload: 'off', retain }]
  }
  const modes = entry.config.modes
  const heat = Array.isArray(modes) ? modes.find((m) => m === 'heat' || m === 'auto') : 'heat'
  if (change.on === true && mode !== undefined && typeof heat === 'string')
    out.push({ topic: mode, payload: heat, retain })
  if (change.temperature !== undefined) {
    const topic = topicOf(entry, 'temperature_command_topic')
    const degrees =
      setting(entry, 'temperature_unit') === 'F' ? Math.round(change.temperature * 1.8 + 32) : change.temperature
    const payload = writeTemplate(setting(entry, 'temperature_command_template'), String(degrees), [
      'value',
      'temperature',
    ])
    if (topic === undefined || payload === undefined) return { why: 'its temperature cannot be set' }
    out.push({ topic, payload, retain })
  }
  return out
}
