import type { ToolContext, ToolResult } from '../../tools/contract.js'
import { type Implementation, reads, writes } from '../implement.js'
import { hostOf } from '../net/index.js'
import { asked, done, failed } from '../result.js'
import type { Records } from '../store/index.js'
import { sayDay } from '../time/index.js'
import { text } from '../words/args.js'
import { countWords, keyWords } from '../words/match.js'
import { allNotes, type Note, putNote, sourceOf, taintOfNotes } from './notes.js'
import { type KeptPage, keptPages } from './pages.js'
import { rank } from './rank.js'

const day = (at: string, context: ToolContext): string => sayDay(new Date(at), context.timeZone, context.now())

/** Outside text in a result is told to the agent. */
const withTaint = (result: ToolResult, untrusted: string | undefined): ToolResult =>
  untrusted === undefined ? result : { ...result, untrusted }

const sourceWords = (note: Note): string => (note.data.source === undefined ? '' : ` [source: ${note.data.source}]`)

const plain = (note: Note) => ({
  id: note.id,
  text: note.data.text,
  at: note.data.at,
  ...(note.data.source === undefined ? {} : { source: note.data.source }),
})

/** Author, title, site, date, address, and when it was read. */
function citation(url: string, page: KeptPage | undefined, read: string, context: ToolContext): string {
  const opened = `read ${day(read, context)}`
  if (page === undefined) return `${url} (${opened})`
  const date = /^\d{4}-\d\d-\d\d/.exec(page.date ?? '')?.[0] ?? page.date
  const parts = [page.byline, `"${page.title}"`, page.site ?? page.host, date].filter(
    (p) => p !== undefined && p !== '',
  )
  return `${parts.join(', ')}, ${url} (${opened})`
}

/** Tools of notes and their sources. */
export function noteTools(records: Records): { readonly [name: string]: Implementation } {
  const pageOf = (url: string | undefined): KeptPage | undefined =>
    url === undefined ? undefined : keptPages(records).find((p) => p.url === url)

  return {
    note_add: writes(records, 'note_add', (args, context) => {
      const note = text(args, 'text')
      if (note === undefined) return asked('What should I note?')
      const id = records.nextId('n')
      const source = sourceOf(records, note)
      // A page's own words stay outside text, whoever copied them.
      const from = context.taintedBy ?? (source?.page === undefined ? undefined : `web page at ${source.page.host}`)
      putNote(records, id, {
        text: note.slice(0, 20_000),
        at: context.now().toISOString(),
        ...(source === undefined ? {} : { source: source.url }),
        ...(from === undefined ? {} : { taintedBy: from }),
      })
      const host = source === undefined ? undefined : hostOf(source.url)
      return done(host === undefined ? `Noted as ${id}.` : `Noted as ${id}, with its source at ${host}.`, {
        data: { id, ...(source === undefined ? {} : { source: source.url }) },
      })
    }),

    note_find: reads((args, context) => {
      const query = text(args, 'query')
      const words =
        query === undefined || /^(?:all|everything|(?:my |the )?notes?|all (?:my |the )?notes)$/i.test(query)
          ? []
          : keyWords(query).filter((w) => w !== 'note')
      const notes = [...allNotes(records)].reverse().filter((n) => {
        const held = keyWords(`${n.id} ${n.data.text}`)
        return words.every((w) => held.some((h) => h === w || (w.length > 3 && h.startsWith(w))))
      })
      const first = notes[0]
      if (first === undefined)
        return done(words.length === 0 ? 'There are no notes yet.' : `No note says anything about ${query}.`, {
          data: [],
        })
      const shown = notes.slice(0, 30)
      return withTaint(
        done(
          notes.length === 1
            ? `You noted on ${day(first.data.at, context)}: ${first.data.text.split('\n')[0]}`
            : `${countWords(notes.length, 'note')} found; the latest, of ${day(first.data.at, context)}: ${first.data.text.split('\n')[0]}`,
          {
            lines: shown.map((n) => `- ${n.id} (${day(n.data.at, context)}): ${n.data.text}${sourceWords(n)}`),
            data: shown.map(plain),
          },
        ),
        taintOfNotes(shown),
      )
    }),

    notes_answer: reads((args, context) => {
      const question = text(args, 'question')
      if (question === undefined) return asked('What should I look for in the notes?')
      const found = rank(question, allNotes(records), (n) => n.data.text).slice(0, 5)
      const best = found[0]
      if (best === undefined) return done('The notes say nothing about that.', { data: [] })
      const sentences = best.data.text.split(/(?<=[.!?])\s+|\n+/).filter((s) => s.trim() !== '')
      const answer = (rank(question, sentences, (s) => s)[0] ?? best.data.text.split('\n')[0] ?? '').trim()
      return withTaint(
        done(`${answer} (${best.id}, noted on ${day(best.data.at, context)}).`, {
          lines: found.map((n) => {
            const cited =
              n.data.source === undefined
                ? 'your own note'
                : citation(n.data.source, pageOf(n.data.source), n.data.at, context)
            return `- ${n.id} (${day(n.data.at, context)}): ${n.data.text.slice(0, 1000)} [${cited}]`
          }),
          data: found.map(plain),
        }),
        taintOfNotes(found),
      )
    }),

    source_cite: reads((args, context) => {
      const wanted = text(args, 'source')
      if (wanted === undefined) return asked('Which note or page?')
      const id = /\bn\d+\b/i.exec(wanted)?.[0]?.toLowerCase()
      const note = id === undefined ? undefined : allNotes(records).find((n) => n.id === id)
      if (note !== undefined) {
        if (note.data.source === undefined)
          return withTaint(
            done(`Note ${note.id} was made on ${day(note.data.at, context)} and names no source.`, {
              data: plain(note),
            }),
            taintOfNotes([note]),
          )
        const said = citation(note.data.source, pageOf(note.data.source), note.data.at, context)
        return withTaint(
          done(said, { data: { ...plain(note), citation: said } }),
          taintOfNotes([note]) ?? `web page at ${hostOf(note.data.source) ?? note.data.source}`,
        )
      }
      const pages = keptPages(records)
      const url = /\S+\.\S+/.exec(wanted)?.[0]?.replace(/^(?!https?:)/, 'https://')
      const page =
        pages.find((p) => url !== undefined && URL.canParse(url) && p.url === new URL(url).href) ??
        rank(wanted, pages, (p) => `${p.title} ${p.host} ${p.byline ?? ''}`)[0]
      if (page === undefined)
        return failed(
          id === undefined
            ? 'No such page was opened. Open it first (page_open), then cite it.'
            : `There is no note ${id}.`,
        )
      const said = citation(page.url, page, page.opened, context)
      return { ...done(said, { data: { url: page.url, citation: said } }), untrusted: `web page at ${page.host}` }
    }),
  }
}
