/**
 * Speed of the incremental parsers, and a fuzz run.
 *
 *   npx tsx bench/parser.ts            MB/s (UTF-8) in 64 KiB and in 4-byte chunks; bars: 50 and 10
 *   npx tsx bench/parser.ts fuzz [N]   N random chunks (default 10 million): throws, slow pushes, phantom calls
 *   --json                             one object as the last line
 *
 * Times are the process's CPU time (garbage collection included), the best of four rounds, so that other work on the
 * machine does not count.
 */
import { createParser, type Dialect, type ParserEvent, type ThinkState, type ToolSpec } from '../src/chat/index.js'
import { seededRandom } from '../src/evals/random.js'

const tools: readonly ToolSpec[] = [
  {
    name: 'write_note',
    description: 'Writes a note.',
    parameters: {
      type: 'object',
      properties: { title: { type: 'string' }, text: { type: 'string' }, pinned: { type: 'boolean' } },
    },
  },
  { name: 'list_notes', description: 'Lists notes.', parameters: { type: 'object', properties: {} } },
]

const sentence =
  'The meeting with Anna moved to 9:30 on Tuesday, so the train at 8:12 is <b>too late</b>; ask Zoltán & Márta. '
const code = '```ts\nfor (let i = 0; i < n; i++) if (a[i] < b) out.push("<" + i)\n```\n'

/** Prose in lines, with a code block now and then, to about `size` characters. */
function prose(size: number): string {
  let text = ''
  for (let i = 0; text.length < size; i++) text += i % 20 === 19 ? code : i % 4 === 3 ? `${sentence}\n\n` : sentence
  return text
}

function qwenCall(size: number): string {
  const value = prose(size).replaceAll('</b>', '</parameter>')
  return `<tool_call>\n<function=write_note>\n<parameter=title>\nNotes\n</parameter>\n<parameter=text>\n${value}\n</parameter>\n<parameter=pinned>\nTrue\n</parameter>\n</function>\n</tool_call>`
}

function hermesCall(size: number): string {
  return `<tool_call>\n${JSON.stringify({ name: 'write_note', arguments: { title: 'Notes', text: prose(size), pinned: true } })}\n</tool_call>`
}

interface Material {
  readonly name: string
  readonly dialect: Dialect
  readonly think: ThinkState
  readonly turns: readonly string[]
}

/** About 8 MB each. */
function materials(): Material[] {
  const many = (count: number, make: () => string) => new Array<string>(count).fill(make())
  const total = 8_000_000
  const short = (call: (size: number) => string) =>
    `${prose(300)}\n\n${Array.from({ length: 3 }, () => call(120)).join('\n')}`
  return [
    { name: 'prose', dialect: 'qwen3.5', think: 'closed', turns: [prose(total)] },
    {
      name: 'reasoning, then prose',
      dialect: 'qwen3.5',
      think: 'open',
      turns: [`${prose(total / 2)}\n</think>\n\n${prose(total / 2)}`],
    },
    { name: 'Qwen3.5, a long argument', dialect: 'qwen3.5', think: 'closed', turns: [qwenCall(total)] },
    {
      name: 'Qwen3.5, short turns with 3 calls',
      dialect: 'qwen3.5',
      think: 'closed',
      turns: many(8000, () => short(qwenCall)),
    },
    { name: 'Hermes, a long argument', dialect: 'hermes', think: 'absent', turns: [hermesCall(total)] },
    {
      name: 'Hermes, short turns with 3 calls',
      dialect: 'hermes',
      think: 'absent',
      turns: many(8000, () => short(hermesCall)),
    },
  ]
}

/** Pieces of at most `bytes` UTF-8 bytes (of one character where a character is longer). */
function chunks(text: string, bytes: number): string[] {
  const out: string[] = []
  let start = 0
  let filled = 0
  for (let i = 0; i < text.length; ) {
    const point = text.codePointAt(i)!
    const width = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
    if (filled + width > bytes && i > start) {
      out.push(text.slice(start, i))
      start = i
      filled = 0
    }
    filled += width
    i += point > 0xffff ? 2 : 1
  }
  if (start < text.length) out.push(text.slice(start))
  return out
}

function measure(material: Material, bytes: number): number {
  const cut = new Map<string, string[]>()
  for (const turn of material.turns) if (!cut.has(turn)) cut.set(turn, chunks(turn, bytes))
  const size = material.turns.reduce((sum, turn) => sum + Buffer.byteLength(turn), 0)
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 4; round++) {
    const from = process.cpuUsage()
    let calls = 0
    for (const turn of material.turns) {
      const parser = createParser(material.dialect, { tools, thinkState: material.think })
      for (const piece of cut.get(turn)!) calls += count(parser.push(piece))
      calls += count(parser.end('end'))
    }
    const expected =
      material.turns.length * (material.turns.length > 1 ? 3 : material.name.includes('argument') ? 1 : 0)
    if (calls !== expected) throw new Error(`${material.name}: ${calls} calls instead of ${expected}`)
    const used = process.cpuUsage(from)
    best = Math.min(best, (used.user + used.system) / 1e3)
  }
  return size / 1e6 / (best / 1e3)
}

function count(events: readonly ParserEvent[]): number {
  let n = 0
  for (const event of events) if (event.type === 'call.end') n++
  return n
}

/** Pieces that formats are made of, whole and broken. */
const pieces = [
  ...[
    '<think>',
    '</think>',
    '<tool_call>',
    '</tool_call>',
    '<function=write_note>',
    '<function=list_notes>',
    '<function=',
  ],
  ...[
    '</function>',
    '<parameter=title>',
    '<parameter=text>',
    '<parameter=',
    '</parameter>',
    '<tool_response>',
    '<|im_end|>',
  ],
  ...[
    '{"name": "list_notes", "arguments": {}}',
    '{"name"',
    '{',
    '}',
    '"',
    '\\',
    '[list_notes()]',
    '<|tool_call_start|>',
  ],
  ...[
    '<|tool_call_end|>',
    '```',
    '```\n',
    '~~~\n',
    '`',
    '> ',
    '\n',
    '\n\n',
    ' ',
    '\t',
    '\r\n',
    '<',
    '>',
    '/',
    '</',
    'word',
    'True',
  ],
  ...['<tool_use>', '</tool_use>', 'é', '🙂', '\ud83d', '\0', "'", '(', ')', '=', ',', '7'],
]

interface FuzzResult {
  readonly chunks: number
  readonly throws: number
  readonly slow: number
  readonly phantoms: number
  readonly calls: number
  readonly seconds: number
}

function fuzz(total: number): FuzzResult {
  const random = seededRandom(20261130)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const result = { chunks: 0, throws: 0, slow: 0, phantoms: 0, calls: 0 }
  const started = performance.now()
  while (result.chunks < total) {
    const dialect = pick<Dialect>(['qwen3.5', 'qwen3.5', 'hermes', 'pythonic', 'plain'])
    const thinkState = pick<ThinkState>(['open', 'closed', 'absent'])
    const parser = createParser(dialect, { tools, thinkState })
    const length = random() < 0.01 ? 2000 : 1 + Math.floor(random() * 60)
    // Now and then whole calls are mixed in, else hardly any call would ever be complete.
    const whole =
      dialect === 'hermes'
        ? hermesCall(5)
        : dialect === 'pythonic'
          ? '<|tool_call_start|>[list_notes()]<|tool_call_end|>'
          : qwenCall(5)
    let text = ''
    const events: ParserEvent[] = []
    const cpu = process.cpuUsage()
    try {
      for (let i = 0; i < length; i++) {
        const roll = random()
        const piece =
          roll < 0.03 ? whole : roll < 0.06 ? whole.slice(0, Math.floor(random() * whole.length)) : pick(pieces)
        const at = random() < 0.2 ? Math.floor(random() * piece.length) : 0
        text += piece
        const from = performance.now()
        if (at > 0) {
          events.push(...parser.push(piece.slice(0, at)))
          result.chunks++
        }
        events.push(...parser.push(piece.slice(at)))
        result.chunks++
        // On a busy machine a push can be slow by the clock alone; only one that computed so long counts.
        if (performance.now() - from > 250 && process.cpuUsage(cpu).user > 250_000) result.slow++
      }
      events.push(...parser.end(random() < 0.5 ? 'end' : 'length'))
    } catch (error) {
      result.throws++
      console.error(error, JSON.stringify(text))
    }
    for (const event of events) {
      if (event.type !== 'call.end') continue
      result.calls++
      if (!isWritten(dialect, text, thinkState, event.call.name)) {
        result.phantoms++
        console.error('phantom', dialect, thinkState, JSON.stringify(text), JSON.stringify(event))
      }
    }
  }
  return { ...result, seconds: (performance.now() - started) / 1000 }
}

/** Judged without the parser: some whole block of this name stands in the text, outside everything that is fenced from its start on. */
function isWritten(dialect: Dialect, text: string, thinkState: ThinkState, name: string): boolean {
  const pattern =
    dialect === 'qwen3.5'
      ? new RegExp(`<function=${name}>\\s*(?:<parameter=[\\s\\S]*?)?</function>\\s*</tool_call>`)
      : dialect === 'hermes'
        ? new RegExp(`"name"\\s*:\\s*"${name}"[\\s\\S]*?\\}\\s*</tool_call>`)
        : dialect === 'pythonic'
          ? new RegExp(`<\\|tool_call_start\\|>[\\s\\S]*?${name}\\s*\\([\\s\\S]*?<\\|tool_call_end\\|>`)
          : /$^/
  if (!pattern.test(text)) return false
  // A fence inside a think block is none in the visible text.
  if (thinkState === 'open' || text.includes('<think>')) return true
  const firstLine = text.trimStart().split('\n', 1)[0]!
  const fence = /^(`{3,})[^`]*$/.exec(firstLine)?.[1]
  return fence === undefined || text.indexOf(fence, text.indexOf(fence) + fence.length) >= 0
}

const json = process.argv.includes('--json')
if (process.argv[2] === 'fuzz') {
  const result = fuzz(Number(process.argv[3] ?? 10_000_000) || 10_000_000)
  console.log(
    `${result.chunks} chunks in ${result.seconds.toFixed(0)} s: ${result.throws} throws, ${result.slow} pushes over 250 ms, ${result.phantoms} phantom calls; ${result.calls} calls read`,
  )
  if (json) console.log(JSON.stringify(result))
  process.exitCode = result.throws + result.phantoms > 0 ? 1 : 0
} else {
  const rows: { name: string; large: number; small: number }[] = []
  for (const material of materials()) {
    const row = { name: material.name, large: measure(material, 65_536), small: measure(material, 4) }
    rows.push(row)
    console.log(
      `${row.name.padEnd(36)} ${row.large.toFixed(0).padStart(6)} MB/s in 64 KiB ${row.small.toFixed(1).padStart(8)} MB/s in 4 bytes`,
    )
  }
  const least = (pick: (row: (typeof rows)[number]) => number) => Math.min(...rows.map(pick))
  console.log(
    `least: ${least((row) => row.large).toFixed(0)} MB/s (bar 50), ${least((row) => row.small).toFixed(1)} MB/s (bar 10)`,
  )
  if (json) console.log(JSON.stringify({ rows, large: least((row) => row.large), small: least((row) => row.small) }))
}
