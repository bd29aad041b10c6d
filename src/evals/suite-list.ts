import { registerSuite } from './suites.js'

// One entry a suite; importing this file makes all suites known. The code of a suite loads when it is opened.
registerSuite({
  name: 'ifeval',
  title: 'IFEval: checkable instructions',
  published: 'IFEval',
  open: async ({ datasets }) => {
    const [{ instructionSuite }, { IFEVAL_CHECKS }] = await Promise.all([
      import('./ifeval/instruction-suite.js'),
      import('./ifeval/checks.js'),
    ])
    return instructionSuite({
      name: 'ifeval',
      title: 'IFEval',
      file: 'ifeval/input_data.jsonl',
      checks: IFEVAL_CHECKS,
      ...(datasets ? { datasets } : {}),
    })
  },
})
registerSuite({
  name: 'ifbench',
  title: 'IFBench: checkable instructions that no training set shows',
  published: 'IFBench',
  open: async ({ datasets }) => {
    const [{ instructionSuite }, { IFBENCH_CHECKS }] = await Promise.all([
      import('./ifeval/instruction-suite.js'),
      import('./ifbench/checks.js'),
    ])
    return instructionSuite({
      name: 'ifbench',
      title: 'IFBench',
      file: 'ifbench/IFBench_test.jsonl',
      checks: IFBENCH_CHECKS,
      ...(datasets ? { datasets } : {}),
    })
  },
})
registerSuite({
  name: 'mmlu_pro',
  title: 'MMLU-Pro: multiple choice with reasoning',
  published: 'MMLU-Pro',
  open: async ({ datasets }) => (await import('./mmlu-pro/suite.js')).mmluProSuite(datasets),
})
registerSuite({
  name: 'bfcl_v4_single_turn',
  title: 'BFCL v4, single turn: Python, Java, JavaScript, live, irrelevance and relevance',
  open: async ({ datasets }) => (await import('./bfcl/single-turn-suite.js')).bfclSingleTurnSuite(datasets),
})
registerSuite({
  name: 'bfcl_v4_multi_turn',
  title: 'BFCL v4, multi-turn: simulated services, missing functions and parameters, long contexts',
  open: async ({ datasets }) => (await import('./bfcl/multi-turn/suite.js')).bfclMultiTurnSuite(datasets),
})
registerSuite({
  name: 'bfcl_v4_format',
  title: 'BFCL v4, format sensitivity: 26 ways of prompting for calls',
  open: async ({ datasets }) => (await import('./bfcl/format-suite.js')).bfclFormatSuite(datasets),
})
registerSuite({
  name: 'acebench',
  title: 'ACEBench (en): single calls, dialogues, faulty requests, and agents with simulators',
  published: 'ACEBench',
  open: async ({ datasets, user }) => (await import('./acebench/suite.js')).aceBenchSuite({ datasets, user }),
})
registerSuite({
  name: 'gpqa_diamond',
  title: 'GPQA Diamond: hard questions of science (your own copy)',
  published: 'GPQA Diamond',
  open: async ({ datasets }) => (await import('./gpqa/suite.js')).gpqaSuite(datasets),
})
registerSuite({
  name: 'red_team',
  title: 'Red team: six categories of harm, with and without injection, and over-refusal',
  open: async (options) => (await import('./red-team/suite.js')).redTeamSuite(options),
})
