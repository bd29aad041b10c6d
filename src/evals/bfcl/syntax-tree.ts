import { createRequire } from 'node:module'
import type { Node, Tree, Parser as TreeParser } from '@vscode/tree-sitter-wasm'

/** Languages whose calls are read from a syntax tree. */
export type TreeLanguage = 'java' | 'javascript'

/** A parsed text; {@link SyntaxTree.free} gives its memory back. */
export interface SyntaxTree {
  readonly root: Node
  /** The parser could not take the whole text as it stands (a token that it supplied itself does not count). */
  readonly failed: boolean
  free(): void
}

/** Parsers of the two languages, loaded once. */
export interface SyntaxParsers {
  /** @throws Error when the parser gives no tree */
  parse(language: TreeLanguage, text: string): SyntaxTree
}

let loading: Promise<SyntaxParsers> | undefined

/** Loads the parsers (about a megabyte of WebAssembly) when first asked for. */
export function loadSyntaxParsers(): Promise<SyntaxParsers> {
  loading ??= load()
  return loading
}

async function load(): Promise<SyntaxParsers> {
  const require = createRequire(import.meta.url)
  const { Parser, Language } = require('@vscode/tree-sitter-wasm') as typeof import('@vscode/tree-sitter-wasm')
  await Parser.init()
  const open = async (language: TreeLanguage): Promise<TreeParser> => {
    const parser = new Parser()
    parser.setLanguage(
      await Language.load(require.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${language}.wasm`)),
    )
    return parser
  }
  const parsers = { java: await open('java'), javascript: await open('javascript') }
  return {
    parse(language, text) {
      const tree: Tree | null = parsers[language].parse(text)
      if (tree === null) throw new Error(`tree-sitter gave no tree for ${language}`)
      const root = tree.rootNode
      return { root, failed: root.hasError && root.toString().includes('ERROR'), free: () => tree.delete() }
    },
  }
}
