import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ScriptedEngine } from '../../engine/scripted.js'
import { readRun } from '../runner/run-folder.js'
import { runSuite } from '../runner/run-suite.js'
import { GpqaFileError, gpqaAnswer, gpqaPrompt, readGpqa } from './gpqa.js'
import { gpqaSuite } from './suite.js'

const root = mkdtempSync(join(tmpdir(), 'botpsy-gpqa-'))
afterAll(() => rmSync(root, { recursive: true }))
mkdirSync(join(root, 'benchmarks', 'gpqa'), { recursive: true })
const file = join(root, 'benchmarks', 'gpqa', 'gpqa_diamond.csv')
const row = (n: number): string => `"What, ${n}?",r,w1,w2,w3,rec${n},Physics`
const HEAD =
  'Question,Correct Answer,Incorrect Answer 1,Incorrect Answer 2,Incorrect Answer 3,Record ID,High-level domain'
writeFileSync(file, `${[HEAD, row(1), row(2), row(3)].join('\n')}\n`)

// Python: random.seed(0); for each question l = ['w1', 'w2', 'w3', 'r']; random.shuffle(l)
test('choices stand as Python shuffles them', () => {
  const questions = readGpqa(file)
  expect(questions.map(({ choices }) => choices.join(' '))).toEqual(['w3 w1 w2 r', 'w1 w2 r w3', 'w1 w3 w2 r'])
  expect(questions.map(({ answer }) => answer)).toEqual(['D', 'C', 'D'])
  expect(gpqaPrompt(questions[0] as never)).toContain(
    'question: What, 1?\n\nChoices:\n(A) w3\n(B) w1\n(C) w2\n(D) r\n\n',
  )
})

test('the letter of an answer', () => {
  expect(gpqaAnswer('The correct answer is (B).')).toBe('B')
  expect(gpqaAnswer('Not (A), so the answer is (C)')).toBe('C')
  expect(gpqaAnswer('Perhaps (D)')).toBe('D')
  // As in the original: only the first match of a pattern is looked at.
  expect(gpqaAnswer('f(x) gives (A)')).toBe(null)
  expect(gpqaAnswer('The correct answer is B')).toBe(null)
})

test('a run over the copy of a user; another file is told apart', async () => {
  const folder = join(root, 'run')
  await runSuite(gpqaSuite(root), {
    engine: new ScriptedEngine({ turns: () => 'The correct answer is (D)' }),
    folder,
    model: { name: 'd', from: 'test' },
    botpsy: '0',
  })
  expect(readRun(folder).records.map(({ score }) => score.value)).toEqual([1, 0, 1])
  writeFileSync(join(root, 'x.csv'), 'a,b\n')
  expect(() => readGpqa(join(root, 'x.csv'))).toThrow(GpqaFileError)
})
