import type { Tool, ToolResult } from '../../tools/contract.js'
import { idempotencyKey } from '../call-runner.js'
import { runFixed, type UnattendedOptions } from './unattended-run.js'

/** The only call of a fixed run has this id, see `Thread.nextCallId`. */
const ONLY_CALL = 'call_1'

/** A command that a crash cut off is not done later than this. */
const LATEST_MS = 600_000

/** The time that a plan's key (`plan:ID:TIME`) ends in. */
const timeIn = (key: string): number => Date.parse(key.split(':').slice(2).join(':'))

/**
 * Tools for planned commands: each runs through the journal and the owner's policy, under the plan's own key, so that
 * history shows it and undo takes it back.
 */
export function plannedTools(tools: readonly Tool[], options: UnattendedOptions): readonly Tool[] {
  return tools.map((tool) => ({
    ...tool,
    run: async (args, context): Promise<ToolResult> => {
      const late = context.now().getTime() - timeIn(context.idempotencyKey)
      const call = { name: tool.name, arguments: args }
      const request = `Planned: ${tool.name}`
      const end = await runFixed(options, context.idempotencyKey, request, call, !(late > LATEST_MS))
      return { ok: end.status === 'done', content: end.text }
    },
    reconcile: async (key, args, context): Promise<ToolResult | undefined> => {
      const run = options.journal.runsOf(key)[0]
      if (run === undefined) return { ok: false, content: 'That did not happen.' }
      const entries = options.journal.entries(run).map(({ body }) => body)
      const outcome = entries.find((body) => body.type === 'outcome')
      if (outcome?.type === 'outcome') return { ok: outcome.ok, content: outcome.content }
      if (!entries.some((body) => body.type === 'intent')) return { ok: false, content: 'That did not happen.' }
      return tool.reconcile?.(idempotencyKey(run, ONLY_CALL), args, context)
    },
  }))
}
