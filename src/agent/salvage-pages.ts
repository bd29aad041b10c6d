import { readFileSync } from 'node:fs'

/** A row of the journal as its leaf page holds it. */
export interface SalvagedRow {
  readonly seq: number
  readonly run: string
  readonly at: number
  readonly type: string
  readonly body: string
}

/** Kind of a page that holds a table's rows. */
const TABLE_LEAF = 0x0d

/**
 * Rows of the journal read page by page, without the tree that leads to them: for a file whose inner pages are damaged.
 * Rows that cannot be read whole are left out. File format: https://www.sqlite.org/fileformat2.html, sections 1.5, 1.6
 * and 2.1. Never throws for damage.
 */
export function salvagePages(file: string): SalvagedRow[] {
  const data = readFileSync(file)
  if (data.length < 512) return []
  const said = data.readUInt16BE(16)
  const pageSize = said >= 512 && (said & (said - 1)) === 0 ? said : 4096
  const rows: SalvagedRow[] = []
  for (let start = pageSize; start + pageSize <= data.length; start += pageSize) {
    if (data[start] !== TABLE_LEAF) continue
    const cells = Math.min(data.readUInt16BE(start + 3), Math.floor((pageSize - 8) / 2))
    for (let i = 0; i < cells; i++) {
      try {
        const row = rowAt(data, start, data.readUInt16BE(start + 8 + 2 * i), pageSize)
        if (row) rows.push(row)
      } catch {
        // A cell that points outside the file is damage; the next one may be whole.
      }
    }
  }
  return rows
}

/** A variable-length integer and the place behind it. */
function varint(data: Buffer, at: number): readonly [value: number, next: number] {
  let value = 0
  for (let i = 0; i < 8; i++) {
    const byte = data.readUInt8(at + i)
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return [value, at + i + 1]
  }
  return [value * 256 + data.readUInt8(at + 8), at + 9]
}

function rowAt(data: Buffer, start: number, offset: number, pageSize: number): SalvagedRow | undefined {
  const [size, afterSize] = varint(data, start + offset)
  const [seq, from] = varint(data, afterSize)
  if (size > data.length) return undefined
  const payload = payloadAt(data, from, size, pageSize)
  const [headerSize, first] = varint(payload, 0)
  const values: (string | number | null)[] = []
  let value = headerSize
  for (let at = first; at < headerSize; ) {
    const [kind, next] = varint(payload, at)
    at = next
    const width = widthOf(kind)
    if (kind === 0) values.push(null)
    else if (kind >= 13 && kind % 2 === 1) values.push(payload.toString('utf8', value, value + width))
    else if (kind === 8 || kind === 9) values.push(kind - 8)
    else if (kind <= 5) values.push(payload.readIntBE(value, width))
    else if (kind === 6) values.push(Number(payload.readBigInt64BE(value)))
    else return undefined
    value += width
  }
  const [own, run, at, type, , body] = values
  const fits = values.length === 6 && own === null && value === size
  if (!fits || typeof run !== 'string' || typeof at !== 'number' || typeof type !== 'string') return undefined
  return typeof body === 'string' ? { seq, run, at, type, body } : undefined
}

/** The bytes of a row, which may go on in a chain of pages. */
function payloadAt(data: Buffer, from: number, size: number, pageSize: number): Buffer {
  const most = pageSize - 35
  if (size <= most) return data.subarray(from, from + size)
  const least = Math.floor(((pageSize - 12) * 32) / 255) - 23
  const wanted = least + ((size - least) % (pageSize - 4))
  const local = wanted <= most ? wanted : least
  const parts = [data.subarray(from, from + local)]
  let left = size - local
  for (let page = data.readUInt32BE(from + local); left > 0 && page > 0; ) {
    const start = (page - 1) * pageSize
    const part = data.subarray(start + 4, start + 4 + Math.min(left, pageSize - 4))
    parts.push(part)
    left -= part.length
    page = data.readUInt32BE(start)
  }
  return Buffer.concat(parts)
}

function widthOf(kind: number): number {
  if (kind >= 12) return Math.floor((kind - 12) / 2)
  return [0, 1, 2, 3, 4, 6, 8, 8, 0, 0][kind] ?? 0
}
