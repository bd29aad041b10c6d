/** What `str.strip()` removes: Unicode white space and the four separators of ASCII. */
const SPACE = '[\\s\\x1c-\\x1f\\x85]'
const EDGES = new RegExp(`^(?:(?!\\ufeff)${SPACE})+|(?:(?!\\ufeff)${SPACE})+$`, 'g')

/** `text.strip()` of Python, or `text.strip(characters)`. */
export function pyStrip(text: string, characters?: string): string {
  if (characters === undefined) return text.replace(EDGES, '')
  const set = new Set(characters)
  const all = [...text]
  let [start, end] = [0, all.length]
  while (start < end && set.has(all[start]!)) start += 1
  while (end > start && set.has(all[end - 1]!)) end -= 1
  return all.slice(start, end).join('')
}
