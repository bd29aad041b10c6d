import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import { type Element, removeHidden, visibleText } from './hidden.js'
import { layOut } from './layout.js'

/** A link of a page. */
export interface PageLink {
  readonly text: string
  readonly url: string
}

/** A page as a reader gets it. All of it is outside text. */
export interface ReadablePage {
  readonly title: string
  readonly byline: string | undefined
  readonly site: string | undefined
  /** When the page says it was published or changed, ISO date or as it is written. */
  readonly date: string | undefined
  readonly text: string
  /** http and https links in the text, at most 50. */
  readonly links: readonly PageLink[]
}

/** HTML beyond this many characters is not parsed. */
export const LONGEST_HTML = 1_500_000
/** Text beyond this many characters is not kept. */
export const LONGEST_TEXT = 200_000

const oneLine = (text: string | null | undefined, most = 300): string | undefined => {
  const line = visibleText(text ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, most)
  return line === '' ? undefined : line
}

function dateOf(document: Element): string | undefined {
  for (const name of ['article:published_time', 'article:modified_time', 'datePublished', 'dc.date', 'date']) {
    const meta = document.querySelector(`meta[property="${name}"], meta[name="${name}"], meta[itemprop="${name}"]`)
    const found = oneLine(meta?.getAttribute('content'), 40)
    if (found) return found
  }
  for (const script of document.querySelectorAll('script[type="application/ld+json"]')) {
    const found = /"date(?:Published|Modified)"\s*:\s*"([^"\\]{4,40})"/.exec(script.textContent ?? '')?.[1]
    if (found) return oneLine(found)
  }
  return oneLine(document.querySelector('article time[datetime], main time[datetime]')?.getAttribute('datetime'), 40)
}

function linksOf(root: Element, base: string): readonly PageLink[] {
  const links: PageLink[] = []
  const seen = new Set<string>()
  for (const anchor of root.querySelectorAll('a[href]')) {
    const text = oneLine(anchor.textContent, 120)
    const href = anchor.getAttribute('href') ?? ''
    if (text === undefined || href.startsWith('#') || links.length >= 50 || !URL.canParse(href, base)) continue
    const url = new URL(href, base)
    url.hash = ''
    if (!/^https?:$/.test(url.protocol) || url.username !== '' || seen.has(url.href) || url.href.length > 1000) continue
    seen.add(url.href)
    links.push({ text, url: url.href })
  }
  return links
}

const parse = (html: string): { readonly document: Element } => {
  const whole = /<html[\s>]/i.test(html) ? html : `<html><head></head><body>${html}</body></html>`
  // linkedom's document is what Readability asks for; its types leave the rest out.
  return parseHTML(whole) as unknown as { document: Element }
}

/** Beyond this many elements finding the article takes longer than the page is worth; then all that is visible is read. */
const MOST_ELEMENTS = 6000

/** The article of a page. Takes the document apart, so whatever else is wanted is read before. */
function articleOf(document: Element): ReturnType<Readability['parse']> {
  if ([...document.querySelectorAll('*')].length > MOST_ELEMENTS) return null
  return new Readability(document as unknown as ConstructorParameters<typeof Readability>[0], {
    charThreshold: 200,
  }).parse()
}

/**
 * What a reader sees of an HTML page: the article, as Readability finds it, or all visible text where it finds none or
 * next to nothing. Text as {@link layOut} makes it.
 * @param url address of the page, for relative links
 * @throws RangeError and whatever the parsers throw on hostile pages; run it where that and endless work are caught
 */
export function readable(html: string, url: string): ReadablePage {
  const { document } = parse(html.slice(0, LONGEST_HTML))
  const base = document.querySelector('base[href]')?.getAttribute('href') ?? ''
  const from = URL.canParse(base, url) ? new URL(base, url).href : url
  const date = dateOf(document)
  const heading = oneLine(document.querySelector('title')?.textContent)
  const meta = (name: string): string | undefined =>
    oneLine(document.querySelector(`meta[property="${name}"], meta[name="${name}"]`)?.getAttribute('content'))
  const site = meta('og:site_name')
  const author = meta('author')
  const named = meta('og:title')
  removeHidden(document)
  const body = document.querySelector('main') ?? document.querySelector('body') ?? document
  const all = visibleText(layOut(body))
  const links = linksOf(body, from)
  const article = articleOf(document)
  const part = article?.content ? parse(article.content).document.querySelector('body') : null
  const text = part ? visibleText(layOut(part)) : ''
  const found = text.length >= 200 || text.length > all.length / 2
  return {
    title: oneLine(article?.title) ?? named ?? heading ?? oneLine(document.querySelector('h1')?.textContent) ?? url,
    byline: oneLine(article?.byline, 120) ?? author,
    site: oneLine(article?.siteName, 120) ?? site,
    date: date ?? oneLine(article?.publishedTime, 40),
    text: (found ? text : all).slice(0, LONGEST_TEXT),
    links: found && part ? linksOf(part, from) : links,
  }
}
