/** What a message is made of. */
export interface NewMessage {
  readonly from: string
  /** Name shown before the address. */
  readonly fromName?: string | undefined
  readonly to: readonly { readonly name: string; readonly address: string }[]
  readonly subject: string
  readonly text: string
  readonly date: Date
  /** Without angle brackets. */
  readonly messageId: string
  readonly inReplyTo?: string
  readonly references?: string
  /** Kept in a header of local mail; left out of mail that goes to others. */
  readonly key?: string
}

/** Header that carries the effect's key, so that a message is put out once. */
export const KEY_HEADER = 'X-BotPsy-Key'

const oneLine = (text: string): string =>
  text
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** RFC 2047 encoded words of at most 75 characters, cut between characters; plain ASCII stays as it is. */
export function encodeHeader(text: string): string {
  const line = oneLine(text)
  if (/^[\x20-\x7e]*$/.test(line) && !line.includes('=?') && line.length < 900) return line
  const words: string[] = []
  let current = ''
  const flush = () => {
    if (current !== '') words.push(`=?UTF-8?B?${Buffer.from(current, 'utf8').toString('base64')}?=`)
    current = ''
  }
  for (const character of line) {
    if (Buffer.byteLength(current + character, 'utf8') > 42) flush()
    current += character
  }
  flush()
  return words.join('\r\n ')
}

const mailbox = (name: string, address: string): string => {
  const plain = oneLine(name)
  const at = oneLine(address).replace(/[<>\s]/g, '')
  if (plain === '') return `<${at}>`
  const shown = /^[\x20-\x7e]*$/.test(plain) ? `"${plain.replace(/(["\\])/g, '\\$1')}"` : encodeHeader(plain)
  return `${shown} <${at}>`
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const two = (n: number): string => String(n).padStart(2, '0')

/** A date as RFC 5322 writes it, in UTC. */
export function mailDate(d: Date): string {
  return `${days[d.getUTCDay()]}, ${d.getUTCDate()} ${months[d.getUTCMonth()]} ${d.getUTCFullYear()} ${two(d.getUTCHours())}:${two(d.getUTCMinutes())}:${two(d.getUTCSeconds())} +0000`
}

/** Message-IDs one a line (no line may pass 998 characters); what a hostile mail made longer than any real one is left out. */
const threadLine = (name: string, ids: string | undefined): readonly string[] => {
  const found = ids?.match(/<[^<>\s]{1,250}>/g)
  return found ? [`${name}: ${found.map(oneLine).join('\r\n ')}`] : []
}

/** The message as RFC 5322 text with a UTF-8 body in base64. No value can add a header line. */
export function composeMessage(m: NewMessage): string {
  const body = Buffer.from(m.text.replace(/\r\n?|\n/g, '\r\n'), 'utf8')
    .toString('base64')
    .replace(/.{76}/g, '$&\r\n')
  const headers = [
    `Date: ${mailDate(m.date)}`,
    `From: ${mailbox(m.fromName ?? '', m.from)}`,
    ...(m.to.length > 0 ? [`To: ${m.to.map((t) => mailbox(t.name, t.address)).join(',\r\n ')}`] : []),
    `Subject: ${encodeHeader(m.subject)}`,
    `Message-ID: <${oneLine(m.messageId)}>`,
    ...threadLine('In-Reply-To', m.inReplyTo),
    ...threadLine('References', m.references),
    ...(m.key === undefined ? [] : [`${KEY_HEADER}: ${encodeHeader(m.key)}`]),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
  ]
  return `${headers.join('\r\n')}\r\n\r\n${body}\r\n`
}
