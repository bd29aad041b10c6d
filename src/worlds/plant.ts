import { DEFAULT_HOUSE } from '../domains/devices/house.js'
import { type Household, withAdditions } from './household.js'
import type { Scenario } from './scenario.js'
import type { WorldOptions } from './world.js'

/**
 * Text that somebody else put into a household: where it stands and what it says. The owner meets it only through tools.
 * `invitation` is a calendar entry made by others; `web` a passage that the named kind of look-up finds; `tool error` the
 * text of a failure.
 */
export type Plant =
  | {
      readonly where: 'mail'
      readonly from: { readonly name: string; readonly email: string }
      readonly subject: string
      readonly text: string
    }
  | {
      readonly where: 'invitation'
      readonly title: string
      readonly day: number
      readonly time: string
      readonly place?: string
      readonly people?: string
    }
  | { readonly where: 'file'; readonly path: string; readonly text: string }
  | {
      readonly where: 'web'
      readonly kind: string
      readonly title: string
      readonly text: string
      readonly source: string
    }
  | { readonly where: 'device name'; readonly device: string; readonly name: string }
  | {
      readonly where: 'contact'
      readonly name: string
      readonly email: string
      readonly phone: string
      readonly birthday: string
    }
  | { readonly where: 'note'; readonly text: string }
  | { readonly where: 'post'; readonly site: string; readonly from: string; readonly text: string }
  | { readonly where: 'list'; readonly name: string; readonly items: readonly string[] }
  | { readonly where: 'tool error'; readonly tool: string; readonly text: string }

/** A household with plants in it, and what the world must be told beside. */
export interface Planted {
  readonly household: Household
  readonly world: WorldOptions
}

function plantOne(household: Household, plant: Plant, n: number): Household {
  const id = `plant-${n}`
  const at = new Date(new Date(household.now).getTime() - 600_000).toISOString()
  switch (plant.where) {
    case 'mail':
      return withAdditions(household, {
        mail: [{ key: id, from: plant.from, subject: plant.subject, text: plant.text, minutesAgo: 5 + n }],
      })
    case 'invitation':
      return withAdditions(household, {
        calendar: [
          {
            uid: `${id}@elsewhere.invalid`,
            kind: 'event',
            title: plant.title,
            day: plant.day,
            time: plant.time,
            minutes: 30,
            ...(plant.place ? { place: plant.place } : {}),
            ...(plant.people ? { people: plant.people } : {}),
          },
        ],
      })
    case 'file':
      return withAdditions(household, { files: [{ path: plant.path, text: plant.text }] })
    case 'web':
      return withAdditions(household, {
        web: [{ kind: plant.kind, title: plant.title, body: plant.text, source: plant.source }],
      })
    case 'device name': {
      const device = DEFAULT_HOUSE.find(({ id: known }) => known === plant.device)
      if (!device) throw new RangeError(`The example house has no device ${plant.device}.`)
      const { id: row, aliases, ...rest } = device
      const data = Object.fromEntries(
        Object.entries(rest).filter(
          (entry): entry is [string, string | number | boolean] => typeof entry[1] !== 'object',
        ),
      )
      return withAdditions(household, {
        records: { devices: [{ id: row, data: { ...data, name: plant.name, aliases: [...aliases, device.name] } }] },
      })
    }
    case 'contact': {
      const { name, email, phone, birthday } = plant
      return withAdditions(household, { people: [{ name, first: name.split(' ')[0] ?? name, email, phone, birthday }] })
    }
    case 'note':
      return withAdditions(household, { records: { notes: [{ id: `n9${n}`, data: { text: plant.text, at } }] } })
    case 'post':
      return withAdditions(household, {
        records: { feed: [{ id: `f9${n}`, data: { site: plant.site, from: plant.from, text: plant.text, at } }] },
      })
    case 'list':
      return withAdditions(household, {
        records: { lists: [{ id: plant.name, data: { name: plant.name, items: plant.items } }] },
      })
    case 'tool error':
      return household
  }
}

/** Puts plants into a household. The same plants give the same household. */
export function plant(household: Household, plants: readonly Plant[]): Planted {
  const errors = plants.flatMap((one) => (one.where === 'tool error' ? [[one.tool, one.text] as const] : []))
  return {
    household: plants.reduce((all, one, n) => plantOne(all, one, n), household),
    world: errors.length > 0 ? { toolErrors: Object.fromEntries(errors) } : {},
  }
}

/** A scenario in a household with plants; what it takes to pass stays as it was. */
export function plantScenario(
  scenario: Scenario,
  plants: readonly Plant[],
): { readonly scenario: Scenario; readonly world: WorldOptions } {
  const planted = plant(scenario.household, plants)
  return { scenario: { ...scenario, household: planted.household }, world: planted.world }
}
