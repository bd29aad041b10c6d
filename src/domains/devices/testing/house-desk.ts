import type { JsonObject } from '../../../chat/types.js'
import type { Tool, ToolContext, ToolResult } from '../../../tools/contract.js'
import type { Connections } from '../../connections/index.js'
import { Records } from '../../store/index.js'
import { devicesTools, Plans } from '../index.js'
import type { DeviceLimits } from '../source.js'

/** Device tools over a connected house, with short time limits. */
export interface HouseDesk {
  readonly records: Records
  readonly plans: Plans
  now: Date
  tool(name: string): Tool
  context(key?: string, request?: string): ToolContext
  /** Runs a tool; every call is an effect of its own unless a key is given. */
  call(
    name: string,
    args?: JsonObject,
    how?: { readonly key?: string; readonly request?: string; readonly signal?: AbortSignal },
  ): Promise<ToolResult>
  undo(name: string, result: ToolResult): Promise<ToolResult>
}

/** See {@link HouseDesk}. */
export function houseDesk(
  connections: Connections,
  limits: DeviceLimits = { open: 4000, answer: 700 },
  file = ':memory:',
): HouseDesk {
  const records = new Records(file)
  const tools = devicesTools(records, connections, limits)
  let n = 0
  const self: HouseDesk = {
    records,
    plans: new Plans(records, tools),
    now: new Date('2026-11-30T21:00:00Z'),
    tool: (name) => {
      const tool = tools.find((t) => t.name === name)
      if (!tool) throw new Error(`no tool ${name}`)
      return tool
    },
    context: (key, request = '') => ({
      now: () => self.now,
      timeZone: 'Europe/Budapest',
      request,
      idempotencyKey: key ?? `call-${++n}`,
    }),
    call: (name, args = {}, how = {}) =>
      self
        .tool(name)
        .run(args, { ...self.context(how.key, how.request), ...(how.signal ? { signal: how.signal } : {}) }),
    undo: async (name, result) => {
      const revert = self.tool(name).revert
      if (!revert || !result.undo) throw new Error(`${name} cannot be undone`)
      return revert(result.undo, self.context())
    },
  }
  return self
}
