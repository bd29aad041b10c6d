import type { Dialect } from './types.js'

/**
 * The call format that a chat template teaches, read from its source: `<function=` is Qwen3.5's, a `<tool_call>` around
 * JSON is Hermes', a list between LFM2's tool-call markers is Pythonic. Anything else is a plain chat without tools.
 */
export function detectDialect(templateSource: string): Dialect {
  if (templateSource.includes('<function=')) return 'qwen3.5'
  if (templateSource.includes('<|tool_call_start|>') || templateSource.includes('<|tool_list_start|>'))
    return 'pythonic'
  if (templateSource.includes('<tool_call>')) return 'hermes'
  return 'plain'
}

/** Text at which a call of the dialect begins, where a grammar may start to bind; undefined for plain chat. */
export function callOpening(dialect: Dialect): string | undefined {
  switch (dialect) {
    case 'qwen3.5':
    case 'hermes':
      return '<tool_call>'
    case 'pythonic':
      return '<|tool_call_start|>'
    case 'plain':
      return undefined
  }
}
