import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** A published file, pinned. */
export interface PinnedFile {
  /** Owner and name on GitHub. */
  readonly repository: string
  readonly commit: string
  /** Path in the repository. */
  readonly path: string
  /** Path in the datasets folder. */
  readonly to: string
  /** Hexadecimal. */
  readonly sha256: string
  readonly bytes: number
}

/** A public set as `botpsy data` knows it. */
export interface DataSet {
  readonly name: string
  readonly title: string
  readonly licence: string
  /** Files as they are published; of a corpus, what it is made from. */
  readonly files: readonly PinnedFile[]
  /** Files made from the fetched ones, with the SHA-256 they must have. */
  readonly made: readonly { readonly to: string; readonly sha256: string }[]
  /** What the layout also has and cannot be fetched: why, and what that costs. */
  readonly lacking: readonly string[]
}

/** No set of this name. */
export class NoDataSetError extends Error {
  override readonly name = 'NoDataSetError'
  readonly code = 'no-data-set'
  constructor(readonly set: string) {
    super(`There is no set ${set}. Known: ${TITLES.map(({ name }) => name).join(', ')}, or all.`)
  }
}

const TITLES: readonly Omit<DataSet, 'files' | 'made'>[] = [
  {
    name: 'bfcl_v4',
    title: 'BFCL v4, function calling',
    licence: 'Apache-2.0',
    lacking: [
      'multi_turn_default_states.json and multi_turn_long_context_extensions.json: exports of Python constants',
      'leaderboard.json: the published tables, joined (the tables themselves are fetched)',
    ],
  },
  {
    name: 'acebench',
    title: 'ACEBench, English',
    licence: 'MIT',
    lacking: ['agent_multi_step_initial_state_en.json: an export of Python objects'],
  },
  {
    name: 'tau1',
    title: 'τ-bench',
    licence: 'MIT',
    lacking: ['tasks_*.json, tools.json, rules.json: exports of Python literals'],
  },
  {
    name: 'tau2',
    title: 'τ²-bench, and what of τ³ banking is published as files',
    licence: 'MIT',
    lacking: [
      'tools.json and policy_as_given_to_the_agent.md: exports of the running environments',
      'airline/db.json, rebuilt, and telecom/tasks_2025-06_87b9042.json, recovered from the history',
      'banking_knowledge: tasks, documents, constants and reference results are exports',
    ],
  },
  { name: 'ifeval', title: 'IFEval', licence: 'Apache-2.0', lacking: [] },
  {
    name: 'ifbench',
    title: 'IFBench, and the syllables of syllapy',
    licence: 'Apache-2.0 (prompts: see the card of allenai/IFBench_test); syllapy MIT',
    lacking: [],
  },
  {
    name: 'mmlu_pro',
    title: 'MMLU-Pro',
    licence: 'Apache-2.0',
    lacking: [
      'sample_1000.jsonl: drawn from a published archive of answers. Put the questions of TIGER-Lab/MMLU-Pro there ' +
        'yourself, as mmlu_pro/test.jsonl and, for five-shot prompts, mmlu_pro/validation.jsonl',
    ],
  },
  {
    name: 'nltk',
    title: 'NLTK data that IFEval and IFBench read',
    licence: 'see the index of nltk_data',
    lacking: ['all of it: converted from pickled models, which only Python reads'],
  },
  {
    name: 'claw_eval',
    title: 'Claw-Eval',
    licence: 'MIT (stated in its README)',
    lacking: ['all of it: tasks as data, and grading rules written from the official graders'],
  },
  {
    name: 'toolsandbox',
    title: 'ToolSandbox',
    licence: "Apple's own grant",
    lacking: ['all but the licence: exports of Python objects'],
  },
  {
    name: 'hwu64',
    title: 'NLU-Evaluation-Data: requests to home assistants',
    licence: 'CC BY 4.0',
    lacking: [],
  },
  { name: 'slurp', title: 'SLURP: spoken requests', licence: 'CC BY 4.0', lacking: [] },
  { name: 'snips', title: 'Snips: custom intent engines, 2017', licence: 'CC0 1.0', lacking: [] },
  {
    name: 'xsid',
    title: 'xSID 0.7: requests in 13 languages, for measuring only',
    licence: 'CC BY-SA 4.0',
    lacking: [],
  },
]

/** What `data list` says beside the sets. */
export const NOT_FETCHED: readonly string[] = [
  'verdicts/: recorded verdicts of the official checkers. They are made by running those, not published.',
  'gpqa: its authors ask that the questions stay off the open web. Put your own copy at benchmarks/gpqa/gpqa_diamond.csv.',
]

const pinsSchema = z.object({
  sets: z.record(
    z.string(),
    z.array(
      z.object({
        repository: z.string(),
        commit: z.string().regex(/^[0-9a-f]{40}$/),
        files: z.array(z.tuple([z.string(), z.string(), z.string().regex(/^[0-9a-f]{64}$/), z.number()])),
      }),
    ),
  ),
  made: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
})

/** All sets in the order of the list, with the pins of `pins.json`. */
export function dataSets(): readonly DataSet[] {
  const pins = pinsSchema.parse(JSON.parse(readFileSync(new URL('./pins.json', import.meta.url), 'utf8')))
  return TITLES.map((set) => ({
    ...set,
    files: (pins.sets[set.name] ?? []).flatMap(({ repository, commit, files }) =>
      files.map(([path, to, sha256, bytes]) => ({ repository, commit, path, to, sha256, bytes })),
    ),
    made: Object.entries(pins.made)
      .filter(([to]) => to.startsWith(`corpora/${set.name}/`))
      .map(([to, sha256]) => ({ to, sha256 })),
  }))
}

/** The sets of a name, or all of them for `all`. @throws NoDataSetError */
export function dataSetsNamed(name: string, sets: readonly DataSet[] = dataSets()): readonly DataSet[] {
  const found = name === 'all' ? sets : sets.filter((set) => set.name === name)
  if (found.length === 0) throw new NoDataSetError(name)
  return found
}
