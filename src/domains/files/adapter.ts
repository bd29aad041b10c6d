import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import type { ConnectionAdapter, Connections, Finding } from '../connections/contract.js'
import { isOwnFolder } from './own-folders.js'

const settings = z.object({
  /** Absolute path; `~` stands for the owner's home folder when it is asked for. */
  folder: z
    .string()
    .min(1)
    .transform((path) => (/^~(?=$|[/\\])/.test(path) ? join(homedir(), path.slice(1)) : path))
    .refine((path) => isAbsolute(path), 'give the whole path of the folder, from the root on'),
})

/** The folder that is connected instead of `files` in the data folder; undefined when none is. */
export function connectedFolder(connections: Connections | undefined): string | undefined {
  const folder = connections?.find('files')?.settings.folder
  return typeof folder === 'string' ? folder : undefined
}

/** Another folder of this machine for the file tools. It is looked at, never written to, when it is tried. */
export const filesAdapter: ConnectionAdapter<typeof settings> = {
  kind: 'files',
  title: 'files folder',
  questions: [{ name: 'folder', prompt: 'Which folder should the file tools work in?' }],
  settings,
  probe: async (connection) => [await look(String(connection.settings.folder ?? ''), connection.home)],
}

async function look(folder: string, home: string | undefined): Promise<Finding> {
  const bad = (text: string, todo: string): Finding => ({ ok: false, text, todo })
  if (home !== undefined && isOwnFolder(folder, home))
    return bad(`${folder} holds BotPsy's own data`, 'Choose another folder.')
  try {
    // A path that ends in a separator exists only as a folder.
    await access(join(folder, '.'), constants.R_OK | constants.X_OK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ENOENT') return bad(`${folder} is not there`, 'Make the folder, or connect the drive that it is on.')
    if (code === 'ENOTDIR') return bad(`${folder} is no folder`, 'Choose a folder.')
    return bad(`${folder} cannot be read (${code})`, 'Change its rights, or choose another folder.')
  }
  try {
    await access(folder, constants.W_OK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return bad(
      `${folder} can be read but not written${code === 'EROFS' ? ', because its disk is read-only' : ''}`,
      'Make it writable, or choose another folder.',
    )
  }
  const { bavail, bsize } = await statfs(folder)
  return { ok: true, text: `${folder} can be read and written, with ${Math.floor((bavail * bsize) / 1048576)} MB free` }
}
