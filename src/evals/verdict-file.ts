import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { parsePythonJson } from './python/json.js'
import { PyDict } from './python/values.js'

/** A verdict file that cannot be read. */
export class VerdictFileError extends Error {
  override readonly name = 'VerdictFileError'
  readonly code = 'verdict-file'
  constructor(
    readonly file: string,
    /** 1-based line, 0 for the file as a whole. */
    readonly line: number,
    reason: string,
  ) {
    super(
      `${file}${line > 0 ? `:${line}` : ''}: ${reason}. Expected JSON objects, one a line, plain or compressed by gzip.`,
    )
  }
}

/** One recorded candidate with its verdict. The text is parsed when it is asked for, in the way it is asked for. */
export class VerdictLine {
  #plain: Record<string, unknown> | undefined
  #exact: PyDict | undefined

  constructor(
    readonly file: string,
    /** 1-based. */
    readonly number: number,
    readonly text: string,
  ) {}

  /** The object as JavaScript reads it: 5 and 5.0 are the same number. @throws VerdictFileError */
  get plain(): Record<string, unknown> {
    if (this.#plain === undefined) {
      let value: unknown
      try {
        value = JSON.parse(this.text)
      } catch {
        throw new VerdictFileError(this.file, this.number, 'not JSON')
      }
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw new VerdictFileError(this.file, this.number, 'not a JSON object')
      this.#plain = value as Record<string, unknown>
    }
    return this.#plain
  }

  /** The object as Python reads it: an int is a bigint, a float a number, an object a PyDict. @throws VerdictFileError */
  get exact(): PyDict {
    if (this.#exact === undefined) {
      let value: unknown
      try {
        value = parsePythonJson(this.text)
      } catch (error) {
        throw new VerdictFileError(this.file, this.number, error instanceof Error ? error.message : 'not JSON')
      }
      if (!(value instanceof PyDict)) throw new VerdictFileError(this.file, this.number, 'not a JSON object')
      this.#exact = value
    }
    return this.#exact
  }

  /** A member that must be a string. @throws VerdictFileError */
  string(name: string): string {
    const value = this.plain[name]
    if (typeof value !== 'string') throw new VerdictFileError(this.file, this.number, `${name} must be a string`)
    return value
  }

  /** A member that must be true or false. @throws VerdictFileError */
  boolean(name: string): boolean {
    const value = this.plain[name]
    if (typeof value !== 'boolean') throw new VerdictFileError(this.file, this.number, `${name} must be true or false`)
    return value
  }
}

/** The lines of a file of JSON lines, read as a stream; empty lines are left out. @throws VerdictFileError */
export async function* readVerdictLines(file: string): AsyncGenerator<VerdictLine> {
  let number = 0
  let rest = ''
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of await openLines(file)) {
      const parts = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n')
      rest = parts.pop() ?? ''
      for (const text of parts) {
        number += 1
        if (text.trim() !== '') yield new VerdictLine(file, number, text)
      }
    }
    rest += decoder.decode()
  } catch (error) {
    if (error instanceof VerdictFileError) throw error
    throw new VerdictFileError(file, 0, error instanceof Error ? error.message : String(error))
  }
  if (rest.trim() !== '') yield new VerdictLine(file, number + 1, rest)
}

async function openLines(file: string): Promise<Readable> {
  const handle = await open(file)
  const head = Buffer.alloc(2)
  try {
    await handle.read(head, 0, 2, 0)
  } finally {
    await handle.close()
  }
  const source = createReadStream(file)
  if (head[0] !== 0x1f || head[1] !== 0x8b) return source
  // The error reaches the reader through the destroyed stream; the callback only keeps it from being thrown twice.
  return pipeline(source, createGunzip(), () => {})
}
