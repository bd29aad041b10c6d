import { z } from 'zod'
import type { Item, Records } from '../store/index.js'
import { keyWords } from '../words/match.js'
import { type KeptPage, keptPages } from './pages.js'

const noteSchema = z.object({
  text: z.string(),
  at: z.string(),
  /** Where it was read: the address of a page. */
  source: z.string().optional(),
  /** Outside text that it stems from ("web page at example.org"); absent for the owner's own words. */
  taintedBy: z.string().optional(),
})

/** A note with its id ("n3"). */
export type Note = Item<z.infer<typeof noteSchema>>

const COLLECTION = 'notes'

/** All notes, oldest first. */
export const allNotes = (records: Records): readonly Note[] => records.all(COLLECTION, noteSchema)

/** Writes a note. */
export function putNote(records: Records, id: string, note: Note['data']): void {
  records.put(COLLECTION, id, noteSchema.parse(note))
}

const run = (text: string): string => ` ${keyWords(text).join(' ')} `

/**
 * Where a note comes from: the address in it, else the latest opened page that says the same in the same words. Four
 * words or fewer could stand anywhere.
 */
export function sourceOf(
  records: Records,
  text: string,
): { readonly url: string; readonly page?: KeptPage } | undefined {
  const named = /https?:\/\/[^\s<>"')\]]+/.exec(text)?.[0]?.replace(/[.,;:!?]+$/, '')
  const pages = keptPages(records)
  if (named !== undefined && URL.canParse(named)) {
    const url = new URL(named).href
    const page = pages.find((p) => p.url === url)
    return page === undefined ? { url } : { url, page }
  }
  if (keyWords(text).length <= 4) return undefined
  const words = run(text)
  const page = [...pages].sort((a, b) => b.opened.localeCompare(a.opened)).find((p) => run(p.text).includes(words))
  return page === undefined ? undefined : { url: page.url, page }
}

/** What of these notes is outside text, for a result that shows them; undefined when all of it is the owner's own. */
export function taintOfNotes(notes: readonly Note[]): string | undefined {
  const from = [...new Set(notes.flatMap((n) => n.data.taintedBy ?? []))]
  return from.length === 0 ? undefined : `notes taken from ${from.slice(0, 3).join(', ')}`
}
