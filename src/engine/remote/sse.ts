/** Longest event accepted; an endpoint that sends more in one is broken or hostile. */
const MOST_EVENT = 16 << 20

/**
 * The `data` of each server-sent event of a byte stream, lines of one event joined by newlines; comments and other fields
 * are passed over. A last event without a blank line after it counts too.
 *
 * Source: WHATWG HTML, "Server-sent events", parsing an event stream.
 */
export async function* sseData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  let size = 0
  const take = function* (line: string): Generator<string, void, void> {
    if (line === '') {
      if (data.length > 0) yield data.join('\n')
      data = []
      size = 0
    } else if (line.startsWith('data:')) {
      const value = line.slice(line[5] === ' ' ? 6 : 5)
      size += value.length
      if (size > MOST_EVENT) throw new RangeError('a server-sent event is too long')
      data.push(value)
    }
  }
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true })
    if (rest.length > MOST_EVENT) throw new RangeError('a server-sent event is too long')
    // A carriage return at the very end may be half of CRLF: it waits for the next chunk.
    for (let found = /\r\n|\n|\r(?=[\s\S])/.exec(rest); found !== null; found = /\r\n|\n|\r(?=[\s\S])/.exec(rest)) {
      const line = rest.slice(0, found.index)
      rest = rest.slice(found.index + found[0].length)
      yield* take(line)
    }
  }
  rest += decoder.decode()
  if (rest !== '') yield* take(rest.replace(/\r$/, ''))
  yield* take('')
}
