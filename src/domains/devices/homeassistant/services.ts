import type { JsonObject } from '../../../chat/types.js'
import { shadeOf } from '../colors.js'
import type { Change, Device } from '../device.js'
import { domainOf, type EntityState } from './entities.js'

/** One call of a service on one entity. */
export interface ServiceCall {
  readonly domain: string
  readonly service: string
  readonly data?: JsonObject
}

/** The service calls that bring a change about, or why it cannot be. */
export function servicesFor(
  device: Device,
  change: Change,
  state: EntityState | undefined,
  units: { readonly fahrenheit: boolean },
): readonly ServiceCall[] | { readonly why: string } {
  const domain = domainOf(device.id)
  const one = (service: string, data?: JsonObject, of = domain): readonly ServiceCall[] => [
    { domain: of, service, ...(data ? { data } : {}) },
  ]
  const onOff = (): readonly ServiceCall[] => one(change.on ? 'turn_on' : 'turn_off')
  switch (domain) {
    case 'light':
      return light(change, state)
    case 'button':
    case 'input_button':
      return one('press')
    case 'scene':
      return one('turn_on')
    case 'lock':
      if (typeof state?.attributes.code_format === 'string')
        return { why: 'this lock wants a code, which BotPsy does not keep' }
      return one(change.locked ? 'lock' : 'unlock')
    case 'cover':
      return cover(change, state)
    case 'climate':
      return [
        ...(change.on === true ? one('turn_on') : []),
        ...(change.on === false ? one('turn_off') : []),
        ...(change.temperature === undefined
          ? []
          : one('set_temperature', {
              temperature: units.fahrenheit ? Math.round(change.temperature * 1.8 + 32) : change.temperature,
            })),
      ]
    case 'media_player':
      return player(change)
    case 'vacuum':
      return change.action === 'clean' || change.on === true ? one('start') : one('return_to_base')
    default:
      return onOff()
  }
}

function light(change: Change, state: EntityState | undefined): readonly ServiceCall[] | { readonly why: string } {
  if (change.on === false || change.brightness === 0) return [{ domain: 'light', service: 'turn_off' }]
  const modes = state?.attributes.supported_color_modes
  const known = Array.isArray(modes) ? modes.filter((m) => typeof m === 'string') : undefined
  const colors = known === undefined || known.some((m) => ['hs', 'rgb', 'rgbw', 'rgbww', 'xy'].includes(m))
  const whites = known === undefined || known.includes('color_temp')
  const data: JsonObject = {}
  if (change.brightness !== undefined) {
    if (known && !colors && !whites && !known.includes('brightness') && !known.includes('white'))
      return { why: 'it cannot be dimmed' }
    data.brightness_pct = change.brightness
  }
  if (change.color !== undefined) {
    const shade = shadeOf(change.color)
    if (shade === undefined) return { why: 'that color is not known' }
    if ('kelvin' in shade && whites) data.color_temp_kelvin = shade.kelvin
    else if ('rgb' in shade && colors) data.rgb_color = [...shade.rgb]
    else if ('kelvin' in shade && colors) data.rgb_color = shade.kelvin < 4000 ? [255, 200, 140] : [255, 255, 255]
    else if (whites && change.color === 'white') data.color_temp_kelvin = 4000
    else return { why: 'it has no colors' }
  }
  return [{ domain: 'light', service: 'turn_on', data }]
}

function cover(change: Change, state: EntityState | undefined): readonly ServiceCall[] | { readonly why: string } {
  const position = change.locked === undefined ? (change.position ?? (change.on ? 100 : 0)) : change.locked ? 0 : 100
  if (position === 0) return [{ domain: 'cover', service: 'close_cover' }]
  if (position === 100) return [{ domain: 'cover', service: 'open_cover' }]
  const features = state?.attributes.supported_features
  if (typeof features === 'number' && (features & 4) === 0) return { why: 'it can only be opened and closed' }
  return [{ domain: 'cover', service: 'set_cover_position', data: { position } }]
}

function player(change: Change): readonly ServiceCall[] {
  const domain = 'media_player'
  const calls: ServiceCall[] = []
  if (change.on !== undefined) calls.push({ domain, service: change.on ? 'turn_on' : 'turn_off' })
  if (change.volume !== undefined)
    calls.push({ domain, service: 'volume_set', data: { volume_level: change.volume / 100 } })
  if (change.muted !== undefined)
    calls.push({ domain, service: 'volume_mute', data: { is_volume_muted: change.muted } })
  switch (change.action) {
    case 'play':
      calls.push(
        change.what === undefined
          ? { domain, service: 'media_play' }
          : { domain, service: 'play_media', data: { media_content_id: change.what, media_content_type: 'music' } },
      )
      break
    case 'pause':
      calls.push({ domain, service: 'media_pause' })
      break
    case 'stop':
      calls.push({ domain, service: 'media_stop' })
      break
    case 'next':
      calls.push({ domain, service: 'media_next_track' })
      break
    case 'previous':
      calls.push({ domain, service: 'media_previous_track' })
      break
    case 'shuffle':
    case 'unshuffle':
      calls.push({ domain, service: 'shuffle_set', data: { shuffle: change.action === 'shuffle' } })
      break
    case 'repeat':
      calls.push({ domain, service: 'repeat_set', data: { repeat: 'one' } })
      break
  }
  return calls
}
