import type { MemoryFile } from './memory-file.js'
import { nameKey, type WorkingHours } from './statement.js'

/** What a name stands for. */
export type Meaning =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly meaning: string }
  | { readonly kind: 'several'; readonly meanings: readonly string[] }

/** What the owner's memory says about names and defaults, read anew with every question. */
export class Recall {
  constructor(private readonly file: MemoryFile) {}

  /** What a whole phrase ("my boss", "Otto") stands for. */
  meaning(phrase: string): Meaning {
    const key = nameKey(phrase)
    if (key === '') return { kind: 'none' }
    const found = new Map<string, string>()
    for (const { fact } of this.file.statements())
      if (fact.kind === 'alias' && nameKey(fact.name) === key) found.set(nameKey(fact.meaning), fact.meaning)
    const meanings = [...found.values()]
    const [only] = meanings
    if (only === undefined) return { kind: 'none' }
    return meanings.length === 1 ? { kind: 'one', meaning: only } : { kind: 'several', meanings }
  }

  /** Where the owner lives, as it was told. */
  home(): string | undefined {
    for (const { fact } of [...this.file.statements()].reverse()) if (fact.kind === 'home') return fact.place
    return undefined
  }

  /** The town of the owner's home: a street is nobody's business who is only asked for the weather. */
  town(): string | undefined {
    const home = this.home()
    const parts = home?.split(',').map((part) => part.replace(/\b\d[\d-]*\b/g, '').trim())
    const named = parts?.filter(
      (part) =>
        part !== '' &&
        !/\b(?:street|st|road|rd|avenue|ave|lane|square|utca|út|tér|strasse|straße|platz|rue)\b\.?/iu.test(part),
    )
    return named?.[0] ?? (parts?.length === 1 ? home : parts?.at(-1))
  }

  /** The owner's working hours. */
  workingHours(): WorkingHours | undefined {
    for (const { fact } of [...this.file.statements()].reverse()) if (fact.kind === 'hours') return fact.hours
    return undefined
  }
}
