import { readFileSync } from 'node:fs'
import { benchmarkPath } from '../datasets-place.js'
import { PartOfSpeechTagger } from './part-of-speech.js'
import { SentenceSplitter } from './sentences.js'
import { SyllableCounter } from './syllables.js'
import { wordTokens } from './word-tokens.js'

/** Language tools that instruction checks share; each reads its model on first use and throws MissingDataError then. */
export class TextTools {
  #splitter: SentenceSplitter | undefined
  #tagger: PartOfSpeechTagger | undefined
  #syllables: SyllableCounter | undefined
  #stopWords: ReadonlySet<string> | undefined

  /** @param datasets folder that holds benchmarks/; undefined: the one BOTPSY_DATASETS names */
  constructor(readonly datasets?: string) {}

  /** `nltk.sent_tokenize`. */
  sentences(text: string): string[] {
    this.#splitter ??= SentenceSplitter.english(this.datasets)
    return this.#splitter.split(text)
  }

  /** `nltk.word_tokenize`. */
  words(text: string): string[] {
    this.#splitter ??= SentenceSplitter.english(this.datasets)
    return wordTokens(text, this.#splitter)
  }

  /** Part of speech of the first word, as in the Penn Treebank. */
  firstTag(words: readonly string[]): string | undefined {
    this.#tagger ??= new PartOfSpeechTagger(this.datasets)
    return this.#tagger.tag(words, 1)[0]
  }

  /** Syllables of a word, by syllapy. */
  syllables(word: string): number {
    this.#syllables ??= new SyllableCounter(this.datasets)
    return this.#syllables.count(word)
  }

  /** Whether a word in lower case is in NLTK's English list of stop words. */
  isStopWord(word: string): boolean {
    this.#stopWords ??= new Set(
      readFileSync(benchmarkPath('nltk/stopwords/english.txt', this.datasets), 'utf8').trim().split('\n'),
    )
    return this.#stopWords.has(word)
  }
}
