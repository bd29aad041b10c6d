import { z } from 'zod'
import type { Tool } from '../../tools/contract.js'
import { implement, reads, writes } from '../implement.js'
import { asked, done, unavailable } from '../result.js'
import type { Records } from '../store/index.js'
import { sayDay } from '../time/index.js'
import { text } from '../words/args.js'
import { countWords, keyWords } from '../words/match.js'
import { researchContracts } from './tools.js'

const noteSchema = z.object({ text: z.string(), at: z.string() })

/** Notes on records; pages wait for a network adapter. */
export function researchTools(records: Records): readonly Tool[] {
  return implement(researchContracts, {
    page_open: reads((args) => {
      const url = text(args, 'url')
      return url === undefined
        ? asked('Which address?')
        : unavailable(`BotPsy has no connection to the web yet, so I cannot open ${url.slice(0, 200)}.`)
    }),

    note_add: writes(records, 'note_add', (args, context) => {
      const note = text(args, 'text')
      if (note === undefined) return asked('What should I note?')
      const id = records.nextId('n')
      records.put('notes', id, { text: note.slice(0, 20_000), at: context.now().toISOString() })
      return done(`Noted as ${id}.`, { data: { id } })
    }),

    note_find: reads((args, context) => {
      const query = text(args, 'query')
      const words =
        query === undefined || /^(?:all|everything|(?:my |the )?notes?|all (?:my |the )?notes)$/i.test(query)
          ? []
          : keyWords(query).filter((w) => w !== 'note')
      const notes = [...records.all('notes', noteSchema)].reverse().filter((n) => {
        const held = keyWords(`${n.id} ${n.data.text}`)
        return words.every((w) => held.some((h) => h === w || (w.length > 3 && h.startsWith(w))))
      })
      const first = notes[0]
      if (first === undefined)
        return done(words.length === 0 ? 'There are no notes yet.' : `No note says anything about ${query}.`, {
          data: [],
        })
      const say = (at: string) => sayDay(new Date(at), context.timeZone, context.now())
      return done(
        notes.length === 1
          ? `You noted on ${say(first.data.at)}: ${first.data.text.split('\n')[0]}`
          : `${countWords(notes.length, 'note')} found; the latest, of ${say(first.data.at)}: ${first.data.text.split('\n')[0]}`,
        {
          lines: notes.slice(0, 30).map((n) => `- ${n.id} (${say(n.data.at)}): ${n.data.text}`),
          data: notes.slice(0, 30).map((n) => ({ id: n.id, ...n.data })),
        },
      )
    }),
  })
}
