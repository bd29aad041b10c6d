import type { ToolContract } from '../tools/contract.js'

/** Beginnings of questions about how things are. */
const STATE =
  /^(?:is|are|was|were|did|does|has|have|do i|do we|did|when(?:'s| is| are| was| does)|what(?:'s| is| are| was| does)|which|who|whose|where|why|how (?:many|much|long|often|old|far|warm|hot|cold|loud|bright))\b/i

/** Requests that only look like questions: to the assistant, about possibility, or with a request inside. */
const REQUEST =
  /\b(?:you|possible|able|please|okay|ok|time to|let's|lets|mind)\b|\b(?:way|chance|need|want|like|going) to\b|\b(?:and|then|if so|if not|if it|otherwise)\b|[.;!?,:]\s+\S/i

/** "have the lights turned off" asks for something to be done. */
const CAUSATIVE = /^have (?:the|my|all|a|an|some|it|them|someone|somebody)\b/i

/**
 * True when the owner's words are nothing but a question about how things are ("is the light on?", "when is the
 * dentist"), to which no answer changes anything. Cautious: whatever might hold a request is none. English only; in other
 * languages the model alone decides.
 */
export function onlyAsks(request: string): boolean {
  const words = request.trim().replace(/^(?:hey|hi|hello|so|well|and|um|uh)[\s,]+/i, '')
  return STATE.test(words) && !REQUEST.test(words) && !CAUSATIVE.test(words)
}

/**
 * Names of the tools that may be called for a request: those that only look when it only asks, so that a model cannot
 * answer "is the light on?" by switching it. Undefined: all of them.
 *
 * @param tool gives a shown tool's contract
 */
export function callableFor(
  request: string,
  shown: readonly string[],
  tool: (name: string) => ToolContract | undefined,
): readonly string[] | undefined {
  if (!onlyAsks(request)) return undefined
  const looking = shown.filter((name) => {
    try {
      return tool(name)?.effect({}) === 'read'
    } catch {
      return false
    }
  })
  return looking.length > 0 && looking.length < shown.length ? looking : undefined
}
