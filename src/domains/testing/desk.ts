import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { JsonObject } from '../../chat/types.js'
import type { Tool, ToolContext, ToolResult } from '../../tools/contract.js'
import { createDomains, type DomainOptions, type Domains } from '../domains.js'

/** A set of tools with a clock that the test moves. */
export interface Desk {
  readonly domains: Domains
  now: Date
  tool(name: string): Tool
  context(key?: string, request?: string): ToolContext
  /** Runs a tool; every call is an effect of its own unless a key is given. */
  call(name: string, args?: JsonObject, how?: { readonly key?: string; readonly request?: string }): Promise<ToolResult>
  /** Takes a result back through its tool. */
  undo(name: string, result: ToolResult): Promise<ToolResult>
}

/** An empty folder that vanishes with the test. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'botpsy-domains-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Tools over a data folder (default in memory) at 22:00 on Monday 30 November 2026 in Budapest. */
export function desk(home = ':memory:', more: Partial<DomainOptions> = {}): Desk {
  const domains = createDomains({ home, ...more })
  onTestFinished(() => domains.close())
  let n = 0
  const self: Desk = {
    domains,
    now: new Date('2026-11-30T21:00:00Z'),
    tool: (name) => {
      const tool = domains.find((t) => t.name === name)
      if (!tool) throw new Error(`no tool ${name}`)
      return tool
    },
    context: (key, request = '') => ({
      now: () => self.now,
      timeZone: 'Europe/Budapest',
      request,
      idempotencyKey: key ?? `call-${++n}`,
    }),
    call: (name, args = {}, how = {}) => self.tool(name).run(args, self.context(how.key, how.request)),
    undo: async (name, result) => {
      const revert = self.tool(name).revert
      if (!revert || !result.undo) throw new Error(`${name} cannot be undone`)
      return revert(result.undo, self.context())
    },
  }
  return self
}
