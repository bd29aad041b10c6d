import type { JsonObject, JsonValue } from '../../chat/types.js'
import type { Tool, ToolContext, ToolResult } from '../../tools/contract.js'
import { asked, failed } from '../result.js'
import { asStoreError, StoreError } from '../store/index.js'
import { text } from '../words/args.js'
import { listWords } from '../words/match.js'
import type { Recall } from './recall.js'
import { ROLES, type Role } from './roles.js'

const HOME = /^(?:(?:my|our|the|at|in) )*(?:home|house|place|home town|hometown|here|town|city)$/i

/** Arguments as the owner means them, or the question that is left. */
export type Resolved = { readonly args: JsonObject } | { readonly question: string }

/** Puts what the memory knows in the place of the owner's names, and fills in what it has for the rest. */
export function resolveArguments(tool: string, args: JsonObject, recall: Recall): Resolved {
  const roles = Object.hasOwn(ROLES, tool) ? ROLES[tool] : undefined
  const out = new Map<string, JsonValue>(Object.entries(args))
  for (const [parameter, role] of Object.entries(roles ?? {})) {
    const said = text(args, parameter)
    const found = said === undefined ? fillIn(role, recall) : resolve(role, said, recall)
    if (found === undefined) continue
    if (typeof found !== 'string') return { question: found.question }
    if (role === 'room') {
      // "Turn on Otto": the model may take the lamp's name for a room's.
      if (text(args, 'device') !== undefined) continue
      out.delete('room')
      out.set('device', found)
    } else out.set(parameter, found)
  }
  return { args: Object.fromEntries(out) }
}

function fillIn(role: Role, recall: Recall): string | undefined {
  if (role === 'town') return recall.town()
  return role === 'start' ? recall.home() : undefined
}

function resolve(role: Role, said: string, recall: Recall): string | { readonly question: string } | undefined {
  if (role === 'people') return resolvePeople(said, recall)
  if (role !== 'device' && role !== 'room' && HOME.test(said)) return role === 'town' ? recall.town() : recall.home()
  return single(said, recall)
}

function single(said: string, recall: Recall): string | { readonly question: string } | undefined {
  const found = recall.meaning(said)
  if (found.kind === 'none') return undefined
  return found.kind === 'one' ? found.meaning : { question: `Which ${said}: ${listWords(found.meanings, 'or')}?` }
}

function resolvePeople(said: string, recall: Recall): string | { readonly question: string } | undefined {
  let changed = false
  const parts: string[] = []
  for (const part of said.split(/\s*(?:,|;|\band\b|&)\s*/i).filter((p) => p !== '')) {
    const found = single(part, recall)
    if (found !== undefined && typeof found !== 'string') return found
    // "Anna, anna@example.org" is one person, not two.
    const person = found?.replace(/[,;:]?\s+<?([^\s<>,;]+@[^\s<>,;]+)>?$/, ' <$1>')
    changed ||= person !== undefined
    parts.push(person ?? part)
  }
  return changed ? parts.join(', ') : undefined
}

/**
 * Tools that understand the owner's names and know the owner's defaults. Checks and previews see what will be done, so
 * that a rule or an approval is about Anna, not about "my boss".
 */
export function withMemory(tools: readonly Tool[], recall: Recall): readonly Tool[] {
  return tools.map((tool) => {
    if (!Object.hasOwn(ROLES, tool.name)) return tool
    const { preview, reconcile, egress } = tool
    const resolved = (args: JsonObject): Resolved | ToolResult => {
      try {
        return resolveArguments(tool.name, args, recall)
      } catch (error) {
        const known = asStoreError(error, 'the memory')
        if (known instanceof StoreError) return failed(known.message)
        throw error
      }
    }
    const knowing = (context: ToolContext): ToolContext => {
      if (tool.name !== 'calendar_free') return context
      const workingHours = recall.workingHours()
      return workingHours === undefined ? context : { ...context, workingHours }
    }
    return {
      ...tool,
      run: async (args, context) => {
        const found = resolved(args)
        if ('ok' in found) return found
        return 'question' in found ? asked(found.question) : tool.run(found.args, knowing(context))
      },
      ...(egress
        ? {
            egress: (args: JsonObject) => {
              const found = resolved(args)
              return egress('args' in found ? found.args : args)
            },
          }
        : {}),
      ...(preview
        ? {
            preview: async (args: JsonObject, context: ToolContext) => {
              const found = resolved(args)
              if ('ok' in found) return found
              return 'question' in found ? asked(found.question) : preview(found.args, knowing(context))
            },
          }
        : {}),
      ...(reconcile
        ? {
            reconcile: async (key: string, args: JsonObject, context: ToolContext) => {
              const found = resolved(args)
              return reconcile(key, 'args' in found ? found.args : args, context)
            },
          }
        : {}),
    }
  })
}
