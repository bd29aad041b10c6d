/**
 * What a parameter holds, for the memory: people (several joined by "and"), a device, a room (in which a device's name may
 * stand by mistake), a place of which the town is enough and which the owner's town fills in (`town`) or does not
 * (`place`), an exact place (`address`), the start of a way, which the owner's home fills in (`start`).
 */
export type Role = 'people' | 'device' | 'room' | 'town' | 'place' | 'address' | 'start'

/** Parameters that the memory resolves, by tool. */
export const ROLES: { readonly [tool: string]: { readonly [parameter: string]: Role } } = {
  email_send: { to: 'people' },
  email_draft: { to: 'people' },
  email_reply: { to: 'people' },
  email_search: { from: 'people' },
  contact_find: { name: 'people' },
  calendar_create: { people: 'people', place: 'place' },
  calendar_search: { people: 'people', place: 'place' },
  calendar_cancel: { people: 'people', place: 'place' },
  calendar_free: {},
  device_state: { device: 'device', room: 'room' },
  light_switch: { device: 'device', room: 'room' },
  light_color: { device: 'device', room: 'room' },
  light_adjust: { device: 'device', room: 'room' },
  plug_switch: { device: 'device', room: 'room' },
  volume_adjust: { device: 'device' },
  vacuum_start: { device: 'device', room: 'room' },
  coffee_make: { device: 'device' },
  lock_set: { door: 'device' },
  media_control: { device: 'device' },
  weather_get: { place: 'town' },
  traffic_get: { place: 'town' },
  events_find: { place: 'town' },
  places_find: { place: 'town' },
  movies_find: { place: 'town' },
  route_get: { from: 'start', to: 'address' },
  taxi_book: { from: 'address', to: 'address' },
  ticket_book: { from: 'place', to: 'place' },
}
