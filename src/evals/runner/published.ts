/** A figure that others report of a model; never measured here. */
export interface PublishedFigure {
  /** Name of the benchmark as a report shows it. */
  readonly benchmark: string
  readonly model: string
  /** In percent. */
  readonly value: number
  readonly source: string
}

const SOURCE = 'reported by its authors'
const rows: readonly (readonly [benchmark: string, model: string, value: number])[] = [
  ['BFCL v4', 'BotPsy-0.8B', 44.0],
  ['BFCL v4', 'Qwen3.5-0.8B', 23.4],
  ['BFCL v4', 'Qwen3.5-2B-Think', 37.7],
  ['BFCL v4 multi-turn', 'BotPsy-0.8B', 46.1],
  ['BFCL v4 multi-turn', 'Qwen3.5-0.8B', 7.5],
  ['BFCL v4 multi-turn', 'Qwen3.5-2B-Think', 23.8],
  ['BFCL v4 hallucination', 'BotPsy-0.8B', 86.1],
  ['ACEBench', 'BotPsy-0.8B', 58.7],
  ['ACEBench', 'Qwen3.5-0.8B', 30.1],
  ['ACEBench', 'Qwen3.5-2B-Think', 55.4],
  ['ACEBench special', 'BotPsy-0.8B', 51.3],
  ['ACEBench special', 'Qwen3.5-0.8B', 13.7],
  ['τ-bench', 'BotPsy-0.8B', 51.5],
  ['τ-bench', 'Qwen3.5-0.8B', 23.2],
  ['τ-bench', 'Qwen3.5-2B-Think', 46.5],
  ['τ²-bench telecom', 'BotPsy-0.8B', 82.5],
  ['τ²-bench telecom', 'Qwen3.5-2B-Think', 69.3],
  ['ToolSandbox', 'BotPsy-0.8B', 64.6],
  ['ToolSandbox', 'Qwen3.5-0.8B', 30.5],
  ['ToolSandbox', 'Qwen3.5-2B-Think', 41.2],
  ['Claw-Eval', 'BotPsy-0.8B', 46.5],
  ['Claw-Eval', 'Qwen3.5-0.8B', 39.3],
  ['Claw-Eval', 'Qwen3.5-2B-Think', 48.9],
  ['BrowseComp-Plus', 'BotPsy-0.8B', 4.5],
  ['BrowseComp-Plus', 'Qwen3.5-0.8B', 1.9],
  ['BrowseComp-Plus', 'Qwen3.5-2B-Think', 2.8],
  ['GPQA Diamond', 'BotPsy-0.8B', 38.1],
  ['GPQA Diamond', 'Qwen3.5-0.8B', 33.2],
  ['MMLU-Pro', 'BotPsy-0.8B', 48.9],
  ['MMLU-Pro', 'Qwen3.5-0.8B', 41.6],
  ['IFEval', 'BotPsy-0.8B', 90.8],
  ['IFBench', 'BotPsy-0.8B', 55.9],
]

/** Figures that the authors of small agents report for a benchmark, for reports to print beside measured ones. */
export function publishedFigures(benchmark: string): PublishedFigure[] {
  return rows
    .filter(([name]) => name === benchmark)
    .map(([name, model, value]) => ({ benchmark: name, model, value, source: SOURCE }))
}
