import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import { ConnectionError } from '../connections/contract.js'
import type { Implementation } from '../implement.js'
import { asked, failed } from '../result.js'
import { StoreError } from '../store/index.js'
import { sayInstant } from '../time/index.js'
import { text } from '../words/args.js'
import type { CaldavRemote, CallScope } from './caldav-remote.js'
import { GuestsError } from './caldav-write.js'

interface ToolScope extends CallScope {
  readonly notes: string[]
}

/** An answer to the question about guests, or a request that has them told. */
const AGREED =
  /^\W*(?:yes|yeah|yep|sure|ok|okay|please do|do it|go ahead|fine)\b.{0,30}$|\b(?:anyway|(?:tell|invite|notify|inform) (?:him|her|them|everyone|everybody|the guests))\b/i

const addToFirst = (content: string, said: string): string => {
  const [first = '', ...more] = content.split('\n')
  return [`${first} ${said}`, ...more].join('\n')
}

/**
 * Puts the calendar server in front of the event tools: a look at the server first; a result says when it comes from the
 * copy because the server cannot be had, what became of unconfirmed writes, and which entries cannot be read. A
 * reconciliation that the copy cannot answer needs the server, else it stays unknown.
 */
export function overServer(
  remote: CaldavRemote,
  tools: { readonly [name: string]: Implementation },
): { readonly [name: string]: Implementation } {
  const scoped = (args: JsonObject, context: ToolContext): ToolScope => ({
    now: context.now(),
    signal: context.signal,
    tellGuests: text(args, 'people') !== undefined || AGREED.test(context.request),
    notes: [],
  })

  const stale = (error: ConnectionError | StoreError, context: ToolContext): string => {
    const at = remote.account()?.syncedAt
    const since =
      at === undefined
        ? 'Its calendars have not been read yet, so only local ones are shown.'
        : `This is the copy of ${sayInstant(new Date(at), context.timeZone, context.now())}.`
    return `${error.message} ${since}`
  }

  const tell = (
    result: ToolResult,
    scope: ToolScope,
    error: ConnectionError | StoreError | undefined,
    reads: boolean,
    context: ToolContext,
  ): ToolResult => {
    let content = result.content
    for (const note of scope.notes) content = addToFirst(content, note)
    if (result.ok && reads && error !== undefined) content = addToFirst(content, stale(error, context))
    const gaps = reads ? remote.gaps() : ''
    if (result.ok && gaps !== '') content = `${content}\n${gaps}`
    return content === result.content ? result : { ...result, content }
  }

  const within = async (scope: ToolScope, work: () => ToolResult | Promise<ToolResult>): Promise<ToolResult> => {
    try {
      return await remote.scope.run(scope, async () => await work())
    } catch (error) {
      if (error instanceof GuestsError) return asked(error.question)
      if (error instanceof ConnectionError || error instanceof StoreError) return failed(error.message)
      throw error
    }
  }

  const wrap = (impl: Implementation): Implementation => {
    const { preview, revert, reconcile } = impl
    const reads = revert === undefined
    return {
      run: async (args, context) => {
        if (!remote.connected()) return impl.run(args, context)
        const scope = scoped(args, context)
        const error = await remote.refresh(scope)
        return tell(await within(scope, () => impl.run(args, context)), scope, error, reads, context)
      },
      ...(preview
        ? {
            preview: async (args: JsonObject, context: ToolContext) => {
              if (!remote.connected()) return preview(args, context)
              const scope = scoped(args, context)
              await remote.refresh(scope)
              const said = await preview(args, context)
              return typeof said === 'string'
                ? [said, ...scope.notes].join(' ')
                : tell(said, scope, undefined, false, context)
            },
          }
        : {}),
      ...(revert
        ? {
            revert: async (undo: JsonObject, context: ToolContext) => {
              if (!remote.connected()) return revert(undo, context)
              const scope = { ...scoped({}, context), tellGuests: true }
              await remote.refresh(scope)
              return tell(await within(scope, () => revert(undo, context)), scope, undefined, false, context)
            },
          }
        : {}),
      ...(reconcile
        ? {
            reconcile: async (key: string, args: JsonObject, context: ToolContext) => {
              if (!remote.connected()) return reconcile(key, args, context)
              const scope = scoped(args, context)
              const error = await remote.refresh(scope)
              const found = await reconcile(key, args, context)
              // Neither the copy nor the server can say that it did not happen.
              if (found === undefined && error !== undefined) throw error
              return found === undefined || found === 'unknown' ? found : tell(found, scope, undefined, false, context)
            },
          }
        : {}),
    }
  }
  return Object.fromEntries(Object.entries(tools).map(([name, impl]) => [name, wrap(impl)]))
}
