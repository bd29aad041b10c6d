import { createHash } from 'node:crypto'
import { AmountError, toMinor } from './exact.js'
import type { Books } from './ledger.js'
import { pickAccount } from './pick-account.js'
import { type DateOrder, readCsv, readOfx, StatementError } from './statement.js'

/**
 * Brings a bank statement into the books: all of it or nothing. Rows that were imported before are left out; two equal
 * rows within one file are two transactions.
 * @param source the file's text, CSV or OFX
 * @param where its name, for messages
 * @throws {StatementError} when it cannot be read, or the account is not clear
 */
export function importStatement(
  books: Books,
  source: string,
  where: string,
  how: { readonly account?: string; readonly dates?: DateOrder } = {},
): { readonly entered: number; readonly known: number; readonly account: string } {
  const rows = /<OFX>|^\s*OFXHEADER/i.test(source) ? readOfx(source, where) : readCsv(source, where, how.dates)
  return books.records.transaction(() => {
    const account = pickAccount(books.accounts(), how.account, 'Which account is it, by --account:')
    if ('ok' in account) throw new StatementError('account', where, account.content)
    const currency = account.data.currency ?? rows[0]?.currency ?? ''
    const seen = new Set(books.entries().map((e) => e.data.row))
    const times = new Map<string, number>()
    let entered = 0
    // Everything is worked out before the first row is written, so that a bad last row leaves nothing behind.
    const entries = rows.map((row, n) => {
      if (row.currency !== undefined && currency !== '' && row.currency !== currency)
        throw new StatementError('account', where, `It is in ${row.currency}, and ${account.data.name} in ${currency}.`)
      const same = JSON.stringify(row.id ? [account.id, row.id] : [account.id, row.date, row.text, row.amount])
      const nth = times.get(same) ?? 0
      // The bank's id names one transaction, however often it is listed.
      times.set(same, row.id ? 0 : nth + 1)
      const mark = createHash('sha256').update(`${same} ${nth}`).digest('hex').slice(0, 32)
      try {
        return { row, mark, minor: toMinor(row.amount, currency) }
      } catch (error) {
        if (error instanceof AmountError) throw new StatementError('amount', `${where}, row ${n + 1}`, error.message)
        throw error
      }
    })
    for (const { row, mark, minor } of entries) {
      if (seen.has(mark)) continue
      seen.add(mark)
      const other = `${minor < 0 ? 'spent' : 'earned'}:${row.text}`
      books.enter({
        at: `${row.date}T12:00:00.000Z`,
        text: row.text,
        row: mark,
        postings: [
          { account: `own:${account.id}`, minor, currency },
          { account: other, minor: minor === 0 ? 0 : -minor, currency },
        ],
      })
      entered++
    }
    return { entered, known: rows.length - entered, account: account.data.name }
  })
}
