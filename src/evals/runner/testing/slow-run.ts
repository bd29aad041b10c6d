// A run of a suite that takes its time, for a test that kills it.
import { ScriptedEngine } from '../../../engine/scripted.js'
import { ask } from '../ask.js'
import { runSuite } from '../run-suite.js'

const outcome = await runSuite(
  {
    name: 'slow',
    version: '1',
    title: 'Slow',
    cases: async () => Array.from({ length: 20 }, (_, i) => ({ id: `case-${i}` })),
    run: async ({ id }, context) => (await ask(context, [{ role: 'user', content: id }])).content,
    score: () => ({ value: 1 }),
  },
  {
    engine: new ScriptedEngine({ turns: () => 'a b c d e', delayMs: 10 }),
    folder: process.argv[2] ?? '',
    model: { name: 'slow', from: 'test' },
    botpsy: '0',
    onCase: (_, { done, total }) => process.stdout.write(`${done}/${total}\n`),
  },
)
process.stdout.write(`done ${outcome.progress.done} of ${outcome.progress.total}\n`)
