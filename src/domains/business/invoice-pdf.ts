import { createRequire } from 'node:module'
import PDFDocument from 'pdfkit'
import { sayMinor } from '../finance/exact.js'

/** What stands on an invoice; amounts in smallest units of the currency. */
export interface Invoice {
  readonly number: string
  readonly customer: string
  readonly address?: string | undefined
  readonly what: string
  readonly net: number
  readonly tax: number
  readonly gross: number
  /** Percent, as it was said. */
  readonly vat: string
  readonly currency?: string | undefined
  /** ISO instant. */
  readonly at: string
  /** The date in the owner's zone, `YYYY-MM-DD`. */
  readonly date: string
}

/** The invoice as a PDF of A4 pages, with embedded fonts, so that names of any Latin, Greek or Cyrillic spelling show. */
export async function invoicePdf(invoice: Invoice): Promise<Uint8Array> {
  const font = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')
  const document = new PDFDocument({
    size: 'A4',
    margin: 60,
    font,
    info: {
      Title: `Invoice ${invoice.number}`,
      CreationDate: new Date(invoice.at),
      Producer: 'BotPsy',
      Creator: 'BotPsy',
    },
  })
  const parts: Uint8Array[] = []
  const bytes = new Promise<Uint8Array>((resolve, reject) => {
    document.on('data', (part: Uint8Array) => parts.push(part))
    document.on('end', () => resolve(Buffer.concat(parts)))
    document.on('error', reject)
  })
  document.fontSize(20).text(`Invoice ${invoice.number}`).moveDown()
  document.fontSize(11).text(`Date: ${invoice.date}`).moveDown()
  document.text(invoice.customer)
  if (invoice.address) document.text(invoice.address)
  document.moveDown(2).text(invoice.what).moveDown()
  for (const [label, minor] of [
    ['Net', invoice.net],
    [`VAT ${invoice.vat}%`, invoice.tax],
    ['Total', invoice.gross],
  ] as const)
    document.text(`${label}: ${sayMinor(minor, invoice.currency)}`, { align: 'right' })
  document.end()
  return bytes
}
