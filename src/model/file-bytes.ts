import type { FileHandle } from 'node:fs/promises'

/** Writes all of `bytes` where the handle stands. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at, bytes.length - at)).bytesWritten
}

/** `length` bytes from `position` on; undefined when the file ends before. */
export async function readRange(handle: FileHandle, position: number, length: number): Promise<Buffer | undefined> {
  const buffer = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled)
    if (bytesRead === 0) return undefined
    filled += bytesRead
  }
  return buffer
}
