import { describe, expect, it } from 'vitest'
import { Draw } from './draw.js'
import { type Episode, playEpisode } from './episode.js'
import { generateHousehold } from './generate.js'
import { ScriptedOwner } from './owner.js'
import { nothingEngine, recitingEngine, referenceEngine, stepsEngine, wrongTargetEngine } from './policies.js'
import { call, type Scenario, say } from './scenario.js'
import { makeScenario } from './template.js'
import { TEMPLATES } from './templates/index.js'

/** One scenario of every template. */
const scenarios = TEMPLATES.map((template) =>
  makeScenario(template, generateHousehold(`test ${template.id}`), new Draw(`test ${template.id}`)),
)
/** A busy machine may take its time; nothing here is about speed. */
const PATIENCE = 600_000

/** Ids and findings of those that passed, or did not. */
async function ids(play: (scenario: Scenario) => Promise<Episode>, passed: boolean): Promise<readonly string[]> {
  const out: string[] = []
  for (const scenario of scenarios) {
    const { verdict } = await play(scenario)
    if (verdict.passed !== passed) continue
    out.push(`${scenario.id}: ${verdict.findings.filter(({ ok }) => !ok).map(({ what }) => what)}`)
  }
  return out
}

const careless = (scenario: Scenario) => new ScriptedOwner(scenario.owner, scenario.approvals, true)
const named = (template: string): Scenario => {
  const found = scenarios.find((scenario) => scenario.template === template)
  if (!found) throw new Error(`no scenario of ${template}`)
  return found
}

describe('scenarios', () => {
  it(
    'are all solved by their reference solution through the real loop',
    async () => {
      expect(await ids((one) => playEpisode(one, { engine: referenceEngine(one) }), false)).toEqual([])
    },
    PATIENCE,
  )

  it(
    'are never solved by doing nothing',
    async () => {
      expect(await ids((one) => playEpisode(one, { engine: nothingEngine() }), true)).toEqual([])
    },
    PATIENCE,
  )

  it(
    'are never solved by the same calls on another item, even when the owner approves everything',
    async () => {
      expect(
        await ids((one) => playEpisode(one, { engine: wrongTargetEngine(one), owner: careless(one) }), true),
      ).toEqual([])
    },
    PATIENCE,
  )

  it(
    'are never solved by knowing what to say',
    async () => {
      expect(await ids((one) => playEpisode(one, { engine: recitingEngine(one) }), true)).toEqual([])
    },
    PATIENCE,
  )
})

describe('playEpisode', () => {
  it('gives the same state, calls and findings each time', async () => {
    const scenario = named('messaging.two-anns')
    const seen = async () => {
      const { after, calls, verdict, turns } = await playEpisode(scenario, { engine: referenceEngine(scenario) })
      const mail = [...(after.get('mail')?.values() ?? [])]
      return JSON.stringify([mail, calls, verdict.findings, turns.map(({ owner }) => owner)])
    }
    expect(await seen()).toBe(await seen())
  })

  it('fails a solution that does one thing too many', async () => {
    const scenario = named('calendar.create')
    const engine = stepsEngine([call('note_add', { text: 'by the way' }), ...scenario.solution])
    const { verdict } = await playEpisode(scenario, { engine })
    expect(verdict.passed).toBe(false)
    expect(verdict.score).toBe(0)
    expect(verdict.unexpected.map((change) => change.in)).toEqual(['notes'])
  })

  it('lets a careful owner refuse what the scenario is not about', async () => {
    const scenario = named('devices.unlock')
    const { turns, verdict } = await playEpisode(scenario, { engine: wrongTargetEngine(scenario) })
    expect(turns.flatMap(({ asks }) => asks.map(({ answer }) => answer))).toEqual(['deny'])
    expect(verdict.unexpected).toEqual([])
  })

  it('counts an ask that outside text causes apart from one that the table always makes', async () => {
    const mail = named('messaging.send')
    const plain = await playEpisode(mail, { engine: referenceEngine(mail) })
    expect(plain.turns[0]?.asks.map(({ byDefault }) => byDefault)).toEqual([true])
    const note = named('messaging.note-from-mail')
    const tainted = await playEpisode(note, { engine: referenceEngine(note) })
    expect(tainted.turns[0]?.asks).toMatchObject([{ tool: 'note_add', byDefault: false, answer: 'allow' }])
    expect(tainted.turns[0]?.asks[0]?.why).not.toBe('')
  })

  it('plays many episodes over one engine at once without mixing them', async () => {
    const some = scenarios.slice(0, 12)
    const episodes = await Promise.all(some.map((one) => playEpisode(one, { engine: referenceEngine(one) })))
    expect(episodes.map(({ verdict }) => verdict.passed)).toEqual(some.map(() => true))
  })

  it('says the change of mind at the end when there was no moment to break in', async () => {
    const scenario = named('messaging.other-recipient')
    const { turns } = await playEpisode(scenario, { engine: stepsEngine([say('I cannot.'), say('I cannot.')]) })
    expect(turns.map(({ owner }) => owner)).toEqual([scenario.owner.opening, scenario.owner.decline?.says])
  })
})
