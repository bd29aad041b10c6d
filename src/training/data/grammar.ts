import type { Draw } from './draw.js'

/** A piece of a rendered request; `parameter` says which argument it is. */
export interface Piece {
  readonly text: string
  readonly parameter?: string
}

/** Named sets of values; entries may use the grammar themselves, without parameters. */
export type Pools = { readonly [name: string]: readonly string[] }

type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'choice'; readonly options: readonly (readonly Node[])[] }
  | { readonly kind: 'slot'; readonly parameter: string; readonly pool: string }

/** A template that the grammar cannot read, or one that names an unknown pool. */
export class GrammarError extends Error {
  override readonly name = 'GrammarError'
  readonly code = 'bad_template'
}

const parsed = new Map<string, readonly Node[]>()

/**
 * Renders a template: `(a|b)` is one of the alternatives, `[a|b]` one of them or nothing, `{parameter}` a value of the
 * pool of that name that becomes an argument, `{parameter:pool}` the same from another pool, `{:pool}` a value that is no
 * argument. Blanks are tidied.
 *
 * @throws GrammarError
 */
export function renderTemplate(template: string, pools: Pools, draw: Draw): Piece[] {
  let nodes = parsed.get(template)
  if (!nodes) {
    nodes = parse(template)
    parsed.set(template, nodes)
  }
  const pieces: Piece[] = []
  emit(nodes, pools, draw, pieces)
  return tidy(pieces)
}

/** The text of rendered pieces. */
export function textOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => piece.text).join('')
}

/** The arguments of rendered pieces; a parameter used twice is joined by a blank. */
export function argumentsOf(pieces: readonly Piece[]): { [parameter: string]: string } {
  const found: { [parameter: string]: string } = {}
  for (const { text, parameter } of pieces) {
    if (parameter === undefined) continue
    found[parameter] = found[parameter] === undefined ? text : `${found[parameter]} ${text}`
  }
  return found
}

function emit(nodes: readonly Node[], pools: Pools, draw: Draw, out: Piece[]): void {
  for (const node of nodes) {
    if (node.kind === 'text') out.push({ text: node.text })
    else if (node.kind === 'choice') emit(draw.pick(node.options), pools, draw, out)
    else {
      const pool = pools[node.pool]
      if (!pool || pool.length === 0) throw new GrammarError(`No pool "${node.pool}".`)
      const text = textOf(renderTemplate(draw.pick(pool), pools, draw)).trim()
      out.push(node.parameter === '' ? { text } : { text, parameter: node.parameter })
    }
  }
}

function tidy(pieces: readonly Piece[]): Piece[] {
  const out: Piece[] = []
  let before = ' '
  for (const piece of pieces) {
    if (piece.parameter !== undefined) {
      out.push(piece)
      before = piece.text.at(-1) ?? before
      continue
    }
    let text = piece.text.replace(/\s+/g, ' ')
    if (before === ' ') text = text.trimStart()
    if (text === '') continue
    const last = out.at(-1)
    if (last && last.parameter === undefined) out[out.length - 1] = { text: last.text + text }
    else out.push({ text })
    before = text.at(-1) ?? before
  }
  const last = out.at(-1)
  if (last && last.parameter === undefined) out[out.length - 1] = { text: last.text.trimEnd() }
  return out.filter((piece) => piece.text !== '')
}

function parse(template: string): Node[] {
  const reader = { at: 0 }
  const options = alternatives(template, reader, '')
  if (reader.at !== template.length) throw new GrammarError(`Unbalanced brackets in "${template}".`)
  return options.length === 1 && options[0] ? [...options[0]] : [{ kind: 'choice', options }]
}

function alternatives(template: string, reader: { at: number }, closing: string): Node[][] {
  const options: Node[][] = []
  let current: Node[] = []
  let text = ''
  const flush = () => {
    if (text !== '') current.push({ kind: 'text', text })
    text = ''
  }
  while (reader.at < template.length) {
    const character = template[reader.at]
    if (character === closing) break
    if ((character === ')' || character === ']') && closing === '') break
    reader.at++
    if (character === '|') {
      flush()
      options.push(current)
      current = []
    } else if (character === '(' || character === '[') {
      flush()
      const inner = alternatives(template, reader, character === '(' ? ')' : ']')
      if (template[reader.at] !== (character === '(' ? ')' : ']')) {
        throw new GrammarError(`Unbalanced brackets in "${template}".`)
      }
      reader.at++
      if (character === '[') inner.push([])
      current.push({ kind: 'choice', options: inner })
    } else if (character === '{') {
      flush()
      const end = template.indexOf('}', reader.at)
      if (end < 0) throw new GrammarError(`Open brace in "${template}".`)
      const [parameter = '', pool = parameter] = template.slice(reader.at, end).split(':')
      current.push({ kind: 'slot', parameter, pool })
      reader.at = end + 1
    } else text += character
  }
  flush()
  options.push(current)
  return options
}
