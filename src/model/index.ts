export {
  type BpeTrainerOptions,
  type TokenizerRoles,
  type TrainingText,
  trainBpe,
  writeTokenizer,
} from './bpe-trainer.js'
export { GPT2_EXPRESSION, QWEN35_EXPRESSION } from './pretokenizer.js'
export { type AddedToken, type EncodeOptions, type Encoding, Tokenizer, type TokenizerSpec } from './tokenizer.js'
export { TokenizerError } from './tokenizer-error.js'
export { parseTokenizerJson, readTokenizerJson, toTokenizerJson } from './tokenizer-json.js'
