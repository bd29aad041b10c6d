import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { RequestLine } from './mapping-spans.js'

const schema = z.object({
  text: z.string().min(1),
  intent: z.string().min(1),
  slots: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
})

/** A file of requests that cannot be read. */
export class RequestFileError extends Error {
  override readonly name = 'RequestFileError'
  readonly code = 'request_file'
  constructor(
    readonly file: string,
    /** 1-based line, 0 for the file as a whole. */
    readonly line: number,
    reason: string,
  ) {
    super(
      `${file}${line > 0 ? `:${line}` : ''}: ${reason}. Expected JSON lines {text, intent, slots: [{name, value}]}.`,
    )
  }
}

/** Reads annotated requests, one JSON object a line. @throws RequestFileError */
export async function readRequestLines(file: string): Promise<RequestLine[]> {
  let content: string
  try {
    content = await readFile(file, 'utf8')
  } catch (error) {
    throw new RequestFileError(file, 0, error instanceof Error ? error.message : String(error))
  }
  return content.split('\n').flatMap((text, index) => {
    if (text.trim() === '') return []
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      throw new RequestFileError(file, index + 1, 'not JSON')
    }
    const parsed = schema.safeParse(value)
    if (!parsed.success) {
      const issue = parsed.error.issues[0]
      throw new RequestFileError(file, index + 1, `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not valid'}`)
    }
    return [parsed.data]
  })
}
