import { type Fetched, type FetchOptions, guardedFetch } from '../net/index.js'
import { decodeText } from './charset.js'
import { visibleText } from './hidden.js'
import { readApart } from './read-apart.js'
import { LONGEST_HTML, LONGEST_TEXT, type ReadablePage } from './readable.js'

/** A page that was fetched and read. All of its text is from outside. */
export interface Page extends ReadablePage {
  /** Where it came from in the end, after redirects. */
  readonly url: string
  readonly host: string
  /** Why the text is not all of it, in words; undefined when it is. */
  readonly notice: string | undefined
}

const TYPES = ['text/', 'application/xhtml+xml', 'application/xml', 'application/json', 'application/ld+json']
const HTML = /^(?:text\/html|application\/xhtml\+xml)$/

function cutNotice(fetched: Fetched, longText: boolean): string | undefined {
  if (fetched.cut === 'size' || longText) return 'The page is very long; only its beginning was read.'
  if (fetched.cut === 'time') return 'The page came too slowly; only what had arrived was read.'
  return fetched.cut === 'dropped' ? 'The connection broke off; only what had arrived was read.' : undefined
}

/** A JSON text with line breaks, or as it is when it is none. */
function spread(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text) as unknown, null, 1)
  } catch {
    return text
  }
}

/**
 * Opens a web page and reads it: HTML as {@link readable} does, plain text and JSON as they are. PDF, pictures and other
 * kinds are refused by name. Long and slow pages are cut, with a notice.
 * @throws NetError, PageError
 */
export async function openPage(address: string, options: FetchOptions = {}): Promise<Page> {
  const fetched = await guardedFetch(address, {
    types: TYPES,
    ...options,
    limits: { overflow: 'cut', ...options.limits },
  })
  const url = fetched.url.href
  const { text } = decodeText(fetched.bytes, fetched.contentType)
  const html = HTML.test(fetched.type) || (fetched.type === '' && /^\s*(?:<!doctype html|<html)/i.test(text))
  const place = { url, host: fetched.url.host }
  if (html) {
    const page = await readApart(text, url, options.signal)
    const long = text.length > LONGEST_HTML || page.text.length >= LONGEST_TEXT
    return { ...page, ...place, notice: cutNotice(fetched, long) }
  }
  const plain = visibleText(/json$/.test(fetched.type) ? spread(text) : text).replace(/\r\n?/g, '\n')
  return {
    title: fetched.url.pathname.split('/').at(-1) || fetched.url.host,
    byline: undefined,
    site: undefined,
    date: undefined,
    text: plain.slice(0, LONGEST_TEXT),
    links: [],
    ...place,
    notice: cutNotice(fetched, plain.length > LONGEST_TEXT),
  }
}
