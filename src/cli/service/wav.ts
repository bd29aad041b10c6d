/** Samples per second of the sounds. */
const RATE = 22_050

/** A tone: hertz (0 is silence), seconds. */
export type Tone = readonly [hertz: number, seconds: number]

/** What the sounds are: a rising call for alarms, three even strokes for timers, one soft chime for reminders. */
export const SOUNDS: { readonly [name in 'alarm' | 'timer' | 'chime']: readonly Tone[] } = {
  alarm: [
    [659, 0.18],
    [0, 0.04],
    [784, 0.18],
    [0, 0.04],
    [988, 0.34],
    [0, 0.9],
  ],
  timer: [
    [880, 0.16],
    [0, 0.1],
    [880, 0.16],
    [0, 0.1],
    [880, 0.16],
    [0, 0.9],
  ],
  chime: [
    [784, 0.16],
    [1047, 0.5],
  ],
}

/**
 * A WAV file (RIFF, 16-bit mono PCM) of some tones: sines with a quieter octave above, faded in and out against clicks.
 */
export function wav(tones: readonly Tone[]): Uint8Array {
  const samples = tones.flatMap(([hertz, seconds]) => {
    const length = Math.round(seconds * RATE)
    return Array.from({ length }, (_, i) => {
      const t = i / RATE
      const fade = Math.min(1, t / 0.008) * Math.min(1, (length - i) / RATE / 0.05)
      const wave = Math.sin(2 * Math.PI * hertz * t) + 0.3 * Math.sin(4 * Math.PI * hertz * t)
      return hertz === 0 ? 0 : Math.round(wave * fade * 0.35 * 32_767)
    })
  })
  const bytes = new Uint8Array(44 + samples.length * 2)
  const view = new DataView(bytes.buffer)
  const text = (at: number, word: string) => bytes.set(new TextEncoder().encode(word), at)
  text(0, 'RIFF')
  view.setUint32(4, bytes.length - 8, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, RATE, true)
  view.setUint32(28, RATE * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  text(36, 'data')
  view.setUint32(40, samples.length * 2, true)
  samples.forEach((sample, i) => {
    view.setInt16(44 + i * 2, sample, true)
  })
  return bytes
}
