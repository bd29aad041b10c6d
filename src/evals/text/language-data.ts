import { readFileSync } from 'node:fs'

/** The committed file beside this one; it is ours, so its shape is taken as given. */
interface DataFile {
  readonly latin1_excluded: string
  readonly vietnamese: { readonly letters: string; readonly marks: string; readonly composed: readonly string[] }
  readonly kanji: readonly string[]
  readonly profiles: readonly {
    readonly name: string
    readonly n_words: readonly number[]
    readonly freq: Readonly<Record<string, number>>
  }[]
}

/** What the detector knows, made from the profiles of langdetect 1.0.9 (source and licence in the file). */
export interface LanguageData {
  /** Codes of the languages, as `en` or `zh-cn`. */
  readonly languages: readonly string[]
  /** Character n-gram (1 to 3) -> flat list of language index and probability, for the languages that have it. */
  readonly grams: ReadonlyMap<string, readonly number[]>
  /** Kanji -> the character that stands for its class. */
  readonly kanji: ReadonlyMap<string, string>
  /** Signs of Latin-1 that count as blanks. */
  readonly blanks: ReadonlySet<string>
  /** Letter followed by a combining mark -> the composed letter of Vietnamese. */
  readonly composed: ReadonlyMap<string, string>
}

let loaded: LanguageData | undefined

/** Reads the profiles once (about 2 MB). */
export function languageData(): LanguageData {
  loaded ??= load()
  return loaded
}

function load(): LanguageData {
  const file = new URL('./langdetect-data.json', import.meta.url)
  const data = JSON.parse(readFileSync(file, 'utf8')) as DataFile
  const grams = new Map<string, number[]>()
  data.profiles.forEach((profile, language) => {
    for (const gram in profile.freq) {
      const probability = profile.freq[gram]! / profile.n_words[gram.length - 1]!
      const known = grams.get(gram)
      if (known) known.push(language, probability)
      else grams.set(gram, [language, probability])
    }
  })
  const kanji = new Map<string, string>()
  for (const members of data.kanji) for (const member of members) kanji.set(member, members[0]!)
  const composed = new Map<string, string>()
  data.vietnamese.composed.forEach((letters, mark) => {
    Array.from(letters).forEach((letter, index) => {
      composed.set(data.vietnamese.letters[index]! + data.vietnamese.marks[mark]!, letter)
    })
  })
  return {
    languages: data.profiles.map((profile) => profile.name),
    grams,
    kanji,
    blanks: new Set(data.latin1_excluded),
    composed,
  }
}
