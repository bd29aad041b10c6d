import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'

/** A place that keeps secrets by name. Methods throw plain errors without the secret. */
export interface Keyring {
  get(name: string): Promise<string | undefined>
  set(name: string, secret: string): Promise<void>
  remove(name: string): Promise<void>
}

/** Name under which the secrets stand in the system's keyring. */
const SERVICE = 'BotPsy'

/** A locked keyring asks its owner in a window; nobody may be there. */
const PATIENCE_MS = 30_000

/**
 * The keyring of the operating system (macOS Keychain, Windows Credential Manager, the freedesktop Secret Service) for
 * one data folder; undefined where there is none, such as on a server without a desktop session, or where
 * `BOTPSY_KEYRING` is `off`. The kernel's keyring of Linux is not used: it forgets everything at a restart.
 */
export async function osKeyring(home: string, env: NodeJS.ProcessEnv = process.env): Promise<Keyring | undefined> {
  if (env.BOTPSY_KEYRING === 'off') return undefined
  try {
    const keyring = await keyringOf(home)
    // Reading a name that does not exist tells whether anything is there to ask.
    await keyring.get('probe')
    return keyring
  } catch {
    return undefined
  }
}

async function keyringOf(home: string): Promise<Keyring> {
  const { AsyncEntry } = await import('@napi-rs/keyring')
  const place = createHash('sha256').update(real(home)).digest('hex').slice(0, 12)
  const entry = (name: string) => new AsyncEntry(SERVICE, `${name}@${place}`, { linux: { store: 'secret-service' } })
  const limit = () => AbortSignal.timeout(PATIENCE_MS)
  return {
    get: async (name) => (await entry(name).getPassword(limit())) ?? undefined,
    set: async (name, secret) => entry(name).setPassword(secret, limit()),
    remove: async (name) => {
      await entry(name).deletePassword(limit())
    },
  }
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}
