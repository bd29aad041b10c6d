import { z } from 'zod'
import type { Page } from '../page/index.js'
import type { Records } from '../store/index.js'

const pageSchema = z.object({
  url: z.string(),
  host: z.string(),
  title: z.string(),
  byline: z.string().optional(),
  site: z.string().optional(),
  date: z.string().optional(),
  text: z.string(),
  notice: z.string().optional(),
  opened: z.string(),
})

/** A page that was opened, as it is kept on this machine. */
export type KeptPage = z.infer<typeof pageSchema>

const COLLECTION = 'pages'

/** Keeps an opened page, with all its text in the local index, so that it is found again without a connection. */
export function keepPage(records: Records, page: Page, opened: Date): KeptPage {
  const { url, host, title, byline, site, date, text, notice } = page
  const kept = pageSchema.parse({ url, host, title, byline, site, date, text, notice, opened: opened.toISOString() })
  records.transaction(() => {
    const before = records.get(COLLECTION, url, pageSchema)
    records.put(COLLECTION, url, kept)
    // An unchanged page is in the index already; a changed one is found by its new words too.
    if (before?.text !== text)
      for (const part of passages(text)) records.learn('page', { title, body: part, source: url })
  })
  return kept
}

/** A page that was opened before, by its address. */
export const keptPage = (records: Records, url: string): KeptPage | undefined =>
  records.get(COLLECTION, url, pageSchema)

/** All pages that were opened. */
export const keptPages = (records: Records): readonly KeptPage[] =>
  records.all(COLLECTION, pageSchema).map((item) => item.data)

/** Cuts a text into passages of about a paragraph, headings with what follows them. */
export function passages(text: string, most = 1200): readonly string[] {
  const out: string[] = []
  let current = ''
  const flush = (): void => {
    if (current.trim() !== '') out.push(current.trim())
    current = ''
  }
  for (const block of text.split(/\n{2,}/)) {
    const heading = /^#{1,6} /.test(block)
    if (heading || current.length + block.length > most) flush()
    for (let rest = block; rest !== ''; ) {
      const cut = rest.length <= most ? rest.length : Math.max(rest.lastIndexOf(' ', most), 1)
      current += `${current === '' ? '' : '\n\n'}${rest.slice(0, cut)}`
      rest = rest.slice(cut)
      if (rest !== '') flush()
    }
    if (!heading && current.length > most / 3) flush()
  }
  flush()
  return out
}
