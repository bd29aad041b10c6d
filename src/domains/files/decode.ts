/** What a file's bytes say, or that they are no text. */
export type Decoded = { readonly text: string; readonly encoding: 'utf-8' | 'utf-16' | 'windows-1252' } | undefined

/** Windows-1252 from 0x80 to 0x9F (encoding.spec.whatwg.org/index-windows-1252.txt); Node 20 decodes these as Latin-1. */
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Decodes text by its byte order mark, else as UTF-8, else as Windows-1252; undefined for binary data. */
export function decodeText(bytes: Uint8Array): Decoded {
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'utf-16' }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    const swapped = Uint8Array.from(bytes)
    for (let i = 0; i + 1 < swapped.length; i += 2)
      [swapped[i], swapped[i + 1]] = [swapped[i + 1] as number, swapped[i] as number]
    return { text: new TextDecoder('utf-16le').decode(swapped), encoding: 'utf-16' }
  }
  if (bytes.subarray(0, 65_536).includes(0)) return undefined
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' }
  } catch {
    return {
      text: Array.from(bytes, (b) => (b >= 0x80 && b < 0xa0 ? HIGH[b - 0x80] : String.fromCharCode(b))).join(''),
      encoding: 'windows-1252',
    }
  }
}
