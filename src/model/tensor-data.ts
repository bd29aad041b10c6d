/** Gives a tensor's bytes, in pieces or at once. */
export type TensorData = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array> | Promise<Uint8Array>

/** Writes what `data` gives until it is more than `size` bytes; @returns the bytes that came. */
export async function passOn(
  data: TensorData,
  size: number,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<number> {
  const given = await data()
  let written = 0
  for await (const chunk of given instanceof Uint8Array ? [given] : given) {
    written += chunk.length
    if (written > size) break
    await write(chunk)
  }
  return written
}

/** Says that the source of a tensor gave another number of bytes than its shape asks for. */
export function wrongSize(name: string, written: number, size: number): string {
  return `the source of ${name} gave ${written} bytes or more where ${size} belong`
}
