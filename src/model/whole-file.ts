import { type FileHandle, open, rename, rm } from 'node:fs/promises'

/**
 * Writes a file that appears under its name only when it is complete and on the disk: `fill` writes into a file beside it,
 * which is removed when it throws. Errors pass on as they are.
 */
export async function fillWhole(path: string, fill: (handle: FileHandle) => Promise<void>): Promise<void> {
  const temporary = `${path}.${process.pid}.part`
  const handle = await open(temporary, 'w')
  try {
    await fill(handle)
    await handle.sync()
    await handle.close()
    await rename(temporary, path)
  } catch (cause) {
    await handle.close().catch(() => {})
    await rm(temporary, { force: true })
    throw cause
  }
}

/** Writes a file whole or not at all. Errors of the file system pass on as they are. */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  await fillWhole(path, (handle) => handle.writeFile(content))
}
