import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { osKeyring } from '../keyring.js'
import { OwnerConnections } from '../owner-connections.js'

// Started by connections.test.ts inside a D-Bus session with an unlocked keyring.
const home = process.argv[2] ?? ''
const say = (text: string) => process.stdout.write(`${text}\n`)
say(`kept in: ${await new OwnerConnections(home).keep('imap', { host: 'a' }, 'a secret for the ring')}`)
const secret = await new OwnerConnections(home).load([]).find('imap')?.secret()
say(`read: ${secret === 'a secret for the ring' && !existsSync(join(home, 'credentials.json')) ? 'the same' : 'wrong'}`)
const other = join(home, 'other')
mkdirSync(other)
say(`another folder reads: ${(await (await osKeyring(other))?.get('imap')) ?? 'nothing'}`)
await new OwnerConnections(home).drop('imap')
say(`after: ${(await (await osKeyring(home))?.get('imap')) === undefined ? 'gone' : 'still there'}`)
