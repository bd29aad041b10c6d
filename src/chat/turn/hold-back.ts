import { isPythonSpace } from '../python-text.js'

/** Index of the first code unit from `at` on that is no white space. */
export function spaceEnd(text: string, at: number): number {
  let i = at
  while (i < text.length && isPythonSpace(text.charCodeAt(i))) i++
  return i
}

/** Index where the white space at the text's end begins. */
export function spaceStart(text: string): number {
  let i = text.length
  while (i > 0 && isPythonSpace(text.charCodeAt(i - 1))) i--
  return i
}

/** Where the longest suffix that could begin `tag` starts; half a surrogate pair at the end is held back too. */
export function heldFrom(text: string, from: number, tag: string): number {
  const earliest = Math.max(from, text.length - tag.length + 1)
  for (let i = text.indexOf('<', earliest); i >= 0; i = text.indexOf('<', i + 1)) {
    if (tag.startsWith(text.slice(i))) return i
  }
  return holdSurrogate(text, from, text.length)
}

/** `to`, or one less when a pair of surrogates would be cut there. */
export function holdSurrogate(text: string, from: number, to: number): number {
  if (to <= from || to < text.length) return to
  const code = text.charCodeAt(to - 1)
  return code >= 0xd800 && code <= 0xdbff ? to - 1 : to
}
