import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { needs } from '../../testing/datasets.js'
import { program } from '../../testing/server-process.js'
import { desk, emptyFolder } from '../testing/desk.js'

describe('the office', () => {
  it('keeps customers, tickets, hours and stock', async () => {
    const d = desk()
    await d.call('customer_add', { name: 'Acme', email: 'office@acme.example' })
    await d.call('ticket_create', { customer: 'acme', problem: 'the printer smokes' })
    expect((await d.call('ticket_list', { customer: 'acme' })).content).toBe('1 ticket: k1, Acme: the printer smokes.')
    expect((await d.call('ticket_close', { ticket: 'printer' })).content).toBe('Closed k1 of Acme.')
    expect((await d.call('ticket_list')).content).toBe('There are no open tickets.')
    for (const hours of ['2.25', '1.5']) await d.call('hours_log', { project: 'website', hours })
    expect((await d.call('hours_report', { project: 'website' })).data).toMatchObject({ total: 3.75 })
    expect((await d.call('stock_change', { item: 'boxes', count: '20', direction: 'add' })).ok).toBe(true)
    expect((await d.call('stock_change', { item: 'boxes', count: '21', direction: 'remove' })).content).toBe(
      'There are only 20 of boxes in stock.',
    )
  })
})

describe('invoices', () => {
  it('number without gaps, add tax exactly, and only the last can be taken back', async () => {
    const d = desk()
    const args = { customer: 'Acme', what: 'repairs', amount: '99.99 euros', vat: '27 percent' }
    expect((await d.call('invoice_create', args)).content).toMatch(/Add the customer first/)
    await d.call('customer_add', { name: 'Acme' })
    const first = await d.call('invoice_create', args)
    expect(first.content).toBe('Wrote invoice 2026-0001 to Acme over 126.99 EUR with 27% tax: invoices/2026-0001.pdf.')
    const second = await d.call('invoice_create', args)
    expect((await d.undo('invoice_create', first)).content).toMatch(/gap/)
    expect((await d.undo('invoice_create', second)).ok).toBe(true)
    expect(d.domains.stores.files.stat('invoices/2026-0002.pdf')).toBeUndefined()
    expect((await d.call('invoice_create', args)).data).toMatchObject({ number: '2026-0002' })
  })

  it.skipIf(needs('pdftotext', program('pdftotext')))('can be read by another program', async () => {
    const home = emptyFolder()
    const d = desk(home)
    await d.call('customer_add', { name: 'Őrsi Ödön Κατερίνα', address: '1 Fő utca' })
    await d.call('invoice_create', { customer: 'orsi', what: 'Könyvelés', amount: '100 euros', vat: '20' })
    const pdf = join(home, 'copy.pdf')
    writeFileSync(pdf, readFileSync(join(home, 'files', 'invoices', '2026-0001.pdf')))
    const read = execFileSync('pdftotext', ['-layout', pdf, '-'], { encoding: 'utf8' })
    for (const part of ['Invoice 2026-0001', 'Őrsi Ödön Κατερίνα', 'Könyvelés', 'VAT 20%: 20 EUR', 'Total: 120 EUR'])
      expect(read).toContain(part)
  })
})
