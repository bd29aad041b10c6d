import { detectDialect } from './dialect.js'
import { JinjaProgram } from './jinja.js'
import { mendTools } from './mend.js'
import type { Dialect, JsonObject, Message, ToolSpec } from './types.js'

/** Options of a chat template that do not stand in its source. */
export interface ChatTemplateOptions {
  /** The call format, where it is not what the source suggests. */
  readonly dialect?: Dialect
  /** Text of the beginning-of-sequence token, for templates that print it. */
  readonly bosToken?: string
  /** Text of the end-of-sequence token, for templates that print it. */
  readonly eosToken?: string
}

/** What is learned of a template by rendering small conversations with it. */
export interface TemplateShape {
  /** A conversation without a user's message is refused. */
  readonly needsUser: boolean
  /** What stands between an assistant's text and the next turn, e.g. `<|im_end|>\n`. */
  readonly turnEnd: string
  /** The end-of-turn token, e.g. `<|im_end|>`; empty when turns have none. */
  readonly endToken: string
  /** Where a user's turn begins, e.g. `<|im_start|>user\n`. */
  readonly userHeader: string
  /** The distinct generation prompts: by default, thinking off, thinking on. The longest stands first. */
  readonly prompts: readonly string[]
  /** What all generation prompts share: where an assistant's turn begins, e.g. `<|im_start|>assistant\n`. */
  readonly header: string
}

/** A chat template ready to render with, and what is known of it. Make one per model and keep it: probing costs renders. */
export class ChatTemplate {
  readonly dialect: Dialect
  /** Control tokens that the source spells, e.g. `<|im_start|>`. */
  readonly controls: readonly string[]
  private readonly program: JinjaProgram
  private readonly fixed: { readonly bos_token: string; readonly eos_token: string }
  private probed: TemplateShape | undefined
  private readonly toolCache = new WeakMap<readonly ToolSpec[], readonly JsonObject[]>()

  /** Throws ChatError `template-syntax` when the source is not Jinja. */
  constructor(
    readonly source: string,
    options: ChatTemplateOptions = {},
  ) {
    this.program = new JinjaProgram(source)
    this.dialect = options.dialect ?? detectDialect(source)
    this.fixed = { bos_token: options.bosToken ?? '', eos_token: options.eosToken ?? '' }
    const spelled = source.match(/<\|[^\s|<>'"]+\|>/g) ?? []
    const extra = [options.bosToken, options.eosToken].filter(
      (token) => token !== undefined && token !== '',
    ) as string[]
    this.controls = [...new Set([...spelled, ...extra])]
  }

  /** The template's own features. */
  get shape(): TemplateShape {
    this.probed ??= probe(this)
    return this.probed
  }

  /**
   * Runs the template over mended messages, without any mending of its own.
   * `think` undefined leaves the choice to the template. Throws ChatError `template-failed`.
   */
  run(
    messages: readonly Message[],
    options: { tools?: readonly ToolSpec[] | undefined; think?: boolean | undefined; prompt?: boolean } = {},
  ): string {
    const tools = options.tools !== undefined && options.tools.length > 0 ? this.wrapped(options.tools) : undefined
    const variables = {
      ...this.fixed,
      messages: messages.map(toTemplateMessage),
      ...(options.think === undefined ? {} : { enable_thinking: options.think }),
      add_generation_prompt: options.prompt === true,
    }
    return this.program.run(variables, tools === undefined ? {} : { tools })
  }

  private wrapped(tools: readonly ToolSpec[]): readonly JsonObject[] {
    let wrapped = this.toolCache.get(tools)
    if (wrapped === undefined) {
      wrapped = mendTools(tools, this.controls)
      this.toolCache.set(tools, wrapped)
    }
    return wrapped
  }
}

/** A message in the form that public templates read. `reasoning_content` is always there: else some templates look for a
 * think block in the visible text, and text that merely mentions one would be taken apart. */
function toTemplateMessage(message: Message): unknown {
  switch (message.role) {
    case 'assistant':
      return {
        role: 'assistant',
        content: message.content,
        reasoning_content: message.reasoning ?? '',
        ...(message.toolCalls.length === 0
          ? {}
          : {
              tool_calls: message.toolCalls.map((call) => ({
                id: call.id,
                type: 'function',
                function: { name: call.name, arguments: call.arguments },
              })),
            }),
      }
    case 'tool':
      return { role: 'tool', content: message.content, name: message.name, tool_call_id: message.callId }
    default:
      return message
  }
}

function probe(template: ChatTemplate): TemplateShape {
  const user = (content: string): Message => ({ role: 'user', content })
  const said = (content: string): Message => ({ role: 'assistant', content, toolCalls: [] })
  const first = 'Quetzal'
  const second = 'Ocelot'
  const third = 'Axolotl'
  const text = template.run([user(first), said(second), user(third), said(second)])
  const afterLast = text.slice(text.lastIndexOf(second) + second.length)
  const secondAt = text.indexOf(second)
  const between = text.slice(secondAt + second.length, text.indexOf(third, secondAt))
  const userHeader = between.startsWith(afterLast) ? between.slice(afterLast.length) : between
  const prompts = generationPrompts(template, user(first))
  // Templates that strip the think block of earlier turns open those turns with less than any generation prompt.
  const beforeSecond = text.slice(text.indexOf(first) + first.length, secondAt)
  const opening = beforeSecond.startsWith(afterLast) ? beforeSecond.slice(afterLast.length) : beforeSecond
  const shared = prompts.reduce((a, b) => a.slice(0, sharedLength(a, b)), prompts[0] ?? opening)
  return {
    needsUser: !succeeds(() => template.run([said(second)])),
    turnEnd: afterLast,
    endToken: afterLast.trim(),
    userHeader,
    prompts,
    header: shared.slice(0, sharedLength(shared, opening)),
  }
}

function generationPrompts(template: ChatTemplate, user: Message): readonly string[] {
  const found = new Set<string>()
  for (const think of [undefined, false, true]) {
    const without = template.run([user], { think })
    const withPrompt = template.run([user], { think, prompt: true })
    if (withPrompt.startsWith(without)) found.add(withPrompt.slice(without.length))
  }
  return [...found].filter((prompt) => prompt !== '').sort((a, b) => b.length - a.length)
}

function succeeds(action: () => unknown): boolean {
  try {
    action()
    return true
  } catch {
    return false
  }
}

/** How many leading UTF-16 units two texts share. */
export function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let n = 0
  while (n < most && a.charCodeAt(n) === b.charCodeAt(n)) n++
  return n
}
