import {
  CONNECTION_KINDS,
  type ConnectionAdapter,
  checkSettings,
  OwnerConnections,
  probeConnection,
  type SecretPlaces,
} from '../../domains/connections/index.js'
import { type Check, guard, ill, info, well } from './check.js'

/** Everything that is connected, tried at the same time, each within `limitMs`. */
export async function connectionChecks(
  home: string,
  adapters: readonly ConnectionAdapter[],
  places: SecretPlaces,
  limitMs: number,
): Promise<readonly Check[]> {
  const owner = new OwnerConnections(home, places)
  let kept: ReturnType<typeof owner.file.read>
  try {
    kept = owner.file.read()
  } catch (error) {
    return [ill('connections', error instanceof Error ? error.message : String(error), `Mend ${owner.file.path}.`)]
  }
  const problem = owner.credentials.problem()
  const passwords = problem === undefined ? [] : [ill('passwords', problem, 'Then run botpsy doctor again.')]
  const tried = await Promise.all(
    CONNECTION_KINDS.flatMap((kind) => {
      const entry = kept[kind]
      const name = `connection ${kind}`
      if (entry === undefined) return []
      const again = `Run: botpsy connect ${kind}`
      const adapter = adapters.find((a) => a.kind === kind)
      if (adapter === undefined) return [Promise.resolve([ill(name, 'this version cannot use it', again)])]
      const check = async (): Promise<readonly Check[]> => {
        const settings = checkSettings(adapter, entry.settings)
        const connection = owner.connection(kind, { ...entry, settings: settings as typeof entry.settings })
        const found = await probeConnection(adapter, connection, (text) => owner.redact(text), limitMs)
        return found.map(({ ok, text, todo }) => (ok ? well(name, text) : ill(name, text, todo ?? again)))
      }
      return [check().catch(async (error) => [await guard(name, again, () => Promise.reject(error))])]
    }),
  )
  if (tried.length === 0 && passwords.length === 0) return [info('connections', 'none; see: botpsy connect')]
  return [...passwords, ...tried.flat()]
}
