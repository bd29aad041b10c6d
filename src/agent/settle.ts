import type { ToolCall } from '../chat/types.js'
import type { ToolContext, ToolResult } from '../tools/contract.js'
import { type CallScope, conclude, idempotencyKey } from './call-runner.js'
import type { JournalBody } from './journal-entry.js'

type Intent = Extract<JournalBody, { type: 'intent' }>

/**
 * Settles a call whose effect may or may not have happened before a crash. The tool is asked for the idempotency key: it
 * happened → its result is recorded; it did not → it runs now, under the same key; nobody knows → the owner decides, and
 * without an answer it is left alone and said so. Returns the tool's question, and whether the owner could not be asked.
 *
 * @param late too much time passed: what did not happen, or may not have, is left
 */
export async function settle(
  call: ToolCall,
  intent: Intent,
  scope: CallScope,
  late = false,
): Promise<{ readonly question?: string; readonly nobody?: boolean; readonly what?: string }> {
  const tool = scope.rules.registry.get(intent.name)
  const context: ToolContext = {
    now: scope.now,
    timeZone: scope.timeZone,
    request: scope.request,
    idempotencyKey: idempotencyKey(scope.run, call.id),
    ...(intent.taintedBy === undefined ? {} : { taintedBy: intent.taintedBy }),
    ...(scope.signal ? { signal: scope.signal } : {}),
  }
  scope.emit({ type: 'call', call: call.id, name: intent.name, arguments: intent.args, effect: intent.effect })
  const about = {
    args: intent.args,
    ...(intent.taintedBy === undefined ? {} : { taint: { label: intent.taintedBy } }),
  }
  const found = tool?.reconcile && (await attempt(() => tool.reconcile!(intent.key, intent.args, context)))
  if (tool && found?.ok) return asked(conclude(call, tool, intent.effect, found, scope, { ...about, reconciled: true }))

  let run = tool !== undefined && found !== undefined && !late
  let nobody = false
  if (tool && !run && !late) {
    const answer = await scope.approver.settle?.(
      { tool: tool.name, arguments: intent.args, description: tool.description },
      scope.signal,
    )
    run = answer === 'run'
    nobody = answer === undefined || answer === 'nobody'
  }
  if (tool && run) {
    const result = (await attempt(() => tool.run(intent.args, context))) ?? {
      ok: false,
      content: `${tool.name} failed.`,
    }
    return asked(conclude(call, tool, intent.effect, result, scope, about))
  }
  const content =
    late && found
      ? 'Not done: the program stopped before it.'
      : tool
        ? `It is not known whether ${intent.name} happened before the program stopped; it was not done again. Please check.`
        : `${intent.name} is not available any more; whether it happened before the program stopped is not known.`
  scope.record({ type: 'refused', call: call.id, name: intent.name, content, reason: 'unknown-outcome' })
  scope.emit({ type: 'result', call: call.id, name: intent.name, ok: false, content, undoable: false })
  return nobody ? { nobody, what: tool?.description ?? intent.name } : {}
}

function asked(question: string | undefined): { readonly question?: string } {
  return question === undefined ? {} : { question }
}

async function attempt(work: () => Promise<ToolResult | undefined>): Promise<ToolResult | undefined> {
  try {
    return await work()
  } catch {
    return undefined
  }
}
