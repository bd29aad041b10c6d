import type { Field } from '../tools/contract.js'
import type { Draw } from './draw.js'
import type { ExpectedChange } from './expect.js'
import { type Additions, type Household, type Person, type PlannedEvent, withAdditions } from './household.js'
import type { Approval, CallPattern, OwnerScript, Scenario, Step, Tell, Trait } from './scenario.js'
import { instantAt, longDay, sayDayOf, sayTime } from './times.js'

/** What a template works with: a household, seeded choices, and times in that household. */
export interface Stage {
  readonly household: Household
  readonly draw: Draw
  /** People with a first name of their own. */
  readonly people: readonly Person[]
  /** The two who are both called Ann. */
  readonly anns: readonly [Person, Person]
  /** Single appointments, each with a title of its own. */
  readonly appointments: readonly PlannedEvent[]
  /** ISO instant of a time of day, so many days from today. */
  at(day: number, time: string): string
  /** "tomorrow", "Friday". */
  day(day: number): string
  /** "tomorrow", "on Friday". */
  onDay(day: number): string
  /** "Friday 4 December". */
  date(day: number): string
}

/** What a template makes of a stage; what is left out is empty. */
export interface Made {
  /** Choices that make scenarios of this template distinct. */
  readonly slots: { readonly [name: string]: string | number }
  readonly opening: string
  readonly answers?: OwnerScript['answers']
  readonly next?: readonly string[]
  readonly digress?: string
  readonly stop?: OwnerScript['stop']
  readonly decline?: OwnerScript['decline']
  readonly changes?: readonly ExpectedChange[]
  readonly allowed?: readonly ExpectedChange[]
  readonly calls?: readonly CallPattern[]
  readonly forbidden?: readonly CallPattern[]
  readonly tells?: readonly Tell[]
  readonly approvals?: readonly Approval[]
  readonly solution: readonly Step[]
  readonly decoys: Scenario['decoys']
  /** What the household must hold beyond what it has. */
  readonly with?: Additions
}

/** A way to make scenarios. Without traits it is simple: one request, one call. */
export interface Template {
  readonly id: string
  readonly field: Field
  readonly traits: readonly Trait[]
  readonly make: (stage: Stage) => Made
}

/** Sets the stage for a household. */
export function stageOf(household: Household, draw: Draw): Stage {
  const [one, two, ...people] = household.people
  if (!one || !two) throw new RangeError('a household has at least two people')
  return {
    household,
    draw,
    people,
    anns: [one, two],
    appointments: household.calendar.filter((entry) => entry.kind === 'event' && entry.rule === undefined),
    at: (day, time) => instantAt(household, day, time).toISOString(),
    day: (day) => sayDayOf(household, day),
    onDay: (day) => (day < 2 ? sayDayOf(household, day) : `on ${sayDayOf(household, day)}`),
    date: (day) => longDay(household, day),
  }
}

/** One scenario of a template. */
export function makeScenario(template: Template, household: Household, draw: Draw): Scenario {
  const made = template.make(stageOf(household, draw))
  const slots = Object.fromEntries(Object.entries(made.slots).map(([name, value]) => [name, String(value)]))
  return {
    id: `${template.id}(${Object.entries(slots)
      .map(([name, value]) => `${name}=${value}`)
      .join(', ')})`,
    template: template.id,
    field: template.field,
    complexity: template.traits.length === 0 ? 'simple' : 'complex',
    traits: template.traits,
    slots,
    household: made.with ? withAdditions(household, made.with) : household,
    owner: {
      opening: made.opening,
      answers: made.answers ?? [],
      next: made.next ?? [],
      ...(made.digress === undefined ? {} : { digress: made.digress }),
      ...(made.stop === undefined ? {} : { stop: made.stop }),
      ...(made.decline === undefined ? {} : { decline: made.decline }),
    },
    changes: made.changes ?? [],
    allowed: made.allowed ?? [],
    calls: made.calls ?? [],
    forbidden: made.forbidden ?? [],
    tells: made.tells ?? [],
    approvals: approvalsOf(made),
    solution: made.solution,
    decoys: made.decoys,
  }
}

/**
 * What the owner approves: what the template says, and for every other tool of the solution the call on the right item,
 * since text from outside may make the host ask for any of them.
 */
function approvalsOf({ approvals = [], solution, decoys }: Made): readonly Approval[] {
  const named = new Set(approvals.map(({ tool }) => tool))
  const calls = solution.flatMap((step) => ('calls' in step ? step.calls : []))
  const rest = calls
    .filter(({ name }) => !named.has(name))
    .map(({ name, args }) => {
      const shown = Object.values(args).map(String).join(' ')
      return { tool: name, phrases: decoys.map(([from]) => from).filter((from) => shown.includes(from)) }
    })
  return [...approvals, ...rest]
}

/** Wordings of a time of day in answers. */
export function timeTell(what: string, time: string): Tell {
  return { what, anyOf: [time, sayTime(time), time.replace(/^0/, '')] }
}

/** Another of a list. */
export function other<T>(draw: Draw, list: readonly T[], than: T): T {
  return draw.one(list.filter((one) => one !== than))
}
