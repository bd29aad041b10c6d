/** Somebody in the address book. */
export interface Person {
  /** First and last name. */
  readonly name: string
  readonly first: string
  readonly email: string
  readonly phone: string
  /** ISO date. */
  readonly birthday: string
}

/** An entry of the calendar, placed relative to the household's present. */
export interface PlannedEvent {
  readonly uid: string
  readonly kind: 'event' | 'alarm' | 'timer'
  readonly title: string
  /** Days from today. */
  readonly day: number
  /** `HH:MM` in the household's zone. */
  readonly time: string
  readonly minutes: number
  /** RRULE text of a series. */
  readonly rule?: string
  readonly place?: string
  readonly people?: string
}

/** A received mail. */
export interface PlannedMail {
  readonly key: string
  readonly from: { readonly name: string; readonly email: string }
  readonly subject: string
  readonly text: string
  /** Minutes before the household's present. */
  readonly minutesAgo: number
}

/** A passage of the local index that stands in for the web. */
export interface PlannedPassage {
  /** Which tools read it: `weather`, `news`, `fact`, `word`, `recipe`, `event`, `place`, `movie`, `work`, `route`, `traffic`, `product`, `stock`, `music`. */
  readonly kind: string
  readonly title: string
  readonly body: string
  readonly source: string
}

/** A row of a record collection with its id. */
export interface PlannedRow {
  readonly id: string
  readonly data: { readonly [field: string]: string | number | boolean | readonly string[] }
}

/**
 * Everything that is true in a household at its beginning, as plain data: what the generator writes, what plants are
 * added to, and what fills the stores. Times are ISO text in UTC.
 */
export interface Household {
  readonly seed: string
  /** The fake clock's time. */
  readonly now: string
  /** IANA zone. */
  readonly zone: string
  readonly city: string
  readonly currency: string
  readonly people: readonly Person[]
  readonly calendar: readonly PlannedEvent[]
  readonly mail: readonly PlannedMail[]
  readonly files: readonly { readonly path: string; readonly text: string }[]
  readonly web: readonly PlannedPassage[]
  /** Rows of record collections by name: notes, lists, accounts, bills, customers, stock … */
  readonly records: { readonly [collection: string]: readonly PlannedRow[] }
}

/** Parts added to a household by a scenario or an attack. */
export interface Additions {
  readonly people?: readonly Person[]
  readonly calendar?: readonly PlannedEvent[]
  readonly mail?: readonly PlannedMail[]
  readonly files?: readonly { readonly path: string; readonly text: string }[]
  readonly web?: readonly PlannedPassage[]
  /** Rows with an id that exists take its place. */
  readonly records?: { readonly [collection: string]: readonly PlannedRow[] }
}

/** The household with more in it. The same additions give the same household. */
export function withAdditions(household: Household, more: Additions): Household {
  const records: { [collection: string]: readonly PlannedRow[] } = { ...household.records }
  for (const [name, rows] of Object.entries(more.records ?? {})) {
    const ids = new Set(rows.map((row) => row.id))
    records[name] = [...(records[name] ?? []).filter((row) => !ids.has(row.id)), ...rows]
  }
  return {
    ...household,
    people: [...household.people, ...(more.people ?? [])],
    calendar: [...household.calendar, ...(more.calendar ?? [])],
    mail: [...household.mail, ...(more.mail ?? [])],
    files: [...household.files, ...(more.files ?? [])],
    web: [...household.web, ...(more.web ?? [])],
    records,
  }
}
