import { z } from 'zod'
import { minorOf, sayMinor } from '../finance/exact.js'
import type { Item, Records } from '../store/index.js'
import { type Found, findNamed } from '../words/match.js'

/** A product of the owner's catalogue. */
export const productSchema = z.object({
  name: z.string(),
  price: z.number().nonnegative().max(1e9),
  currency: z.string().optional(),
  shop: z.string().optional(),
  note: z.string().optional(),
})

/** A product of the owner's catalogue. */
export type Product = z.infer<typeof productSchema>

/** All products, in the order of their ids. */
export const allProducts = (records: Records): readonly Item<Product>[] => records.all('products', productSchema)

/** Products that a phrase names, or that look alike. */
export function findProducts(records: Records, phrase: string): Found<Item<Product>> {
  return findNamed(phrase, allProducts(records), (p) => [p.data.name, `${p.data.name} ${p.data.shop ?? ''}`, p.id])
}

/** "desk lamp from Lightworld costs 30 EUR". */
export function sayProduct(p: Product): string {
  return `${p.name}${p.shop ? ` from ${p.shop}` : ''} costs ${sayMinor(minorOf(p.price, p.currency), p.currency)}${p.note ? ` (${p.note})` : ''}.`
}
