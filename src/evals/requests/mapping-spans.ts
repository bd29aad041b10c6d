/** A slot of an annotated request. */
export interface Slot {
  readonly name: string
  readonly value: string
}

/** One line of a corpus. */
export interface RequestLine {
  readonly text: string
  readonly intent: string
  readonly slots: readonly Slot[]
}

/** A slot and the half-open range of characters it covers; `start` is -1 where the text spells it otherwise. */
export interface PlacedSlot extends Slot {
  readonly start: number
  readonly end: number
}

const GLUE = new Set(
  `a an the of in on at for to from by with and or this that my our your near s called named titled is are it's as
   starting off out until till between around during per than about's me some any , . - ' " & : ; ? !`
    .split(/\s+/)
    .filter(Boolean),
)

/** Finds the slots in the text in their order; a value that was annotated in another spelling has no place. */
export function placeSlots(line: RequestLine): PlacedSlot[] {
  const text = line.text.toLowerCase()
  let cursor = 0
  return line.slots.map((slot) => {
    const value = slot.value.toLowerCase()
    let start = findWord(text, value, cursor)
    if (start < 0) start = findWord(text, value, 0)
    if (start < 0) start = text.indexOf(value)
    if (start < 0 || value.length === 0) return { ...slot, start: -1, end: -1 }
    cursor = start + value.length
    return { ...slot, start, end: start + value.length }
  })
}

function findWord(text: string, value: string, from: number): number {
  for (let at = text.indexOf(value, from); at >= 0; at = text.indexOf(value, at + 1)) {
    const before = text[at - 1]
    const after = text[at + value.length]
    if (!isWordCharacter(before) && !isWordCharacter(after)) return at
  }
  return -1
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character)
}

/**
 * Joins the slots of one parameter into one phrase of the owner's words: neighbours with nothing but small words between
 * them become the span that covers both, the rest is joined by a blank.
 *
 * @param others - slots of other parameters; a span never swallows one of them.
 * @param maximumGap - words of any kind that may stand between two slots (the parts of a rating).
 */
export function joinSlots(
  text: string,
  slots: readonly PlacedSlot[],
  others: readonly PlacedSlot[],
  maximumGap = 0,
): string {
  const placed = slots.filter((slot) => slot.start >= 0).sort((a, b) => a.start - b.start)
  const parts: { start: number; end: number }[] = []
  for (const slot of placed) {
    const last = parts.at(-1)
    if (last && slot.end <= last.end) continue
    if (parts.some((part) => text.slice(part.start, part.end).toLowerCase() === slot.value.toLowerCase())) continue
    if (last && bridges(text, last.end, slot.start, others, maximumGap)) last.end = slot.end
    else parts.push({ start: slot.start, end: slot.end })
  }
  const phrases = parts.map((part) => text.slice(part.start, part.end))
  for (const slot of slots) if (slot.start < 0) phrases.push(slot.value)
  return phrases.join(' ').trim()
}

function bridges(text: string, from: number, to: number, others: readonly PlacedSlot[], maximumGap: number): boolean {
  if (to <= from) return true
  if (others.some((other) => other.start >= 0 && other.start < to && other.end > from)) return false
  const words = text
    .slice(from, to)
    .toLowerCase()
    .split(/[\s]+|(?=[',.])|(?<=[',.])/)
    .filter(Boolean)
  if (words.length <= maximumGap) return true
  return words.length <= 4 && words.every((word) => GLUE.has(word))
}
