import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { playerOf } from './sound.js'
import { SOUNDS, wav } from './wav.js'

describe('sounds', () => {
  it.each(Object.entries(SOUNDS))('%s is a WAV file of its length that neither clips nor clicks', (_, tones) => {
    const bytes = wav(tones)
    const view = new DataView(bytes.buffer)
    const samples = Array.from({ length: (bytes.length - 44) / 2 }, (_sample, i) => view.getInt16(44 + i * 2, true))
    const seconds = tones.reduce((sum, [, length]) => sum + length, 0)
    expect(samples.length / 22_050).toBeCloseTo(seconds, 2)
    expect(view.getUint32(4, true)).toBe(bytes.length - 8)
    const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
    expect(peak).toBeGreaterThan(8000)
    expect(peak).toBeLessThan(32_767)
    const jumps = samples.slice(1).map((sample, i) => Math.abs(sample - (samples[i] ?? 0)))
    expect(jumps.reduce((most, jump) => Math.max(most, jump), 0)).toBeLessThan(6000)
    expect(Math.abs(samples.at(-1) ?? 0)).toBeLessThan(200)
  })

  it('are played by what the machine has', () => {
    expect(playerOf('linux', (name) => (name === 'aplay' ? '/usr/bin/aplay' : undefined))).toEqual(['aplay', '-q'])
    expect(playerOf('linux', () => undefined)).toBeUndefined()
    expect(playerOf('darwin', (name) => name)).toEqual(['afplay'])
  })

  it('are read as WAV by Python', () => {
    const script =
      'import sys,wave,io; w=wave.open(io.BytesIO(sys.stdin.buffer.read())); print(w.getnchannels(), w.getsampwidth(), w.getframerate())'
    const output = execFileSync('python3', ['-c', script], { input: wav(SOUNDS.alarm), encoding: 'utf8' })
    expect(output.trim()).toBe('1 2 22050')
  })
})
