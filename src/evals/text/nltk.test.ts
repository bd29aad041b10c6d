import { describe, expect, it } from 'vitest'
import { datasetsFolder, needs } from '../../testing/datasets.js'
import { TextTools } from './tools.js'

// Expectations come from NLTK 3.10.4 with the same models, and from syllapy 0.7.2.
describe.skipIf(needs('BOTPSY_DATASETS', datasetsFolder()))('language tools', () => {
  const tools = new TextTools(datasetsFolder())

  it.each([
    [
      'Dr. Smith lives in the U.S. He came at 5 p.m. today. Fine!',
      ['Dr. Smith lives in the U.S.', 'He came at 5 p.m. today.', 'Fine!'],
    ],
    ['"Really?" she asked. (Yes.) Then left...', ['"Really?"', 'she asked.', '(Yes.)', 'Then left...']],
    ['Very bad acting!!! I promise.', ['Very bad acting!!!', 'I promise.']],
    ['J. Bach wrote it. e.g. this. No. 5 is 3.14. ok', ['J. Bach wrote it.', 'e.g.', 'this.', 'No.', '5 is 3.14. ok']],
    ['One.\n\nTwo.  \n', ['One.', 'Two.']],
    ['no end', ['no end']],
    ['  ', []],
  ])('splits %j', (text, sentences) => {
    expect(tools.sentences(text)).toEqual(sentences)
  })

  it.each([
    [`I can't, won't "do" it. He's`, ['I', 'ca', "n't", ',', 'wo', "n't", '``', 'do', "''", 'it', '.', 'He', "'s"]],
    ['Cannot gonna--wait… 1,000.50$ [x]', ['Can', 'not', 'gon', 'na', '--', 'wait…', '1,000.50', '$', '[', 'x', ']']],
    ["'tis ‘so’ end. Mr. X.", ["'", 'tis', '‘', 'so', '’', 'end', '.', 'Mr.', 'X', '.']],
  ])('takes %j apart', (text, words) => {
    expect(tools.words(text)).toEqual(words)
  })

  it('tags the first word', () => {
    expect(tools.firstTag(tools.words('Write it down.'))).toBe('VB')
    expect(tools.firstTag(tools.words('The dog runs.'))).toBe('DT')
    expect(tools.firstTag([])).toBeUndefined()
  })

  it('counts syllables by list and by rule', () => {
    expect(['elephant', 'Self-care!', 'zzyple', 'brk', 'x2', '?'].map((word) => tools.syllables(word))).toEqual([
      3, 2, 2, 1, 0, 0,
    ])
  })

  it('knows stop words', () => {
    expect([tools.isStopWord('the'), tools.isStopWord('cat')]).toEqual([true, false])
  })
})
