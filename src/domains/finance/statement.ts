import { parse } from 'csv-parse/sync'

/** How days are written in a statement. */
export type DateOrder = 'dmy' | 'mdy'

/** One line of a bank statement. */
export interface StatementRow {
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly text: string
  /** Decimal with a point; negative when money left. */
  readonly amount: string
  readonly currency?: string
  /** The bank's own id of the transaction, when it gives one. */
  readonly id?: string
}

/** A statement could not be read; nothing of it was imported. */
export class StatementError extends Error {
  override readonly name = 'StatementError'
  constructor(
    readonly code: 'format' | 'columns' | 'dates' | 'ambiguous-dates' | 'amount' | 'account',
    readonly where: string,
    what: string,
  ) {
    super(`${where}: ${what} Nothing was imported.`)
  }
}

const COLUMNS = {
  date: /^(?:booking |transaction |value |posting )?date$|datum|buchungstag|^posted$|^day$/i,
  amount: /^amount|betrag|^value$|^sum$|összeg|^total$/i,
  debit: /^debit|paid out|withdrawal|^soll$/i,
  credit: /^credit|paid in|deposit|^haben$/i,
  text: /description|text|memo|payee|details|purpose|verwendungszweck|^name$|narrative|közlemény|reference/i,
  currency: /currency|währung|deviza/i,
} as const

/**
 * An amount as banks write it ("1.234,56", "(12.00)", "-5", "1 234.5", "3,50-") as a plain decimal; undefined when it is
 * none. A single mark followed by three digits parts thousands only when `decimal` says so.
 */
export function plainDecimal(said: string, decimal?: ',' | '.'): string | undefined {
  const s = said.replace(/[\s'’\u00a0]|[$€£¥]|\b[A-Z]{3}\b/g, '')
  const negative = /^\(.*\)$/.test(s) || /^[-−]|[-−]$/.test(s)
  const body = s.replace(/^[(+\-−]+|[)\-−]+$/g, '')
  if (!/^\d[\d.,]*$/.test(body)) return undefined
  const last = Math.max(body.lastIndexOf('.'), body.lastIndexOf(','))
  const mark = decimal ?? (last < 0 ? '.' : (body[last] as ',' | '.'))
  const [whole = '', fraction, ...rest] = body.split(mark)
  if (rest.length > 0) return undefined
  const groups = whole.split(mark === ',' ? '.' : ',')
  const grouped = groups.length === 1 || groups.slice(1).every((g) => g.length === 3)
  if (!grouped || (fraction !== undefined && !/^\d*$/.test(fraction))) return undefined
  return `${negative ? '-' : ''}${groups.join('') || '0'}${fraction ? `.${fraction}` : ''}`
}

/** The mark before decimals in a column: the one after which other than three digits come, anywhere. */
function decimalMark(values: readonly string[]): ',' | '.' | undefined {
  for (const v of values) {
    const match = /([.,])(\d+)\D*$/.exec(v)
    if (!match) continue
    const mark = match[1] as ',' | '.'
    const other = mark === ',' ? '.' : ','
    if (match[2]?.length !== 3 || v.indexOf(other) >= 0) return mark
    if (v.split(mark).length > 2) return other
  }
  return undefined
}

/** A written day as `YYYY-MM-DD`; undefined when there is no such day. */
function isoDay(text: string, order: DateOrder): string | undefined {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/.exec(text.trim()) ?? /^(\d{4})(\d\d)(\d\d)/.exec(text.trim())
  const other = /^(\d{1,2})[-/. ]+(\d{1,2})[-/. ]+(\d{4}|\d{2})\b/.exec(text.trim())
  const [y, m, d] = iso
    ? [iso[1], iso[2], iso[3]]
    : other
      ? [
          other[3]?.length === 2 ? `20${other[3]}` : other[3],
          other[order === 'dmy' ? 2 : 1],
          other[order === 'dmy' ? 1 : 2],
        ]
      : []
  const day = `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`
  const at = new Date(`${day}T12:00:00Z`)
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== day ? undefined : day
}

/**
 * Reads a bank's CSV: delimiter, decimal mark, columns and the order of dates are found from the file.
 * @param where the file's name, for messages
 * @param order of day and month; needed only when the file does not tell
 * @throws {StatementError}
 */
export function readCsv(source: string, where: string, order?: DateOrder): readonly StatementRow[] {
  const head = source.replace(/^\ufeff/, '').split(/\r?\n/, 1)[0] ?? ''
  const delimiter = [';', '\t', ',', '|'].sort((a, b) => head.split(b).length - head.split(a).length)[0] ?? ','
  let lines: string[][]
  try {
    lines = parse(source, { bom: true, delimiter, skip_empty_lines: true, trim: true, max_record_size: 100_000 })
  } catch (error) {
    throw new StatementError(
      'format',
      where,
      `It is no readable CSV (${error instanceof Error ? error.message : error}).`,
    )
  }
  const header = lines[0] ?? []
  const at = (name: keyof typeof COLUMNS) => header.findIndex((h) => COLUMNS[name].test(h))
  const [date, amount, debit, credit, text, currency] = [
    at('date'),
    at('amount'),
    at('debit'),
    at('credit'),
    at('text'),
    at('currency'),
  ]
  if (date < 0 || (amount < 0 && (debit < 0 || credit < 0)))
    throw new StatementError(
      'columns',
      where,
      'The first line must name a column "date" and one "amount" (or "debit" and "credit").',
    )
  const body = lines.slice(1)
  const orders = (order ? [order] : (['dmy', 'mdy'] as const)).filter((o) =>
    body.every((l) => isoDay(l[date] ?? '', o) !== undefined),
  )
  if (orders.length === 0) throw new StatementError('dates', where, 'A day in it cannot be read.')
  const [first = 'dmy'] = orders
  if (orders.length > 1 && body.some((l) => isoDay(l[date] ?? '', 'dmy') !== isoDay(l[date] ?? '', 'mdy')))
    throw new StatementError(
      'ambiguous-dates',
      where,
      `Is "${body[0]?.[date]}" day first or month first? Say --dates dmy or --dates mdy.`,
    )
  const mark = decimalMark(body.flatMap((l) => [amount, debit, credit].filter((i) => i >= 0).map((i) => l[i] ?? '')))
  return body.map((line, n) => {
    const cell = (i: number) => (i < 0 ? '' : (line[i] ?? ''))
    const out = cell(debit).replace(/^[-−]/, '')
    const said = amount >= 0 ? cell(amount) : out !== '' && !/^[0.,]+$/.test(out) ? `-${out}` : cell(credit)
    const value = plainDecimal(said, mark)
    if (value === undefined)
      throw new StatementError('amount', `${where}, line ${n + 2}`, `"${said.slice(0, 40)}" is no amount.`)
    const code = cell(currency)
    return {
      date: isoDay(cell(date), first) ?? '',
      text: cell(text).slice(0, 500),
      amount: value,
      ...(/^[A-Z]{3}$/.test(code) ? { currency: code } : {}),
    }
  })
}

const ENTITIES: { readonly [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/**
 * Reads OFX 1.x (SGML, leaf tags not closed) and 2.x (XML); the statement format of Open Financial Exchange.
 * @throws {StatementError}
 */
export function readOfx(source: string, where: string): readonly StatementRow[] {
  if (!/<OFX>/i.test(source)) throw new StatementError('format', where, 'There is no <OFX> in it.')
  const currency = /<CURDEF>\s*([A-Z]{3})/i.exec(source)?.[1]?.toUpperCase()
  // Elements begin with their own tag in both forms; what stands between two of them belongs to the first.
  const parts = source.split(/<STMTTRN>/i).slice(1)
  return parts.map((part, n) => {
    const end = part.search(/<\/STMTTRN>|<\/BANKTRANLIST>/i)
    if (end < 0) throw new StatementError('format', where, `Transaction ${n + 1} is cut off.`)
    const fields = new Map<string, string>()
    for (const [, tag = '', value = ''] of part.slice(0, end).matchAll(/<([A-Z0-9.]{1,40})>([^<\r\n]*)/gi))
      fields.set(
        tag.toUpperCase(),
        value
          .replace(/&(\w{2,4});/g, (all, name: string) =>
            Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? all) : all,
          )
          .trim(),
      )
    const date = isoDay(fields.get('DTPOSTED') ?? '', 'dmy')
    if (date === undefined)
      throw new StatementError('dates', `${where}, transaction ${n + 1}`, 'Its day cannot be read.')
    const amount = plainDecimal(fields.get('TRNAMT') ?? '')
    if (amount === undefined)
      throw new StatementError('amount', `${where}, transaction ${n + 1}`, 'Its amount cannot be read.')
    const id = fields.get('FITID')
    return {
      date,
      text: [fields.get('NAME'), fields.get('MEMO')]
        .filter((x) => x)
        .join(': ')
        .slice(0, 500),
      amount,
      ...(currency ? { currency } : {}),
      ...(id ? { id } : {}),
    }
  })
}
