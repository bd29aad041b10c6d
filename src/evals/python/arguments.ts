import type { Expression, KeywordArgument } from './ast.js'
import type { Parser } from './parser.js'

/**
 * The arguments of a call, the opening bracket already passed. A positional argument may not follow a keyword, an
 * iterable one (`*x`) not a `**x`; a bare generator must stand alone.
 * @throws PyError SyntaxError
 */
export function parseArguments(parser: Parser): { args: Expression[]; keywords: KeywordArgument[] } {
  const args: Expression[] = []
  const keywords: KeywordArgument[] = []
  let unpacked = false
  while (!parser.isOp(')')) {
    if (parser.takeOp('**')) {
      keywords.push({ name: null, value: parser.expression() })
      unpacked = true
    } else if (parser.takeOp('*')) {
      if (unpacked) parser.fail('iterable argument unpacking follows keyword argument unpacking')
      args.push({ kind: 'Starred', value: parser.expression() })
    } else if (parser.token.kind === 'name' && parser.next?.kind === 'op' && parser.next.text === '=') {
      const name = parser.advance().text
      parser.advance()
      keywords.push({ name, value: parser.expression() })
    } else {
      if (keywords.length > 0) parser.fail('positional argument follows keyword argument')
      const value = parser.namedExpression()
      if (parser.atFor()) {
        const alone = args.length === 0
        args.push({ kind: 'GeneratorExp', element: value, generators: parser.generators() })
        if (!alone || !parser.isOp(')')) parser.fail('Generator expression must be parenthesized')
        break
      }
      args.push(value)
    }
    if (!parser.takeOp(',')) break
  }
  parser.expectOp(')')
  return { args, keywords }
}
