import { TokenizerError } from './tokenizer-error.js'

/** The expression by which Qwen3.5 and Qwen3.6 cut text into words before BPE, as published in their tokenizer.json. */
export const QWEN35_EXPRESSION =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"

/** The expression of GPT-2, which `ByteLevel` pre-tokenizers apply when they say `use_regex`. */
export const GPT2_EXPRESSION = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+"

const LLAMA3_EXPRESSION =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"

/** Expressions, applied one after the other, for the names that GGUF files give in `tokenizer.ggml.pre`. */
export const PRETOKENIZERS_BY_GGUF_NAME: ReadonlyMap<string, readonly string[]> = new Map([
  ['qwen35', [QWEN35_EXPRESSION]],
  ['qwen2', [QWEN35_EXPRESSION.replaceAll('[\\p{L}\\p{M}]', '\\p{L}').replaceAll('\\p{L}\\p{M}', '\\p{L}')]],
  ['llama-bpe', [LLAMA3_EXPRESSION]],
  ['lfm2', [LLAMA3_EXPRESSION]],
  ['gpt-2', [GPT2_EXPRESSION]],
  ['smollm', ['\\p{N}', GPT2_EXPRESSION]],
])

/** Cuts a text into consecutive words whose concatenation is the text. */
export type Splitter = (text: string) => string[]

/**
 * Translates an expression as tokenizer files write them (Oniguruma or Rust syntax) to a JavaScript one with the same matches:
 * `\s` follows Unicode's White_Space (JavaScript's differs at U+0085 and U+FEFF), and `(?i:…)` groups of literals become classes.
 *
 * @throws TokenizerError `unsupported` when the expression has no equivalent here.
 */
export function translateExpression(expression: string): RegExp {
  const caseless = expression.replace(/\(\?i:([^()[\]]*)\)/g, (_, literals: string) => `(?:${foldLiterals(literals)})`)
  const source = caseless.replace(/\\(.)/gs, (whole, letter: string) => {
    if (letter === 's') return '\\p{White_Space}'
    if (letter === 'S') return '\\P{White_Space}'
    return /[A-Za-z]/.test(letter) || /[\^$\\.*+?()[\]{}|/-]/.test(letter) ? whole : letter
  })
  try {
    return new RegExp(source, 'gu')
  } catch (cause) {
    throw new TokenizerError('unsupported', `pre-tokenizer expression ${expression}: ${String(cause)}`)
  }
}

function foldLiterals(literals: string): string {
  return literals.replace(/[A-Za-z]/g, (letter) => {
    const variants = letter.toLowerCase() + letter.toUpperCase()
    const beyondAscii = { s: '\u017f', k: '\u212a' }[letter.toLowerCase()] ?? ''
    return `[${variants}${beyondAscii}]`
  })
}

/** A splitter that isolates every match of each expression in turn; text between matches forms words of its own. */
export function splitterOf(expressions: readonly string[]): Splitter {
  const compiled = expressions.map(translateExpression)
  return (text) => compiled.reduce<string[]>((words, regex) => words.flatMap((word) => isolate(word, regex)), [text])
}

function isolate(text: string, regex: RegExp): string[] {
  const words: string[] = []
  let end = 0
  regex.lastIndex = 0
  for (let match = regex.exec(text); match !== null; match = regex.exec(text)) {
    const word = match[0]
    if (word.length === 0) {
      regex.lastIndex++
      continue
    }
    if (match.index > end) words.push(text.slice(end, match.index))
    words.push(word)
    end = match.index + word.length
  }
  if (end < text.length) words.push(text.slice(end))
  return words
}
