import type { JsonObject, JsonValue } from '../../chat/types.js'
import type { Tool, ToolResult } from '../../tools/contract.js'
import type { Connections } from './contract.js'

/**
 * Tools whose results, previews and errors hold no secret of the connections, whatever a server or library echoes.
 * What a tool says goes to the journal and the model; this is the last place before them.
 */
export function withoutSecrets(tools: readonly Tool[], connections: Connections): readonly Tool[] {
  const redact = connections.redact?.bind(connections)
  if (redact === undefined) return tools
  const clean = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return redact(value)
    if (Array.isArray(value)) return value.map(clean)
    if (value !== null && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [redact(name), clean(inner as JsonValue)]))
    return value
  }

  const result = (said: ToolResult): ToolResult => ({
    ...said,
    content: redact(said.content),
    ...(said.question === undefined ? {} : { question: redact(said.question) }),
    ...(said.data === undefined ? {} : { data: clean(said.data) }),
    ...(said.undo === undefined ? {} : { undo: clean(said.undo) as JsonObject }),
    ...(said.untrusted === undefined ? {} : { untrusted: redact(said.untrusted) }),
  })
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Error) {
        error.message = redact(error.message)
        if (error.stack !== undefined) error.stack = redact(error.stack)
      }
      throw error
    }
  }
  return tools.map((tool) => {
    const { preview, revert, reconcile } = tool
    return {
      ...tool,
      run: (args, context) => guarded(async () => result(await tool.run(args, context))),
      ...(preview
        ? {
            preview: (args: JsonObject, context: Parameters<Tool['run']>[1]) =>
              guarded(async () => {
                const said = await preview(args, context)
                return typeof said === 'string' ? redact(said) : result(said)
              }),
          }
        : {}),
      ...(revert
        ? {
            revert: (undo: JsonObject, context: Parameters<Tool['run']>[1]) =>
              guarded(async () => result(await revert(undo, context))),
          }
        : {}),
      ...(reconcile
        ? {
            reconcile: (key: string, args: JsonObject, context: Parameters<Tool['run']>[1]) =>
              guarded(async () => {
                const said = await reconcile(key, args, context)
                return said && result(said)
              }),
          }
        : {}),
    }
  })
}
