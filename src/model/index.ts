export { type BpeTrainerOptions, type TokenizerRoles, type TrainingText, trainBpe, writeTokenizer } from './bpe-trainer.js'
export { Checkpoint } from './checkpoint.js'
export { ConversionError } from './conversion-error.js'
export { GgufError } from './gguf-error.js'
export {
  type GgmlType,
  type GgufArray,
  type GgufTensorInfo,
  type GgufValue,
  type GgufValueType,
} from './gguf-format.js'
export { GgufFile } from './gguf-reader.js'
export { tokenizerFromGguf } from './gguf-vocabulary.js'
export { type GgufContent, type GgufTensorSource, writeGguf } from './gguf-writer.js'
export { type ConvertOptions, convertHfToGguf } from './hf-to-gguf.js'
export { GPT2_EXPRESSION, QWEN35_EXPRESSION } from './pretokenizer.js'
export { encodeFloats, type WritableType } from './quantize-tensor.js'
export { SafetensorsError } from './safetensors-error.js'
export { SafetensorsFile, type SafetensorsInfo, type SafetensorsType } from './safetensors-reader.js'
export { type SafetensorsSource, writeCheckpoint, writeSafetensors } from './safetensors-writer.js'
export { type AddedToken, type EncodeOptions, type Encoding, Tokenizer, type TokenizerSpec } from './tokenizer.js'
export { TokenizerError } from './tokenizer-error.js'
export { parseTokenizerJson, readTokenizerJson, toTokenizerJson } from './tokenizer-json.js'
