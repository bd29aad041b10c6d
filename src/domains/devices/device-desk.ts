import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import { ConnectionError } from '../connections/index.js'
import { type Implementation, revertRows } from '../implement.js'
import { done, failed } from '../result.js'
import type { Records } from '../store/index.js'
import { EXAMPLE_HOUSE, House } from './house.js'
import { type Decide, isResult, type Order, type View } from './order.js'
import { markOutside } from './outside.js'
import { nameDevices } from './pick.js'
import { reconcileReal, revertReal, runReal } from './real-order.js'
import { realView } from './real-view.js'
import type { DeviceSession, DeviceSource } from './source.js'

/** Failures of a server as results; the rest stays what it is. */
async function withServer<T extends ToolResult | string>(work: () => Promise<T>): Promise<T | ToolResult> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ConnectionError) return failed(error.message)
    throw error
  }
}

/**
 * Makes device tools run on whatever is there: the example house on records, in one transaction, or real devices over a
 * connection that is opened for the call. Which one is asked anew at every call.
 */
export class DeviceDesk {
  readonly #house: House

  constructor(
    readonly records: Records,
    /** The real devices, if any are connected. */
    readonly source: () => DeviceSource | undefined,
  ) {
    this.#house = new House(records)
  }

  /** The example house as a tool sees it. */
  #example(): View {
    const house = this.#house
    return {
      get devices() {
        return house.all()
      },
      example: true,
      notes: [EXAMPLE_HOUSE],
      name: (list, noun) => nameDevices(list, house.all(), noun),
    }
  }

  /** Opens the real devices for one call, and marks what of their text its result carries. */
  async #withReal(
    source: DeviceSource,
    context: ToolContext,
    work: (session: DeviceSession) => ToolResult | Promise<ToolResult>,
  ): Promise<ToolResult> {
    return withServer(async () => {
      const session = await source.open(context.signal)
      try {
        return markOutside(await work(session), session.devices, context.request, source.title)
      } finally {
        await session.close()
      }
    })
  }

  /** A tool that only looks. */
  looks(look: (args: JsonObject, context: ToolContext, view: View) => ToolResult): Implementation {
    return {
      run: (args, context) => {
        const source = this.source()
        return source === undefined
          ? look(args, context, this.#example())
          : this.#withReal(source, context, (session) => look(args, context, realView(session, context)))
      },
    }
  }

  /** A tool that changes devices: once per key, found again after a crash, taken back where there is an earlier state. */
  acts(tool: string, decide: Decide): Implementation {
    const { records } = this
    return {
      run: (args, context) => {
        const source = this.source()
        if (source === undefined)
          return records.effect(context.idempotencyKey, tool, () => {
            const view = this.#example()
            const decided = decide(args, context, view)
            return isResult(decided) ? decided : this.#setExample(decided, view)
          })
        const before = records.done(context.idempotencyKey)
        if (before) return before
        return this.#withReal(source, context, (session) => runReal(records, session, tool, decide, args, context))
      },
      revert: (undo, context) => {
        if (!('devices' in undo)) return revertRows(records, undo)
        const source = this.source()
        if (source === undefined) return failed('The devices are not connected any more, so it cannot be taken back.')
        return this.#withReal(source, context, (session) => revertReal(records, session, undo, context))
      },
      reconcile: async (key, _args, context) => {
        const known = records.done(key)
        if (known) return known
        return reconcileReal(records, this.source(), key, context)
      },
    }
  }

  /**
   * One implementation for the example house, another for real devices. Effects of either can be taken back and found
   * again whichever of them runs now.
   */
  either(local: Implementation, real: Implementation | undefined): Implementation {
    if (real === undefined) return local
    const reconcile = real.reconcile
    return {
      run: (args, context) => (this.source() === undefined ? local : real).run(args, context),
      ...(real.revert ? { revert: real.revert } : local.revert ? { revert: local.revert } : {}),
      ...(reconcile ? { reconcile } : local.reconcile ? { reconcile: local.reconcile } : {}),
    }
  }

  /** One sentence on what an order would do; for the owner, so with the devices' full names. */
  previews(
    decide: Decide,
    say: (order: Order, view: View) => string,
  ): (args: JsonObject, context: ToolContext) => string | ToolResult | Promise<string | ToolResult> {
    return (args, context) => {
      const source = this.source()
      const preview = (view: View, named: View): string | ToolResult => {
        const decided = decide(args, context, view)
        return isResult(decided) ? decided : say(decided, named)
      }
      if (source === undefined) {
        const view = this.#example()
        return preview(view, view)
      }
      return withServer(async () => {
        const session = await source.open(context.signal)
        try {
          const view = realView(session, context)
          const full = { ...view, name: (list: View['devices'], noun: string) => nameDevices(list, view.devices, noun) }
          const found = preview(view, full)
          return typeof found === 'string' ? found : markOutside(found, session.devices, context.request, source.title)
        } finally {
          await session.close()
        }
      })
    }
  }

  #setExample(order: Order, view: View): ToolResult {
    const after = order.commands.map(({ device, change }) => this.#house.set(device, change))
    order.alongside?.()
    const said = order.say(after)
    return done(said.first, {
      lines: [...view.notes, ...(order.lines ?? [])],
      ...(said.data === undefined ? {} : { data: said.data }),
    })
  }
}
