import type { Dialect } from '../types.js'
import type { Turn } from './turn.js'

/** Wrappers of other formats: a block in them that names a registered tool was meant as a call. */
const WRAPPERS = [
  'function_call',
  'function_calls',
  'tool_calls',
  'tool_use',
  'tool_code',
  'tool_request',
  'invoke',
  'action',
]

/** The tags that matter in visible text, found by their second and third character. */
export class TagIndex {
  private readonly longest: number
  private readonly byStart = new Map<string, string[]>()

  private constructor(private readonly all: readonly string[]) {
    this.longest = Math.max(...all.map((tag) => tag.length))
    for (const tag of all) this.byStart.set(tag.slice(1, 3), [...(this.byStart.get(tag.slice(1, 3)) ?? []), tag])
  }

  private static readonly known = new Map<string, TagIndex>()

  /** The index for turns of this dialect with these end texts; a few dozen of them are kept. */
  static of({ dialect, opening, endTexts }: Turn): TagIndex {
    const name = JSON.stringify([dialect, endTexts])
    let index = TagIndex.known.get(name)
    if (index === undefined) {
      index = new TagIndex([...tagsOf(dialect, opening), ...endTexts])
      if (TagIndex.known.size < 64) TagIndex.known.set(name, index)
    }
    return index
  }

  /** The tag that stands at `i`, where there is a `<`; empty when one may be coming; undefined when none is. */
  tagAt(buffer: string, i: number): string | undefined {
    const second = buffer.charCodeAt(i + 1)
    // Letters, `/` and `|` begin our tags; anything else is text without a closer look.
    if (i + 1 < buffer.length && second !== 0x2f && second !== 0x7c && (second < 0x61 || second > 0x7a))
      return undefined
    if (i + 2 < buffer.length) {
      const tags = this.byStart.get(buffer.slice(i + 1, i + 3))
      if (tags === undefined) return undefined
      for (const tag of tags) if (buffer.startsWith(tag, i)) return tag
    }
    const left = buffer.length - i
    if (left >= this.longest) return undefined
    const rest = buffer.slice(i)
    return this.all.some((tag) => tag.length > left && tag.startsWith(rest)) ? '' : undefined
  }
}

function tagsOf(dialect: Dialect, opening: string | undefined): string[] {
  return [
    ...(opening === undefined ? [] : [opening]),
    ...(dialect === 'qwen3.5' ? ['<function='] : []),
    ...(dialect === 'hermes' ? ['</tool_call>'] : []),
    ...(dialect === 'plain'
      ? []
      : ['<tool_response>', ...WRAPPERS.flatMap((wrapper) => [`<${wrapper}>`, `</${wrapper}>`])]),
    '<think>',
    '</think>',
  ]
}
