// The nine at the end came with Unicode 18, which this Node.js does not know.
const EMOJI = new RegExp(
  '^[[\\p{Emoji}--[0-9#*]]--\\p{Regional_Indicator}]$|' +
    '^[\\u{1f6d9}\\u{1fa8b}-\\u{1fa8d}\\u{1facc}\\u{1fadd}\\u{1faeb}\\u{1faf9}\\u{1fafa}]$',
  'v',
)

/**
 * Whether a single code point is an emoji for `emoji.is_emoji` of the Python package emoji 2.16: digits, `#`, `*` and
 * regional indicators alone are none, signs such as © are.
 */
export function isEmoji(character: string): boolean {
  return EMOJI.test(character)
}
