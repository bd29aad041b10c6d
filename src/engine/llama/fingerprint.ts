import { createHash, type Hash } from 'node:crypto'
import { open } from 'node:fs/promises'

/** Files up to this size are read whole. */
const WHOLE = 32 << 20
/** Larger ones: their first part, where the header and the vocabulary are … */
const HEAD = 4 << 20
/** … and so many pieces of the rest. Any fine-tuning or other quantisation changes nearly every one of them. */
const PIECES = 128
const PIECE = 16 << 10

/**
 * A hash that tells model files apart without reading gigabytes: SHA-256 over size, head and evenly spread pieces of each
 * file, and over `more`. Not a proof of integrity.
 */
export async function fingerprint(files: readonly string[], more: string): Promise<string> {
  const hash = createHash('sha256').update(more)
  for (const path of files) await addFile(hash, path)
  return hash.digest('hex')
}

async function addFile(hash: Hash, path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    hash.update(`\0${size}\0`)
    const add = async (position: number, length: number): Promise<void> => {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position)
      hash.update(buffer.subarray(0, bytesRead))
    }
    if (size <= WHOLE) {
      for (let at = 0; at < size; at += HEAD) await add(at, Math.min(HEAD, size - at))
      return
    }
    await add(0, HEAD)
    for (let i = 0; i < PIECES; i++) await add(HEAD + Math.floor(((size - HEAD - PIECE) * i) / (PIECES - 1)), PIECE)
  } finally {
    await file.close()
  }
}
