/** Responses with the verdict that the official checker gives them, strict. */
export interface InstructionExample {
  readonly id: string
  readonly args?: Readonly<Record<string, unknown>>
  readonly follows: readonly string[]
  readonly fails: readonly string[]
}

/** Invented responses for every instruction of IFEval. */
export const IFEVAL_EXAMPLES: readonly InstructionExample[] = [
  {
    id: 'keywords:existence',
    args: { keywords: ['sun', 'm.on'] },
    follows: ['SUN and Moon', 'sunset, moaon? no: mxon'],
    fails: ['sun only', 'mon sun'],
  },
  {
    id: 'keywords:frequency',
    args: { keyword: ' ice ', frequency: 2, relation: 'at least' },
    follows: ['ice and nice'],
    fails: ['Ice'],
  },
  {
    id: 'keywords:frequency',
    args: { keyword: 'ice', frequency: 2, relation: 'less than' },
    follows: ['Ice'],
    fails: ['ice ICE'],
  },
  {
    id: 'keywords:forbidden_words',
    args: { forbidden_words: ['cat', 'café'] },
    follows: ['category', 'cats_cat'],
    fails: ['a Cat.', 'un CAFÉ noir'],
  },
  {
    id: 'keywords:letter_frequency',
    args: { letter: 'Q', let_frequency: 2, let_relation: 'at least' },
    follows: ['Quick quiz'],
    fails: ['quick'],
  },
  {
    id: 'language:response_language',
    args: { language: 'de' },
    follows: ['Das ist ein schöner Tag in der Stadt.', '12345'],
    fails: ['This is a fine day in the city.'],
  },
  {
    id: 'length_constraints:number_sentences',
    args: { num_sentences: 3, relation: 'less than' },
    follows: ['One. Dr. Two.'],
    fails: ['One. Two. Three.'],
  },
  {
    id: 'length_constraints:number_words',
    args: { num_words: 4, relation: 'at least' },
    follows: ["don't stop now"],
    fails: ['one two_three 4', 'हिन्'],
  },
  {
    id: 'length_constraints:number_paragraphs',
    args: { num_paragraphs: 2 },
    follows: ['a *** b', '***\na***b\n***'],
    fails: ['a', 'a *** *** b', 'a\n\nb'],
  },
  {
    id: 'length_constraints:nth_paragraph_first_word',
    args: { num_paragraphs: 2, nth_paragraph: 2, first_word: 'Once' },
    follows: ["a\n\n'once upon", 'a\n\n  "ONCE, b', "a\n\nonce's"],
    fails: ['a\n\n\n\nonce', 'once\n\na', 'a\n\nonce\n\nb', 'a\n\n(once)'],
  },
  {
    id: 'change_case:capital_word_frequency',
    args: { capital_frequency: 2, capital_relation: 'at least' },
    follows: ['NASA says I do'],
    fails: ['NASA Says it 1', 'WELL-known A'],
  },
  {
    id: 'change_case:english_capital',
    follows: ['THIS IS A FINE DAY IN THE CITY'],
    fails: ['THIS IS a FINE DAY', 'DAS IST EIN SCHÖNER TAG UND DIE STADT IST GRÜN', 'A1', '123'],
  },
  {
    id: 'change_case:english_lowercase',
    follows: ['this is a fine day in the city.'],
    fails: ['This is a fine day', 'das ist ein schöner tag in der stadt', '123'],
  },
  { id: 'punctuation:no_comma', follows: ['a; b，c'], fails: ['a, b'] },
  {
    id: 'detectable_content:number_placeholders',
    args: { num_placeholders: 2 },
    follows: ['[a] [b c]', '[][x]'],
    fails: ['[a\n] [b]', '[a'],
  },
  {
    id: 'detectable_content:postscript',
    args: { postscript_marker: 'P.S.' },
    follows: ['Hi\nP.S. yes', 'x p. s. y'],
    fails: ['PS yes', 'P.S'],
  },
  {
    id: 'detectable_content:postscript',
    args: { postscript_marker: 'P.P.S' },
    follows: ['p. p. s', 'P.P.S. x'],
    fails: ['P.S. x'],
  },
  {
    id: 'detectable_format:number_bullet_lists',
    args: { num_bullets: 2 },
    follows: ['* a\n  - b', '*a\n\n\n* b', '--\n-'],
    fails: ['** a\n* b', '* a', '- a\n- b\n- c'],
  },
  {
    id: 'detectable_format:constrained_response',
    follows: ['Well: My answer is no. Really'],
    fails: ['my answer is no.', 'My answer is'],
  },
  {
    id: 'detectable_format:number_highlighted_sections',
    args: { num_highlights: 2 },
    follows: ['*a* and *b*', '**a** *b*'],
    fails: ['*a*', '**a**x**', '* * **', '*a\n* *b'],
  },
  {
    id: 'detectable_format:multiple_sections',
    args: { section_spliter: 'Section', num_sections: 2 },
    follows: ['Section 1 a Section 2 b', 'Section1Section٣'],
    fails: ['Section 1', 'SECTION 1 SECTION 2', 'Section a Section b'],
  },
  {
    id: 'detectable_format:json_format',
    follows: ['{"a": [1, 2.0, null]}', '```json\n"x"\n```', 'NaN', '```JSON{}', ' -Infinity '],
    fails: ['{"a": 1,}', '```js\n{}\n```', "{'a': 1}", '01', '"a\tb"', '{} x'],
  },
  {
    id: 'detectable_format:title',
    follows: ['<<Poem>> x', '<<<a>>>'],
    fails: ['<<>>', '<< >>', '<<a\n>>', '<a>'],
  },
  {
    id: 'combination:two_responses',
    follows: ['a******b', '******a******b\n******'],
    fails: ['a', 'a******a ', 'a******b******c', 'a************b'],
  },
  {
    id: 'combination:repeat_prompt',
    args: { prompt_to_repeat: ' Say it! ' },
    follows: ['say it! Done', '\n SAY IT!'],
    fails: ['Please say it!', 'say'],
  },
  {
    id: 'startend:end_checker',
    args: { end_phrase: 'The End. ' },
    follows: ['x the end.', '"The End."\n'],
    fails: ['the end', 'the end. x'],
  },
  { id: 'startend:quotation', follows: ['"a"', ' "" \n'], fails: ['"', '"a', '“a”'] },
]
