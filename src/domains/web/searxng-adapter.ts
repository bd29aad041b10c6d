import type { Connection, ConnectionAdapter, Finding } from '../connections/contract.js'
import { ConnectionError } from '../connections/contract.js'
import { instanceUrl, searchWith, searxngSettings } from './searxng.js'

/** Tries one search, which is all that a SearXNG offers. */
async function probe(connection: Connection, signal?: AbortSignal): Promise<readonly Finding[]> {
  try {
    const { host } = instanceUrl(connection.settings)
    const found = await searchWith(connection, { query: 'encyclopedia' }, { seconds: 9, ...(signal ? { signal } : {}) })
    const count = found.results.length
    const first: Finding =
      count > 0
        ? {
            ok: true,
            text: `The search server ${host} answers: ${count} result${count === 1 ? '' : 's'} for a test search.`,
          }
        : {
            ok: false,
            text: `The search server ${host} answers, but found nothing in a test search.`,
            todo: 'Look at its page "preferences", engines: at least one must be on and reach the internet.',
          }
    const silent: readonly Finding[] =
      found.silent.length === 0
        ? []
        : [
            {
              ok: count > 0,
              text: `Engines that did not answer: ${found.silent.slice(0, 8).join('; ')}.`,
              ...(count > 0 ? {} : { todo: 'Turn them off in its settings.yml, or turn others on.' }),
            },
          ]
    return [first, ...silent]
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error
    const todo =
      error.code === 'unreachable' || error.code === 'timeout' || error.code === 'dropped'
        ? 'Check that the SearXNG runs and that this machine reaches it.'
        : error.code === 'credentials'
          ? 'Connect it again with the right user name and password: botpsy connect searxng.'
          : 'See docs/connect-web.md.'
    return [{ ok: false, text: error.message, todo }]
  }
}

/** A search server of the owner's choice. */
export const searxngAdapter: ConnectionAdapter<typeof searxngSettings> = {
  kind: 'searxng',
  title: 'web search (SearXNG)',
  questions: [
    { name: 'url', prompt: 'Address of the SearXNG', suggest: () => 'http://127.0.0.1:8080' },
    { name: 'user', prompt: 'User name, if it asks for one', optional: true },
    { name: 'secret', prompt: 'Password or token, if it asks for one', secret: true, optional: true },
  ],
  settings: searxngSettings,
  probe,
}
