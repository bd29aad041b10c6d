import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import { type Implementation, reads } from '../implement.js'
import { NetError, type Way, webAddress } from '../net/index.js'
import { openPage, PageError } from '../page/index.js'
import { asked, done, failed } from '../result.js'
import type { Records } from '../store/index.js'
import { sayDay } from '../time/index.js'
import { text } from '../words/args.js'
import { keyWords } from '../words/match.js'
import { type KeptPage, keepPage, keptPage, passages } from './pages.js'
import { askedWords, rank } from './rank.js'

/** Characters of a page in one result; the rest is found with page_extract. */
const SHOWN = 12_000
/** A page opened less than this ago is not fetched again for another question. */
const FRESH_MS = 10 * 60_000
/** Failures that say nothing about the page, so that what was kept of it may stand in. */
const OFFLINE = new Set(['name', 'unreachable', 'timeout', 'dropped', 'proxy'])

const untrusted = (page: KeptPage): string => `web page at ${page.host}`

/** Fetches a page and keeps it; when there is no connection, what was kept of it. */
async function load(
  records: Records,
  way: Way,
  address: string,
  context: ToolContext,
): Promise<{ readonly page: KeptPage; readonly notice: string | undefined } | ToolResult> {
  let url: string
  try {
    url = webAddress(address).href
  } catch (error) {
    if (error instanceof NetError) return failed(error.message)
    throw error
  }
  try {
    const options = { ...way, ...(context.signal === undefined ? {} : { signal: context.signal }) }
    const page = keepPage(records, await openPage(url, options), context.now())
    return { page, notice: page.notice }
  } catch (error) {
    if (error instanceof PageError) return failed(error.message)
    if (!(error instanceof NetError)) throw error
    const kept = OFFLINE.has(error.code) ? keptPage(records, url) : undefined
    if (kept === undefined) return failed(error.message)
    const day = sayDay(new Date(kept.opened), context.timeZone, context.now())
    return { page: kept, notice: `${error.message} This is how the page was when it was opened, ${day}.` }
  }
}

/** A question without the words of the page's title, which all of the page is about. */
function withoutTitle(question: string, title: string): string {
  const held = new Set(keyWords(title))
  const rest = askedWords(question).filter((w) => !held.has(w))
  return rest.length > 0 ? rest.join(' ') : question
}

const isResult = (loaded: object): loaded is ToolResult => 'ok' in loaded

const head = (page: KeptPage): string =>
  [page.byline && `by ${page.byline}`, page.site, page.date].filter((x) => x !== undefined && x !== '').join(', ')

const firstLine = (body: string): string => {
  const line = body.split('\n').find((l) => l.trim() !== '' && !l.startsWith('#')) ?? ''
  const sentence = /^.{20,300}?[.!?](?=\s|$)/.exec(line)?.[0] ?? line.slice(0, 300)
  return sentence.trim()
}

const facts = (page: KeptPage): JsonObject => ({
  url: page.url,
  title: page.title,
  ...(page.byline ? { byline: page.byline } : {}),
  ...(page.date ? { date: page.date } : {}),
  opened: page.opened,
})

/** Tools that open pages. */
export function pageTools(records: Records, way: Way): { readonly [name: string]: Implementation } {
  return {
    page_open: reads(async (args, context) => {
      const url = text(args, 'url')
      if (url === undefined) return asked('Which address?')
      const loaded = await load(records, way, url, context)
      if (isResult(loaded)) return loaded
      const { page, notice } = loaded
      const long = page.text.length > SHOWN
      const begin = firstLine(page.text)
      return {
        ...done(begin === '' ? `${page.host} has a page without text there.` : `${page.host} says: ${begin}`, {
          lines: [
            `Title: ${page.title}${head(page) === '' ? '' : ` (${head(page)})`}`,
            `Address: ${page.url}`,
            ...(notice === undefined ? [] : [notice]),
            '',
            page.text.slice(0, SHOWN),
            ...(long ? ['(cut here; page_extract finds passages in the rest)'] : []),
          ],
          data: { ...facts(page), text: page.text.slice(0, SHOWN) },
        }),
        untrusted: untrusted(page),
      }
    }),

    page_extract: reads(async (args, context) => {
      const url = text(args, 'url')
      const question = text(args, 'question')
      if (url === undefined) return asked('Which address?')
      if (question === undefined) return asked('What should I look for on that page?')
      const recent = URL.canParse(url) ? keptPage(records, new URL(url).href) : undefined
      const age = recent === undefined ? Number.POSITIVE_INFINITY : context.now().getTime() - Date.parse(recent.opened)
      const loaded =
        recent !== undefined && age >= 0 && age < FRESH_MS
          ? { page: recent, notice: recent.notice }
          : await load(records, way, url, context)
      if (isResult(loaded)) return loaded
      const { page, notice } = loaded
      const about = withoutTitle(question, page.title)
      const found = rank(about, passages(page.text), (p) => p).slice(0, 3)
      const best = found[0]
      if (best === undefined)
        return {
          ...done(`The page at ${page.host} says nothing about that.`, {
            ...(notice ? { lines: [notice] } : {}),
            data: [],
          }),
          untrusted: untrusted(page),
        }
      const sentences = best.split(/(?<=[.!?])\s+|\n+/).filter((s) => s.trim() !== '' && !s.startsWith('#'))
      const answer = rank(about, sentences, (s) => s)[0] ?? firstLine(best)
      return {
        ...done(`${page.host} says: ${answer.trim()}`, {
          lines: [
            `Source: ${page.title}, ${page.url}${page.date ? `, ${page.date}` : ''}`,
            ...(notice === undefined ? [] : [notice]),
            ...found.map((p) => `> ${p.replace(/\n/g, '\n> ')}`),
          ],
          data: { ...facts(page), passages: [...found] },
        }),
        untrusted: untrusted(page),
      }
    }),
  }
}
