/** One entry of a folder. */
export interface Entry {
  /** Path from the root with forward slashes. */
  readonly path: string
  readonly kind: 'file' | 'folder'
  /** Bytes; 0 for folders. */
  readonly size: number
  /** Last change, milliseconds since 1970. */
  readonly modified: number
}

/**
 * Files below one root. Paths are relative with forward slashes; every implementation refuses what leads outside.
 * All methods throw {@link StoreError}.
 */
export interface Folder {
  /** Whether it could be changed at all is only known when it is tried. */
  read(path: string): Uint8Array | undefined
  /** Replaces the whole file or leaves it untouched; missing folders are made. */
  write(path: string, data: Uint8Array): void
  /** Removes a file; nothing happens when it is missing. */
  remove(path: string): void
  /** Renames a file or folder; fails when the target exists. */
  move(from: string, to: string): void
  /** Entries directly in a folder, sorted by path; empty when it is missing. */
  list(path: string): readonly Entry[]
  stat(path: string): Entry | undefined
  /** Runs `work` while no other process or call changes this folder through its lock. */
  locked<T>(work: () => T | Promise<T>): Promise<T>
}

/** Reads a file as UTF-8 text, undefined when it is missing. */
export function readText(folder: Folder, path: string): string | undefined {
  const bytes = folder.read(path)
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes)
}

/** Writes UTF-8 text. */
export function writeText(folder: Folder, path: string, text: string): void {
  folder.write(path, new TextEncoder().encode(text))
}

/** Every file below a folder, depth first, at most `limit`. */
export function walk(folder: Folder, path = '', limit = 10_000): readonly Entry[] {
  const out: Entry[] = []
  const visit = (at: string): void => {
    for (const entry of folder.list(at)) {
      if (out.length >= limit) return
      if (entry.kind === 'file') out.push(entry)
      else visit(entry.path)
    }
  }
  visit(path)
  return out
}
