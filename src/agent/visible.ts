const NAMED: Readonly<Record<number, string>> = {
  173: 'soft hyphen',
  1564: 'right-to-left mark',
  6158: 'invisible',
  8203: 'zero width',
  8204: 'zero width',
  8205: 'zero width',
  8206: 'left-to-right mark',
  8207: 'right-to-left mark',
  8288: 'zero width',
  65279: 'zero width',
}

const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]|\p{Variation_Selector}/gu

/**
 * A text with everything that a terminal or a reader would not see made visible: control characters and escape sequences
 * (`\x1b`), bidirectional overrides, zero-width and tag characters, as `‹…›`. Newlines and tabs stay. Joiners and
 * selectors inside emoji stay as well, since they only shape a picture that is visible anyway.
 */
export function makeVisible(text: string): string {
  return text.replace(HIDDEN, (char, at: number) => {
    const code = char.codePointAt(0) ?? 0
    if ((code === 0x200d || code === 0xfe0f) && insideEmoji(text, at)) return char
    if (code < 0x20 || code === 0x7f) return code === 0x1b ? '‹ESC›' : `‹x${code.toString(16).padStart(2, '0')}›`
    if (code >= 0x202a && code <= 0x202e) return '‹direction›'
    if (code >= 0x2066 && code <= 0x2069) return '‹direction›'
    return `‹${NAMED[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`}›`
  })
}

function insideEmoji(text: string, at: number): boolean {
  const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? ''
  return /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f/u.test(before)
}
