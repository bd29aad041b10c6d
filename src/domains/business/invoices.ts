import { z } from 'zod'
import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import { minorOf, sayMinor, shareOf } from '../finance/exact.js'
import { parseMoney } from '../finance/money.js'
import { type Implementation, reads, revertRows } from '../implement.js'
import { asked, done, failed } from '../result.js'
import type { Folder, Records } from '../store/index.js'
import { zoned } from '../time/index.js'
import { text } from '../words/args.js'
import { findNamed, listWords } from '../words/match.js'
import { parseNumber } from '../words/numbers.js'
import { pickCustomer } from './customers.js'
import { type Invoice, invoicePdf } from './invoice-pdf.js'

const invoiceSchema = z.object({
  number: z.string(),
  customer: z.string(),
  address: z.string().optional(),
  what: z.string(),
  net: z.int(),
  tax: z.int(),
  gross: z.int(),
  vat: z.string(),
  currency: z.string().optional(),
  at: z.string(),
  date: z.string(),
})

const pathOf = (number: string): string => `invoices/${number}.pdf`

/** invoice_create and invoice_list. Numbers run without gaps within a year: only the last invoice can be taken back. */
export function invoiceTools(records: Records, files: Folder): { readonly [name: string]: Implementation } {
  const all = () => records.all('invoices', invoiceSchema)

  const plan = (args: JsonObject, context: ToolContext): Invoice | ToolResult => {
    const [name, what, said] = [text(args, 'customer'), text(args, 'what')?.slice(0, 2000), text(args, 'amount')]
    if (name === undefined) return asked('For which customer?')
    if (what === undefined) return asked('What is it for?')
    if (said === undefined) return asked('How much is it without tax?')
    const customer = pickCustomer(records, name)
    if ('ok' in customer) return customer
    const money = parseMoney(said)
    if (money === undefined || !(money.amount > 0) || money.amount > 1e11)
      return asked(`I did not understand the amount "${said.slice(0, 80)}". How much is it without tax?`)
    const phrase = text(args, 'vat')
      ?.replace(/%|\b(?:percent|per cent|vat|tax)\b/gi, ' ')
      .trim()
    const vat = phrase === undefined ? 0 : parseNumber(phrase)
    if (vat === undefined || vat < 0 || vat > 100)
      return asked(`I did not understand the tax "${phrase?.slice(0, 80)}". How many percent?`)
    const net = minorOf(money.amount, money.currency)
    const tax = shareOf(net, Math.round(vat * 1000))
    const date = zoned(context.now(), context.timeZone).toPlainDate().toString()
    const year = date.slice(0, 4)
    const last = Math.max(
      0,
      ...all()
        .filter((i) => i.id.startsWith(`${year}-`))
        .map((i) => Number(i.id.slice(5))),
    )
    return {
      number: `${year}-${String(last + 1).padStart(4, '0')}`,
      customer: customer.data.name,
      ...(customer.data.address ? { address: customer.data.address } : {}),
      what,
      net,
      tax,
      gross: net + tax,
      vat: String(vat),
      ...(money.currency ? { currency: money.currency } : {}),
      at: context.now().toISOString(),
      date,
    }
  }

  const say = (i: Invoice): string =>
    `${i.number} to ${i.customer} over ${sayMinor(i.gross, i.currency)}${i.tax > 0 ? ` with ${i.vat}% tax` : ''}`

  /** The PDF of an invoice on record; written again after a crash between the two. */
  const print = async (result: ToolResult): Promise<ToolResult> => {
    const number = z.object({ number: z.string() }).safeParse(result.data).data?.number
    const invoice = number === undefined ? undefined : records.get('invoices', number, invoiceSchema)
    if (invoice && files.stat(pathOf(invoice.number)) === undefined) {
      const bytes = await invoicePdf(invoice)
      await files.locked(() => files.write(pathOf(invoice.number), bytes))
    }
    return result
  }

  return {
    invoice_create: {
      run: async (args, context) => {
        // The number is given inside the transaction, so that two programs never give the same one.
        const result = records.effect(context.idempotencyKey, 'invoice_create', () => {
          const invoice = plan(args, context)
          if ('ok' in invoice) return invoice
          records.put('invoices', invoice.number, invoice)
          return done(`Wrote invoice ${say(invoice)}: ${pathOf(invoice.number)}.`, {
            data: { number: invoice.number, path: pathOf(invoice.number), gross: invoice.gross },
          })
        })
        return result.ok ? print(result) : result
      },
      preview: (args, context) => {
        const invoice = plan(args, context)
        return 'ok' in invoice ? invoice : `Write invoice ${say(invoice)}.`
      },
      revert: async (undo) => {
        const rows = z.object({ rows: z.array(z.object({ id: z.string() })) }).safeParse(undo).data?.rows ?? []
        const id = rows[0]?.id ?? ''
        const later = all().some((i) => i.id.slice(0, 4) === id.slice(0, 4) && i.id > id)
        if (later)
          return failed(`Invoice ${id} has later ones after it; taking it back would leave a gap in the numbers.`)
        const result = revertRows(records, undo)
        if (result.ok && id !== '' && records.get('invoices', id, invoiceSchema) === undefined)
          await files.locked(() => files.remove(pathOf(id)))
        return result
      },
      reconcile: async (key) => {
        const known = records.done(key)
        return known && print(known)
      },
    },

    invoice_list: reads((args) => {
      const said = text(args, 'customer')
      const some = said === undefined ? all() : findNamed(said, all(), (i) => [i.data.customer, i.id]).matches
      if (some.length === 0) return done(`No invoice${said ? ` to ${said}` : ''} was written.`, { data: [] })
      return done(
        `${some.length === 1 ? 'One invoice' : `${some.length} invoices`}: ${listWords(some.slice(-6).map((i) => say(i.data)))}.`,
        {
          data: some.map((i) => ({ number: i.id, customer: i.data.customer, gross: i.data.gross })),
        },
      )
    }),
  }
}
