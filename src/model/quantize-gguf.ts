import { resolve } from 'node:path'
import { ConversionError } from './conversion-error.js'
import { FILE_TYPE_NUMBER, type GgufTensorInfo, type GgufValue } from './gguf-format.js'
import { GgufFile } from './gguf-reader.js'
import { type GgufTensorSource, writeGguf } from './gguf-writer.js'
import { storedType } from './hf-to-gguf.js'
import type { WritableType } from './quantize-tensor.js'
import { planToGguf } from './tensor-plan.js'

/**
 * Writes a copy of a GGUF file with its matrices as another type: F32, F16, BF16 or Q8_0. Vectors, norms and convolutions stay F32;
 * a matrix that is of the type already is copied byte for byte. Tensors are streamed, so that files larger than memory are no
 * problem. From a coarser type (Q4_1) the copy gains size, not precision.
 *
 * @throws ConversionError `unsupported` when input and output are one file; GgufError for a broken file or a type without a decoder.
 */
export async function quantizeGguf(input: string, output: string, type: WritableType): Promise<void> {
  if (resolve(input) === resolve(output))
    throw new ConversionError('unsupported', output, 'the copy needs another name than the original')
  const file = await GgufFile.open(input)
  try {
    await writeGguf(output, {
      metadata: changedMetadata(file, type),
      tensors: [...file.tensors.values()].map((info) => changedTensor(file, info, type)),
    })
  } finally {
    await file.close()
  }
}

function changedMetadata(file: GgufFile, type: WritableType): Map<string, GgufValue> {
  const metadata = new Map(file.metadata)
  metadata.set('general.file_type', { type: 'u32', value: FILE_TYPE_NUMBER[type] })
  if (!metadata.has('general.quantization_version'))
    metadata.set('general.quantization_version', { type: 'u32', value: 2 })
  return metadata
}

function changedTensor(file: GgufFile, info: GgufTensorInfo, type: WritableType): GgufTensorSource {
  const { name, shape } = info
  const vector = shape.length <= 1
  const columns = vector ? 1 : shape[0]!
  const target = vector ? 'F32' : storedType(name, vector, columns, type)
  if (target === info.type || info.type.startsWith('I')) {
    return { name, type: info.type, shape, data: () => file.chunks(name) }
  }
  const elements = shape.reduce((product, dimension) => product * dimension, 1)
  // A quantised vector has to be read in one piece: its single row holds whole blocks, its elements do not.
  const [rows, width] = vector ? [1, elements] : [elements / columns, columns]
  return planToGguf({ source: name, target: name, rows, columns: width, vector, shape }, target, file)
}
