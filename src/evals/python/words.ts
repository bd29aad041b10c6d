/** Characters that `\w` of Python's `re` takes in a str: letters, numbers of every kind and the underscore, no marks. */
const WORD = /[\p{L}\p{N}_]/u

/** Says whether a character (one code point) is a word character for Python's `re`. */
export function isPythonWord(character: string | undefined): boolean {
  return character !== undefined && WORD.test(character)
}

/**
 * `re.search(r'\b' + re.escape(needle) + r'\b', text) is not None`: the words' boundaries are Python's, which differ
 * from JavaScript's outside ASCII.
 */
export function containsWhole(text: string, needle: string): boolean {
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) {
    if (isBoundary(text, at) && isBoundary(text, at + needle.length)) return true
    // The search for an empty needle would find the end of the text for ever.
    if (at >= text.length) break
  }
  return false
}

function isBoundary(text: string, at: number): boolean {
  return isPythonWord(before(text, at)) !== isPythonWord(after(text, at))
}

function before(text: string, at: number): string | undefined {
  if (at <= 0) return undefined
  const low = text.charCodeAt(at - 1)
  const paired = low >= 0xdc00 && low <= 0xdfff && at >= 2 && text.codePointAt(at - 2)! > 0xffff
  return text.slice(paired ? at - 2 : at - 1, at)
}

function after(text: string, at: number): string | undefined {
  const point = text.codePointAt(at)
  return point === undefined ? undefined : String.fromCodePoint(point)
}
