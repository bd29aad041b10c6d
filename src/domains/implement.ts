import type { JsonObject } from '../chat/types.js'
import type { Tool, ToolContext, ToolContract, ToolResult } from '../tools/contract.js'
import { ConnectionError } from './connections/contract.js'
import { done, failed } from './result.js'
import { asStoreError, type Records, StoreError } from './store/index.js'

/** What makes a contract run. */
export interface Implementation {
  run(args: JsonObject, context: ToolContext): ToolResult | Promise<ToolResult>
  /** One sentence on what `run` would do now, or the question or failure that it would end in. */
  preview?(args: JsonObject, context: ToolContext): string | ToolResult | Promise<string | ToolResult>
  /** Addresses to which `run` would send, when they can be told. */
  recipients?(
    args: JsonObject,
    context: ToolContext,
  ): readonly string[] | undefined | Promise<readonly string[] | undefined>
  revert?(undo: JsonObject, context: ToolContext): ToolResult | Promise<ToolResult>
  /** Undefined: it did not happen. `unknown`: a server may or may not have done it, and the owner decides. */
  reconcile?(
    key: string,
    args: JsonObject,
    context: ToolContext,
  ): ToolResult | undefined | 'unknown' | Promise<ToolResult | undefined | 'unknown'>
}

/** A failure of a store or server as a result; anything else is a defect and stays an error. */
function asResult(error: unknown): ToolResult {
  if (error instanceof ConnectionError) return failed(error.message)
  const known = asStoreError(error, 'the data folder')
  if (known instanceof StoreError) return failed(known.message)
  throw error
}

/**
 * Joins contracts with their implementations by name.
 * @throws {Error} when a contract has no implementation, or an implementation no contract: a defect of the build.
 */
export function implement(
  contracts: readonly ToolContract[],
  implementations: { readonly [name: string]: Implementation },
): readonly Tool[] {
  const unknown = Object.keys(implementations).filter((name) => !contracts.some((c) => c.name === name))
  if (unknown.length > 0) throw new Error(`No contract for ${unknown.join(', ')}`)
  return contracts.map((contract) => {
    const impl = Object.hasOwn(implementations, contract.name) ? implementations[contract.name] : undefined
    if (impl === undefined) throw new Error(`No implementation of ${contract.name}`)
    const { preview, recipients, revert, reconcile } = impl
    return {
      ...contract,
      run: async (args, context) => {
        try {
          context.signal?.throwIfAborted()
          return await impl.run(args, context)
        } catch (error) {
          return asResult(error)
        }
      },
      ...(preview
        ? {
            preview: async (args: JsonObject, context: ToolContext) => {
              try {
                return await preview(args, context)
              } catch (error) {
                return asResult(error)
              }
            },
          }
        : {}),
      // What cannot be told is no failure: the names as they were said count then.
      ...(recipients
        ? { recipients: async (args: JsonObject, context: ToolContext) => recipients(args, context) }
        : {}),
      ...(revert
        ? {
            revert: async (undo: JsonObject, context: ToolContext) => {
              try {
                return await revert(undo, context)
              } catch (error) {
                return asResult(error)
              }
            },
          }
        : {}),
      ...(reconcile
        ? {
            reconcile: async (key: string, args: JsonObject, context: ToolContext) => {
              try {
                const past = await reconcile(key, args, context)
                return past === 'unknown' ? undefined : (past ?? failed('That did not happen.'))
              } catch (error) {
                // A store or server that cannot be read leaves it unknown.
                asResult(error)
                return undefined
              }
            },
          }
        : {}),
    }
  })
}

/** A read over records or anything else. */
export function reads(run: Implementation['run']): Implementation {
  return { run }
}

/** An effect on records: once per key, atomic, found again after a crash, taken back row by row. */
export function writes(
  records: Records,
  tool: string,
  run: (args: JsonObject, context: ToolContext) => ToolResult,
): Implementation {
  return {
    run: (args, context) => records.effect(context.idempotencyKey, tool, () => run(args, context)),
    revert: (undo) => revertRows(records, undo),
    reconcile: (key) => records.done(key),
  }
}

/** Takes back what {@link Records.effect} reported. */
export function revertRows(records: Records, undo: JsonObject): ToolResult {
  const outcome = records.revert(undo)
  if (outcome === 'changed') return failed('That cannot be taken back, because it was changed again since.')
  return done(outcome === 'already' ? 'That was taken back already.' : 'Done, that is taken back.')
}
