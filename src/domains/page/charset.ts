type Decoder = InstanceType<typeof TextDecoder>

/** A decoder by label, or undefined when the label is unknown (WHATWG Encoding). */
function decoderOf(label: string | undefined): Decoder | undefined {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label.trim())
  } catch {
    return undefined
  }
}

/** What windows-1252 has at 0x80 to 0x9f (WHATWG Encoding, index windows-1252), as code points. */
const UPPER = [
  0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d, 0x17d, 0x8f,
  0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0x9d, 0x17e, 0x178,
]

/** Node 20 reads windows-1252 as latin1, which loses quotation marks and the euro sign. */
const decode = (decoder: Decoder, bytes: Uint8Array): string =>
  decoder.encoding === 'windows-1252'
    ? Buffer.from(bytes)
        .toString('latin1')
        .replace(/[\u0080-\u009f]/g, (c) => String.fromCharCode(UPPER[c.charCodeAt(0) - 0x80] ?? 0xfffd))
    : decoder.decode(bytes)

function byteOrderMark(bytes: Uint8Array): string | undefined {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  return a === 0xff && b === 0xfe ? 'utf-16le' : undefined
}

/** The encoding that a page names in its first 1024 bytes (HTML standard, prescan; XML declaration). */
function declared(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 1024))
    .toString('latin1')
    .replace(/<!--[\s\S]*?-->/g, '')
  const named =
    /<meta[^>]*?\scharset\s*=\s*["']?\s*([\w:.-]+)/i.exec(head)?.[1] ??
    /<meta[^>]*?content\s*=\s*["'][^"'>]*?charset\s*=\s*([\w:.-]+)/i.exec(head)?.[1] ??
    /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w:.-]+)/i.exec(head)?.[1]
  // Bytes that spell this out as ASCII are not UTF-16.
  return named !== undefined && /^utf-?16/i.test(named) ? 'utf-8' : named
}

/** How a text was read. */
export interface DecodedText {
  readonly text: string
  /** Name of the encoding as the standard calls it. */
  readonly encoding: string
}

/**
 * Reads bytes as text: by byte order mark, else by what the server said, else by what the page says, else as UTF-8 when
 * it is that, else as windows-1252. Never throws: what cannot be read becomes U+FFFD.
 * @param contentType the header as it was sent
 */
export function decodeText(bytes: Uint8Array, contentType: string): DecodedText {
  const said = /charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1]
  const named = decoderOf(byteOrderMark(bytes)) ?? decoderOf(said) ?? decoderOf(declared(bytes))
  if (named) return { text: decode(named, bytes), encoding: named.encoding }
  try {
    // A page that was cut may end within a character; `stream` keeps that from counting as wrong.
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true }), encoding: 'utf-8' }
  } catch {
    return { text: decode(new TextDecoder('windows-1252'), bytes), encoding: 'windows-1252' }
  }
}
