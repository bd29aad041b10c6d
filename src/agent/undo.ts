import type { ToolContext, ToolResult } from '../tools/contract.js'
import type { ToolRegistry } from '../tools/registry.js'
import type { Journal } from './journal.js'
import type { JournalBody, JournalEntry } from './journal-entry.js'

type Outcome = Extract<JournalBody, { type: 'outcome' }>

/** An effect that can be taken back. */
export interface Undoable {
  /** Number of the outcome in the journal. */
  readonly seq: number
  readonly run: string
  readonly at: number
  readonly name: string
  /** What the tool said it did, first line. */
  readonly said: string
}

/** Effects that can still be taken back, newest first. */
export function undoable(journal: Journal, registry: ToolRegistry, limit = 50): Undoable[] {
  return candidates(journal, registry)
    .slice(0, limit)
    .map(({ seq, run, at, body }) => ({ seq, run, at, name: body.name, said: body.content.split('\n')[0] ?? '' }))
}

/** What an undo needs of the host. */
export interface UndoContext {
  readonly now: () => Date
  readonly timeZone: string
}

/**
 * Takes back the newest effect that can be taken back, or the one of this number. The intention is in the journal before
 * it starts, under a key of its own; after a crash the same undo is tried again, which by contract reverts once.
 * Never throws for a tool's failure.
 */
export async function undo(
  journal: Journal,
  registry: ToolRegistry,
  context: UndoContext,
  seq?: number,
): Promise<{ readonly ok: boolean; readonly content: string; readonly undone?: Undoable }> {
  const found = candidates(journal, registry).find((entry) => seq === undefined || entry.seq === seq)
  if (!found)
    return { ok: false, content: seq === undefined ? 'There is nothing to undo.' : `Entry ${seq} cannot be undone.` }
  const { body, run } = found
  const tool = registry.get(body.name)
  const key = `${run}:undo:${found.seq}`
  journal.append(run, { type: 'undo.intent', target: found.seq, name: body.name, key })
  const toolContext: ToolContext = { ...context, request: '', idempotencyKey: key }
  let result: ToolResult
  try {
    result = (await tool?.revert?.(body.undo ?? {}, toolContext)) ?? { ok: false, content: `${body.name} cannot undo.` }
  } catch (error) {
    result = { ok: false, content: `Undo failed: ${error instanceof Error ? error.message : String(error)}` }
  }
  journal.append(run, { type: 'undo.outcome', target: found.seq, ok: result.ok, content: result.content })
  const undone: Undoable = {
    seq: found.seq,
    run,
    at: found.at,
    name: body.name,
    said: body.content.split('\n')[0] ?? '',
  }
  return { ok: result.ok, content: result.content, undone }
}

function candidates(journal: Journal, registry: ToolRegistry): (JournalEntry & { readonly body: Outcome })[] {
  const undone = new Set(
    journal
      .ofType('undo.outcome', 10_000)
      .flatMap(({ body }) => (body.type === 'undo.outcome' && body.ok ? [body.target] : [])),
  )
  return journal.ofType('outcome', 500).filter((entry): entry is JournalEntry & { readonly body: Outcome } => {
    const { body } = entry
    if (body.type !== 'outcome' || !body.ok || body.undo === undefined || undone.has(entry.seq)) return false
    return registry.get(body.name)?.revert !== undefined
  })
}
