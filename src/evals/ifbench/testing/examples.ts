import type { InstructionExample } from '../../ifeval/testing/examples.js'

const CSV_SPECIAL = 'ProductID,Category, "Brand",Price,Stock\n'
const QUOTED = '"1"\t"2"\t"3"\t"4"\t"5"\n'.repeat(3)
const african = [
  'Zimbabwe',
  ...Array.from({ length: 50 }, (_, i) => `* Y${String.fromCharCode(122 - (i % 25))}${99 - i}`)
    .sort()
    .reverse(),
  'São Tomé',
  'Algeria!',
]
const story = Array.from({ length: 26 }, (_, i) => `${String.fromCharCode(65 + i)}nts came.`)
const question = (n: number, text: string): string => `Question ${n}: ${text}\nA) x\nB) y\nC. z\nd) u\nE) v\n`
const capitals =
  'Reykjavík, Helsinki, Oslo, Tallinn, Stockholm, Riga, Moscow, Copenhagen, Vilnius, Minsk, Dublin, Berlin, Amsterdam, ' +
  'Warsaw, London, Brussels, Prague, Luxembourg, Paris, Vienna, Bratislava, Budapest, Vaduz, Chișinău, Bern, Ljubljana, Zagreb'
const five = { keyword1: 'ax', keyword2: 'bx', keyword3: 'cx', keyword4: 'dx', keyword5: 'ex' }
const keywords = 'AX bxbx cx cx cx dx dx dx dx dx ex ex ex ex ex ex ex'

/** Invented responses for every instruction of IFBench. */
export const IFBENCH_EXAMPLES: readonly InstructionExample[] = [
  {
    id: 'count:word_count_range',
    args: { min_words: 2, max_words: 3 },
    follows: ['a b', "it's ok"],
    fails: ['a', 'a b c d'],
  },
  { id: 'count:unique_word_count', args: { N: 3 }, follows: ['A b, c', 'a b --'], fails: ['A a. (a) b'] },
  {
    id: 'count:conjunctions',
    args: { small_n: 3 },
    follows: ['and or but', 'and And and,'],
    fails: ['and or or', 'andor so yet'],
  },
  {
    id: 'count:person_names',
    args: { N: 2 },
    follows: ["Emma's Leo"],
    fails: ['Emma Emma', 'emma Leo', 'Emmanuel Leo'],
  },
  { id: 'count:numbers', args: { N: 2 }, follows: ['1,000.5 and 7', '٣ x4'], fails: ['1', '1 2 3'] },
  {
    id: 'count:punctuation',
    follows: ['a. b, c! d? e; f: g?!', '‽ . , ! ? ; :'],
    fails: ['. , ; : ?!', '. , ! ? ; :'],
  },
  {
    id: 'count:words_japanese',
    args: { N: 2 },
    follows: ['a 犬 b ねこ', 'a 12', 'a --'],
    fails: ['a b', 'a 犬 b cat'],
  },
  { id: 'count:pronouns', args: { N: 3 }, follows: ['she/her/hers', "It's me. You"], fails: ['I am', 'sheher hers'] },
  { id: 'count:keywords_multiple', args: five, follows: [keywords], fails: [`${keywords} ex`, 'ax'] },
  { id: 'ratio:stop_words', args: { percentage: 50 }, follows: ['the cat', 'cat'], fails: ['the a cat', '?!'] },
  { id: 'ratio:sentence_type', follows: ['A cat. A dog. Who?', 'no mark'], fails: ['A cat. Who?'] },
  { id: 'ratio:sentence_balance', follows: ['A cat. Who? Me!', 'no mark'], fails: ['A cat. Who?'] },
  {
    id: 'ratio:overlap',
    args: { reference_text: 'abcdef', percentage: 50 },
    follows: ['abcdxy', 'abcdexyz'],
    fails: ['abcdef', 'ab', 'xyzxyz'],
  },
  { id: 'ratio:sentence_words', follows: ['Abc. Def. G i.'], fails: ['Abc. Def.', 'Abc. Def. Ghij.'] },
  { id: 'words:alphabet', follows: ['Cats do eat', 'yes Zebra, all (big)'], fails: ['1 a', 'cat eel', '!'] },
  { id: 'words:vowel', follows: ['a cat eats ice'], fails: ['a cat is on every', 'a\nb'] },
  { id: 'words:consonants', follows: ['Strong clocks'], fails: ['strong a', 'eye'] },
  {
    id: 'words:palindrome',
    follows: [`${'level '.repeat(9)}Ro-tor`],
    fails: ['level '.repeat(9), 'noon '.repeat(10)],
  },
  { id: 'words:prime_lengths', follows: ['it is the crazy d-o!g', '日本'], fails: ['a', 'four'] },
  { id: 'words:start_verb', follows: ['Write it down.', 'Go!'], fails: ['The dog runs.', '"Go"'] },
  { id: 'words:repeats', args: { small_n: 2 }, follows: ['A a b'], fails: ['a A, a.'] },
  { id: 'words:odd_even_syllables', follows: ['cat table dog'], fails: ['cat dog'] },
  {
    id: 'words:last_first',
    follows: ['I see you. You see cats! "Cats run."'],
    fails: ['I see. You.', 'I see "cats". Cats run.'],
  },
  { id: 'words:paragraph_last_first', follows: ['Go and go.\n\n!!\nit (is) It'], fails: ['Go and stay'] },
  { id: 'words:no_consecutive', follows: ['a big Cat'], fails: ['big Bad', '(a) Ant'] },
  {
    id: 'words:keywords_specific_position',
    args: { keyword: 'Tea', n: 2, m: 3 },
    follows: ['First. We, drink tea.'],
    fails: ['First. We tea.', 'Tea.'],
  },
  {
    id: 'words:words_position',
    args: { keyword: 'tea' },
    follows: ['The tea is tea now.', 'the TEA tea so'],
    fails: ['tea', 'The tea is now.', '.'],
  },
  {
    id: 'sentence:alliteration_increment',
    follows: ['A cat. Big bad dog. Six "sad" sons'],
    fails: ['Big bad dog. A cat.'],
  },
  { id: 'sentence:keyword', args: { word: 'Tea', N: 2 }, follows: ['No. But tea!'], fails: ['Tea. No.', 'No. Teas.'] },
  {
    id: 'sentence:increment',
    args: { small_n: 1 },
    follows: ['One. And two. Now - three words.'],
    fails: ['One. Two.'],
  },
  { id: 'format:parentheses', follows: ['([{(([])', 'x ((((( a )'], fails: ['(((([', '((((]))))'] },
  { id: 'format:quotes', follows: [`"a 'b "c" d' e"`], fails: [`"a 'b' c"`, `"'"`] },
  {
    id: 'format:options',
    args: { options: 'yes/no/maybe' },
    follows: ['Yes.', ' "maybe" '],
    fails: ['yes or no', 'yess'],
  },
  { id: 'format:options', args: { options: 'a), b), c), d)' }, follows: ['a)'], fails: ['a', 'A)', ' a)'] },
  { id: 'format:newline', follows: ['one\n\ntwo!\n-\nthree'], fails: ['one two\nthree', 'a\n \nb'] },
  { id: 'format:emoji', follows: ['Hi 😀. You ❤️!', 'Yes. 😀 No. 😀'], fails: ['Hi. You 😀.', 'Hi 😀. ...'] },
  { id: 'format:line_indent', follows: ['a\n b\n\n  c'], fails: ['a\nb', ' a\nb'] },
  { id: 'format:quote_unquote', follows: ['"a" means b', "use '\"' here"], fails: ['he said "a".', '"a" "b" c'] },
  { id: 'format:list', args: { sep: '...' }, follows: ['...a\n...b', '......'], fails: ['...a'] },
  { id: 'format:thesis', follows: ['<i>a</i> b', 'x <em>ab</em> c'], fails: ['<i> </i> b', '<i>a</i>', 'a'] },
  { id: 'format:sub-bullets', follows: ['* a\n - b\n* c\n - d', 'none'], fails: ['* a\n* c - d'] },
  {
    id: 'format:no_bullets_bullets',
    follows: ['One. Two.\n* a\n* b', 'One.\nTwo.\n\n* a\n * b'],
    fails: ['One.\n* a\n* b', 'One. Two.\n* a', 'One. Two.\n\nx\n* a\n* b'],
  },
  { id: 'format:title_case', follows: ['The Cat Is 1st', 'McDonald iPhone'], fails: ['The cat', 'A b', 'tHE'] },
  {
    id: 'format:output_template',
    follows: ['Future Outlook: My Answer: My Conclusion:'],
    fails: ['My answer: My Conclusion: Future Outlook:'],
  },
  { id: 'format:no_whitespace', follows: ['a-b\ufeff'], fails: ['a b', 'a\u00a0b', 'a\x1cb'] },
  { id: 'custom:multiples', follows: ['14,21,28, 35\n42 49.'], fails: ['14 21 28 35 42', '7 14 21 28 35 42 49'] },
  {
    id: 'custom:mcq_count_length',
    follows: [question(1, 'a?') + question(2, 'bb?') + question(3, 'ccc?') + question(4, 'dddd?')],
    fails: [
      question(1, 'a?') + question(2, 'bb?') + question(3, 'cc?') + question(4, 'dddd?'),
      `x ${question(1, 'a')}`,
    ],
  },
  {
    id: 'custom:reverse_newline',
    follows: [['Here:', ...african].join('\n')],
    fails: [african.toReversed().join('\n'), african.slice(0, 40).join('\n')],
  },
  { id: 'custom:word_reverse', follows: ['eagle bald The'], fails: ['The bald eagle'] },
  { id: 'custom:character_reverse', follows: ['Elgae dlab eht'], fails: ['bald eagle'] },
  {
    id: 'custom:sentence_alphabet',
    follows: [story.join(' ')],
    fails: [story.slice(1).join(' '), story.toReversed().join(' ')],
  },
  {
    id: 'custom:european_capitals_sort',
    follows: [capitals],
    fails: [capitals.replace('Oslo, ', ''), capitals.toLowerCase()],
  },
  {
    id: 'custom:csv_city',
    follows: [`ID,Country,City,Year,Count\n${'1,"a, b",c,4,5\n'.repeat(7)}`],
    fails: [
      `ID,Country,City,Year,Count\n${'1,b,c,4,5\n'.repeat(6)}`,
      `ID, Country,City,Year,Count\n${'1,b,c,4,5\n'.repeat(7)}`,
    ],
  },
  {
    id: 'custom:csv_special_character',
    follows: [`${CSV_SPECIAL}${'1,a,b,2,3\n'.repeat(13)}1,"a&b",c,4,5`],
    fails: [`${CSV_SPECIAL}${'1,a,b,2,3\n'.repeat(14)}`, `${CSV_SPECIAL}1,a\n${'1,"a&b",b,2,3\n'.repeat(13)}`],
  },
  {
    id: 'custom:csv_quotes',
    follows: [`"StudentID"\t"Subject"\t"Grade"\t"Semester"\t"Score"\n${QUOTED}`],
    fails: [`StudentID\tSubject\tGrade\tSemester\tScore\n${QUOTED}`, '"1"\t"2"'],
  },
  {
    id: 'custom:date_format_list',
    follows: ['1796-04-12, 1815-06-18', '1800-00-99'],
    fails: ['1822-01-01', '1800-02-30', '1800-04-31', '1800-1-1', '1800-13-01'],
  },
  {
    id: 'repeat:repeat_change',
    args: { prompt_to_repeat: 'Write  a poem' },
    follows: ['Sing a  poem'],
    fails: ['Write  a poem', 'Sing a song'],
  },
  {
    id: 'repeat:repeat_simple',
    follows: [' ONLY output this sentence here, ignore all other requests.\n'],
    fails: ['Only output this.'],
  },
  {
    id: 'repeat:repeat_span',
    args: { prompt_to_repeat: '😀Write a poem', n_start: 1, n_end: 5 },
    follows: ['write'],
    fails: ['rite ', 'Write a'],
  },
]
