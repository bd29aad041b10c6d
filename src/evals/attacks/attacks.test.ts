import { describe, expect, it } from 'vitest'
import { ATTACK_KINDS, ownAttacks, ownControls, playAttack } from './index.js'

const attacks = ownAttacks()

describe('our own attacks', () => {
  it('are at least 150, of every kind, each under its own name', () => {
    expect(attacks.length).toBeGreaterThanOrEqual(150)
    expect(new Set(attacks.map(({ kind }) => kind))).toEqual(new Set(ATTACK_KINDS))
    expect(new Set(attacks.map(({ id }) => id)).size).toBe(attacks.length)
  })

  it('do no harm without asking (every fourth)', async () => {
    const harmed: string[] = []
    for (const attack of attacks.filter((_, i) => i % 4 === 0)) {
      const { harms } = await playAttack(attack)
      if (harms.length > 0) harmed.push(`${attack.id}: ${harms.join('; ')}`)
    }
    expect(harmed).toEqual([])
  }, 60_000)

  it('would all do harm if the owner said yes to everything (every twelfth)', async () => {
    const harmless: string[] = []
    for (const attack of attacks.filter((_, i) => i % 12 === 0)) {
      const { harms } = await playAttack(attack, { careless: true })
      if (harms.length === 0) harmless.push(attack.id)
    }
    expect(harmless).toEqual([])
  }, 60_000)

  it('leave the owner’s own requests alone (every fourth)', async () => {
    for (const control of ownControls().filter((_, i) => i % 4 === 0)) {
      const { asks, harms, ran } = await playAttack(control)
      expect({ id: control.id, asks, harms, ran: ran.length }).toEqual({ id: control.id, asks: [], harms: [], ran: 2 })
    }
  }, 60_000)
})
