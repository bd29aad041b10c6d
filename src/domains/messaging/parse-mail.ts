import PostalMime from 'postal-mime'
import { KEY_HEADER } from './compose.js'

/** What a mail carries besides its text. */
export interface Attachment {
  readonly name: string
  /** Bytes, about; 0 when it is not told. */
  readonly size: number
}

/** What is read from the text of one message. */
export interface ParsedMail {
  readonly from: { readonly name: string; readonly address: string }
  readonly to: string
  readonly subject: string
  readonly date: Date | undefined
  readonly text: string
  readonly messageId: string
  readonly references: string
  readonly key: string | undefined
  readonly replyTo: string
  readonly attachments: readonly Attachment[]
}

const ENTITIES: { readonly [name: string]: string } = { nbsp: ' ', lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

const codePoint = (n: number, whole: string): string =>
  n > 0 && n <= 0x10ffff && (n < 0xd800 || n > 0xdfff) ? String.fromCodePoint(n) : whole

/** The words of an HTML mail, without scripts, styles and tags. Takes time in proportion to its length, whatever it holds. */
export function htmlToText(html: string): string {
  return html
    .replace(/<(script|style|head|title)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/<(?:br|\/p|\/div|\/tr|\/li|\/h[1-6])\b[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,5}));/gi, (whole, decimal, hex, name) =>
      decimal !== undefined
        ? codePoint(Number(decimal), whole)
        : hex !== undefined
          ? codePoint(Number.parseInt(hex, 16), whole)
          : (ENTITIES[String(name).toLowerCase()] ?? whole),
    )
    .replace(/[ \t\u00a0]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const textOf = (a: unknown, name: 'address' | 'name'): string => {
  const value = typeof a === 'object' && a !== null && name in a ? (a as Record<string, unknown>)[name] : undefined
  return typeof value === 'string' ? value : ''
}

/** Reads a message in any encoding (RFC 5322, 2045, 2047); undefined when it cannot be read at all. */
export async function parseMail(bytes: Uint8Array): Promise<ParsedMail | undefined> {
  try {
    const m = await PostalMime.parse(bytes, { maxNestingDepth: 50 })
    const date = new Date(m.date ?? '')
    const address = textOf(m.from, 'address')
    return {
      from: { name: textOf(m.from, 'name'), address },
      to: (m.to ?? []).map((t) => textOf(t, 'name') || textOf(t, 'address')).join(', '),
      subject: m.subject ?? '',
      date: Number.isNaN(date.getTime()) ? undefined : date,
      text: m.text?.trim() ? m.text : m.html ? htmlToText(m.html) : '',
      messageId: m.messageId ?? '',
      references: m.references ?? '',
      key: m.headers.find((h) => h.key === KEY_HEADER.toLowerCase())?.value,
      replyTo: textOf(m.replyTo?.[0], 'address') || address,
      attachments: m.attachments.map((a) => ({
        name: a.filename ?? a.mimeType,
        size: typeof a.content === 'string' ? a.content.length : a.content.byteLength,
      })),
    }
  } catch {
    return undefined
  }
}
