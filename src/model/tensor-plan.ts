import type { GgufTensorSource } from './gguf-writer.js'
import { encodeFloats, type WritableType } from './quantize-tensor.js'

/** Elements that are read, changed and written at a time. */
const PIECE = 1 << 20

/** Rows or columns `start` to `start + length` of the source, in their place in the target. */
export interface Span {
  readonly start: number
  readonly length: number
}

/** Anything that gives the elements of a tensor as float32 by ranges. */
export interface FloatSource {
  floats(name: string, start?: number, count?: number): Promise<Float32Array>
}

/** How a tensor of the target is made from one of the source, row by row, so that no tensor has to fit into memory. */
export interface TensorPlan {
  readonly source: string
  readonly target: string
  readonly rows: number
  readonly columns: number
  /** True for vectors, which are written with one dimension. */
  readonly vector: boolean
  /** Dimensions in GGUF's order, where they are not `[columns, rows]` or `[rows]`. */
  readonly shape?: readonly number[]
  /** Source rows in the order of the target (default: as they are). */
  readonly rowOrder?: readonly Span[]
  /** Source columns in the order of the target (default: as they are). */
  readonly columnOrder?: readonly Span[]
  /** Applied to every element, in float32. */
  readonly change?: (value: number) => number
}

/** A plan as a tensor for `writeGguf`, encoded as `type`. */
export function planToGguf(plan: TensorPlan, type: WritableType, source: FloatSource): GgufTensorSource {
  return {
    name: plan.target,
    type,
    shape: plan.shape ?? (plan.vector ? [plan.rows] : [plan.columns, plan.rows]),
    data: () => encodedRows(plan, type, source),
  }
}

/** Encoded rows of a planned tensor, in pieces. */
export async function* encodedRows(
  plan: TensorPlan,
  type: WritableType,
  source: FloatSource,
): AsyncGenerator<Uint8Array> {
  const { columns, change, columnOrder } = plan
  const most = Math.max(1, Math.floor(PIECE / columns))
  for (const { start, length } of plan.rowOrder ?? [{ start: 0, length: plan.rows }]) {
    for (let row = start; row < start + length; row += most) {
      const rows = Math.min(most, start + length - row)
      let values = await source.floats(plan.source, row * columns, rows * columns)
      if (columnOrder !== undefined) values = reorderColumns(values, columns, columnOrder)
      yield encodeFloats(type, change === undefined ? values : values.map(change))
    }
  }
}

function reorderColumns(values: Float32Array, columns: number, order: readonly Span[]): Float32Array {
  const out = new Float32Array(values.length)
  for (let row = 0; row < values.length; row += columns) {
    let to = row
    for (const { start, length } of order) {
      out.set(values.subarray(row + start, row + start + length), to)
      to += length
    }
  }
  return out
}

/**
 * Spans that bring V heads from grouped order (all heads of a key head together) to tiled order (one head of every key head, then
 * the next): the target's head j·K + g is the source's g·r + j, with r = V/K heads per key head.
 */
export function tiledHeads(offset: number, keyHeads: number, valueHeads: number, headSize: number): Span[] {
  const perKey = valueHeads / keyHeads
  return Array.from({ length: valueHeads }, (_, head) => {
    const group = head % keyHeads
    const inGroup = Math.floor(head / keyHeads)
    return { start: offset + (group * perKey + inGroup) * headSize, length: headSize }
  })
}
