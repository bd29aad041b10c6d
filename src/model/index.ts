export {
  type BpeTrainerOptions,
  type TokenizerRoles,
  type TrainingText,
  trainBpe,
  writeTokenizer,
} from './bpe-trainer.js'
export { Checkpoint } from './checkpoint.js'
export { ConversionError } from './conversion-error.js'
export { GgufError } from './gguf-error.js'
export type {
  GgmlType,
  GgufArray,
  GgufTensorInfo,
  GgufValue,
  GgufValueType,
} from './gguf-format.js'
export { GgufFile } from './gguf-reader.js'
export { convertGgufToHf, type GgufToHfOptions } from './gguf-to-hf.js'
export { tokenizerFromGguf } from './gguf-vocabulary.js'
export { type GgufContent, type GgufTensorSource, writeGguf } from './gguf-writer.js'
export { type ConvertOptions, convertHfToGguf } from './hf-to-gguf.js'
export { type DownloadOptions, download, type HubFile, hubUrl, sha256OfFile } from './hub.js'
export { HubError } from './hub-error.js'
export { type ConvertLoraOptions, convertLoraToGguf } from './lora-to-gguf.js'
export {
  findWeights,
  ModelFolderError,
  type ModelPlaces,
  modelNames,
  type ResolvedModel,
  resolveModel,
} from './model-folder.js'
export { type ModelFileInfo, modelInfo } from './model-info.js'
export { type HubWeights, hubWeightsSchema, type ModelManifest, modelManifestSchema } from './model-manifest.js'
export { GPT2_EXPRESSION, QWEN35_EXPRESSION } from './pretokenizer.js'
export { quantizeGguf } from './quantize-gguf.js'
export { encodeFloats, type WritableType } from './quantize-tensor.js'
export { SafetensorsError } from './safetensors-error.js'
export { SafetensorsFile, type SafetensorsInfo, type SafetensorsType } from './safetensors-reader.js'
export { type SafetensorsSource, writeCheckpoint, writeSafetensors } from './safetensors-writer.js'
export { Sha256Memo } from './sha256-memo.js'
export { type AddedToken, type EncodeOptions, type Encoding, Tokenizer, type TokenizerSpec } from './tokenizer.js'
export { TokenizerError } from './tokenizer-error.js'
export { parseTokenizerJson, readTokenizerJson, toTokenizerJson } from './tokenizer-json.js'
export { writeWhole } from './whole-file.js'
