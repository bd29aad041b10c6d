/**
 * The printable alphabet of byte-level BPE (introduced with GPT-2): each of the 256 bytes is written as one visible character, so
 * that vocabularies can be stored as text. Printable Latin-1 bytes stand for themselves, the rest are moved to U+0100 and up.
 */
const { byteToChar, charToByte } = build()

function build(): { byteToChar: string[]; charToByte: Map<string, number> } {
  const byteToChar: string[] = []
  let moved = 0x100
  for (let byte = 0; byte < 256; byte++) {
    const visible = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte !== 0xad)
    byteToChar.push(String.fromCharCode(visible ? byte : moved++))
  }
  return { byteToChar, charToByte: new Map(byteToChar.map((char, byte) => [char, byte])) }
}

/** The character that stands for a byte (0 to 255). */
export function charOfByte(byte: number): string {
  return byteToChar[byte] as string
}

/** Bytes that a vocabulary entry stands for, or undefined when it holds a character outside the alphabet. */
export function bytesOfEntry(entry: string): Uint8Array | undefined {
  const bytes = new Uint8Array(entry.length)
  for (let i = 0; i < entry.length; i++) {
    const byte = charToByte.get(entry[i] as string)
    if (byte === undefined) return undefined
    bytes[i] = byte
  }
  return bytes
}

/** The vocabulary entry that stands for these bytes. */
export function entryOfBytes(bytes: Uint8Array): string {
  let entry = ''
  for (const byte of bytes) entry += byteToChar[byte]
  return entry
}

/** All 256 bytes in the order of their characters, which is the order in which published vocabularies number them. */
export const bytesInAlphabetOrder: readonly number[] = Array.from({ length: 256 }, (_, byte) => byte).sort((a, b) =>
  charOfByte(a) < charOfByte(b) ? -1 : 1,
)
