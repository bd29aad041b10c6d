import { type Folder, readText, writeText } from '../store/index.js'
import { type Fact, nameKey, readStatement } from './statement.js'

/** Name of the memory in the data folder. */
export const MEMORY_FILE = 'memory.md'

/** Longest statement in characters. */
export const LONGEST_STATEMENT = 500

const HEADING = `# What you told BotPsy about yourself

Each line that begins with "- " is one thing; change, add or remove lines as you like. BotPsy uses them to understand
names and to fill in what you leave out, for example:
"my boss is Anna", "I call the living room lamp Otto", "my working hours are 9 to 5", "I live in Budapest".

`

const ITEM = /^(\s*(?:[-*+]|\d{1,3}[.)])\s+)(\S.*?)\s*$/

/** Relations of which somebody may have several; of the others a new one takes the place of the old. */
const SEVERAL =
  /^(?:daughter|son|child|kid|friend|brother|sister|sibling|colleague|coworker|neighbou?r|cousin|aunt|uncle|teacher|customer|client|grand\w+|pet|cat|dog)$/

/** One statement with what follows from it. */
export interface Remembered {
  readonly text: string
  readonly fact: Fact
}

/** The text with a statement; what it makes untrue is gone. */
export interface Added {
  readonly text: string
  readonly replaced: readonly string[]
}

/**
 * The owner's memory: a Markdown file in which every list item is a statement. Whatever else stands in it stays as it is,
 * so that it can be edited by hand.
 */
export class MemoryFile {
  #cached: { readonly text: string; readonly statements: readonly Remembered[] } | undefined

  constructor(readonly folder: Folder) {}

  /** The text, undefined when there is none. @throws StoreError */
  text(): string | undefined {
    return readText(this.folder, MEMORY_FILE)
  }

  /** All statements, oldest first. @throws StoreError */
  statements(): readonly Remembered[] {
    const text = this.text() ?? ''
    if (this.#cached?.text !== text) this.#cached = { text, statements: statementsOf(text) }
    return this.#cached.statements
  }

  /** Adds a statement for the command line. @returns the statements that it replaced, undefined when it was known */
  async add(statement: string): Promise<readonly string[] | undefined> {
    return this.folder.locked(() => {
      const added = withStatement(this.text(), statement)
      if (added === undefined) return undefined
      writeText(this.folder, MEMORY_FILE, added.text)
      return added.replaced
    })
  }

  /** Removes statements by their text, for the command line. */
  async remove(statements: readonly string[]): Promise<void> {
    await this.folder.locked(() =>
      writeText(this.folder, MEMORY_FILE, withoutStatements(this.text() ?? '', statements)),
    )
  }
}

/** Statements of a memory's text. */
export function statementsOf(text: string): readonly Remembered[] {
  return text
    .split(/\r?\n/)
    .map((line) => ITEM.exec(line)?.[2])
    .filter((item) => item !== undefined)
    .map((item) => ({ text: item, fact: readStatement(item) }))
}

/** One statement on one line, without the words around it ("remember that …"); '' when nothing is left. */
export function cleanStatement(said: string): string {
  return said
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(?:please |hey |ok(?:ay)?,? )*(?:remember|know|note|learn|keep in mind)(?: for me)?(?: that|:)? /i, '')
    .replace(/^that /i, '')
    .replace(/^(?:[-*+#>]+|\d+[.)])\s+/, '')
    .trim()
    .slice(0, LONGEST_STATEMENT)
}

const contradicts = (old: Fact, fresh: Fact): boolean =>
  old.kind === 'alias' && fresh.kind === 'alias'
    ? nameKey(old.name) === nameKey(fresh.name) && !SEVERAL.test(nameKey(old.name))
    : old.kind === fresh.kind && fresh.kind !== 'note'

/** The text with one statement more; undefined when it stands there already. */
export function withStatement(before: string | undefined, statement: string): Added | undefined {
  const known = statementsOf(before ?? '')
  if (known.some((k) => nameKey(k.text) === nameKey(statement))) return undefined
  const fact = readStatement(statement)
  const replaced = known.filter((k) => contradicts(k.fact, fact)).map((k) => k.text)
  const kept = withoutStatements(before ?? HEADING, replaced)
  const end = kept === '' || kept.endsWith('\n') ? '' : kept.includes('\r\n') ? '\r\n' : '\n'
  return { text: `${kept}${end}- ${statement}${kept.includes('\r\n') ? '\r\n' : '\n'}`, replaced }
}

/** The text without these statements. */
export function withoutStatements(text: string, statements: readonly string[]): string {
  const gone = new Set(statements)
  return text
    .split(/(?<=\n)/)
    .filter((line) => {
      const item = ITEM.exec(line.replace(/\r?\n$/, ''))?.[2]
      return item === undefined || !gone.has(item)
    })
    .join('')
}
