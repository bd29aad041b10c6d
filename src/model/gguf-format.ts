/** Value types of GGUF metadata, in the order of their numbers in the file (array is 9). */
export const GGUF_VALUE_TYPES = [
  'u8',
  'i8',
  'u16',
  'i16',
  'u32',
  'i32',
  'f32',
  'bool',
  'string',
  'array',
  'u64',
  'i64',
  'f64',
] as const

/** Name of a metadata value type. */
export type GgufValueType = (typeof GGUF_VALUE_TYPES)[number]

/** A typed metadata value: 64-bit integers are bigint, arrays keep the type of their items. */
export type GgufValue =
  | { readonly type: 'u8' | 'i8' | 'u16' | 'i16' | 'u32' | 'i32' | 'f32' | 'f64'; readonly value: number }
  | { readonly type: 'u64' | 'i64'; readonly value: bigint }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'string'; readonly value: string }
  | GgufArray

/** A metadata array; `items` hold the bare values of type `of` (nested arrays are GgufArray). */
export interface GgufArray {
  readonly type: 'array'
  readonly of: GgufValueType
  readonly items: readonly (number | bigint | boolean | string | GgufArray)[]
}

/** Bytes of each fixed-size metadata type. */
export const GGUF_SCALAR_BYTES: Readonly<Record<Exclude<GgufValueType, 'string' | 'array'>, number>> = {
  u8: 1,
  i8: 1,
  u16: 2,
  i16: 2,
  u32: 4,
  i32: 4,
  f32: 4,
  bool: 1,
  u64: 8,
  i64: 8,
  f64: 8,
}

/** Layout of a tensor type: its number in files, and how many elements a block of how many bytes holds. */
export interface GgmlLayout {
  readonly id: number
  readonly blockElements: number
  readonly blockBytes: number
}

const layout = (id: number, blockElements: number, blockBytes: number): GgmlLayout => ({
  id,
  blockElements,
  blockBytes,
})

/** All tensor types of ggml, by name (ggml.h and gguf-py's constants). */
export const GGML_TYPES = {
  F32: layout(0, 1, 4),
  F16: layout(1, 1, 2),
  Q4_0: layout(2, 32, 18),
  Q4_1: layout(3, 32, 20),
  Q5_0: layout(6, 32, 22),
  Q5_1: layout(7, 32, 24),
  Q8_0: layout(8, 32, 34),
  Q8_1: layout(9, 32, 40),
  Q2_K: layout(10, 256, 84),
  Q3_K: layout(11, 256, 110),
  Q4_K: layout(12, 256, 144),
  Q5_K: layout(13, 256, 176),
  Q6_K: layout(14, 256, 210),
  Q8_K: layout(15, 256, 292),
  IQ2_XXS: layout(16, 256, 66),
  IQ2_XS: layout(17, 256, 74),
  IQ3_XXS: layout(18, 256, 98),
  IQ1_S: layout(19, 256, 50),
  IQ4_NL: layout(20, 32, 18),
  IQ3_S: layout(21, 256, 110),
  IQ2_S: layout(22, 256, 82),
  IQ4_XS: layout(23, 256, 136),
  I8: layout(24, 1, 1),
  I16: layout(25, 1, 2),
  I32: layout(26, 1, 4),
  I64: layout(27, 1, 8),
  F64: layout(28, 1, 8),
  IQ1_M: layout(29, 256, 56),
  BF16: layout(30, 1, 2),
  TQ1_0: layout(34, 256, 54),
  TQ2_0: layout(35, 256, 66),
  MXFP4: layout(39, 32, 17),
  NVFP4: layout(40, 64, 36),
  Q1_0: layout(41, 128, 18),
  Q2_0: layout(42, 64, 18),
} as const satisfies Record<string, GgmlLayout>

/** Name of a tensor type. */
export type GgmlType = keyof typeof GGML_TYPES

/** Tensor type names by their numbers in files. */
export const GGML_TYPE_BY_ID: ReadonlyMap<number, GgmlType> = new Map(
  (Object.entries(GGML_TYPES) as [GgmlType, GgmlLayout][]).map(([name, { id }]) => [id, name]),
)

/** Number that `general.file_type` holds for files made mostly of one of the types that are written here (llama.h's llama_ftype). */
export const FILE_TYPE_NUMBER = { F32: 0, F16: 1, Q8_0: 7, BF16: 32 } as const

/** Offsets of tensors are multiples of this unless `general.alignment` says otherwise. */
export const GGUF_DEFAULT_ALIGNMENT = 32

/** Where a tensor is and what it holds. */
export interface GgufTensorInfo {
  readonly name: string
  readonly type: GgmlType
  /** Dimensions as GGUF writes them: the fastest-varying first, so [columns, rows] of a matrix. */
  readonly shape: readonly number[]
  /** Absolute offset in the file. */
  readonly offset: number
  /** Bytes of the data. */
  readonly bytes: number
}

/** Bytes that a tensor of this type and shape takes, or undefined when the first dimension is no multiple of the block. */
export function tensorBytes(type: GgmlType, shape: readonly number[]): number | undefined {
  const { blockElements, blockBytes } = GGML_TYPES[type]
  const columns = shape[0] ?? 1
  if (columns % blockElements !== 0) return undefined
  return (shape.reduce((product, dimension) => product * dimension, 1) / blockElements) * blockBytes
}

/** Smallest multiple of `alignment` that is at least `offset`. */
export function align(offset: number, alignment: number): number {
  return Math.ceil(offset / alignment) * alignment
}
