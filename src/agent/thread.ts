import type { AssistantMessage, Message, ToolCall } from '../chat/types.js'
import type { Journal } from './journal.js'
import type { JournalBody, JournalEntry } from './journal-entry.js'
import { Provenance } from './provenance.js'

type Result = Extract<JournalBody, { type: 'outcome' | 'refused' }>

type Item =
  | { readonly kind: 'user'; readonly content: string }
  | { readonly kind: 'assistant'; readonly message: AssistantMessage }

/**
 * A conversation over one or several runs, built only from journal entries: what goes on live and what is read back after
 * a crash is the same by construction.
 */
export class Thread {
  /** Sources of every value so far. */
  readonly provenance = new Provenance()
  /** Names of tools that were called, latest last. */
  readonly tools: string[] = []
  readonly #items: Item[] = []
  readonly #results = new Map<string, Result>()
  /** Arguments of calls as one text, by call id. */
  readonly #arguments = new Map<string, string>()
  #calls = 0
  #question = false
  #request = ''

  constructor(readonly id: string) {}

  /** Reads a thread back from its runs. */
  static load(journal: Journal, id: string): Thread {
    const thread = new Thread(id)
    for (const run of journal.runsOf(id)) thread.replay(journal.entries(run))
    return thread
  }

  /** Applies entries in order. */
  replay(entries: readonly JournalEntry[]): void {
    for (const entry of entries) this.apply(entry.body)
  }

  /** Takes in what happened. Entries that change no conversation are ignored. */
  apply(body: JournalBody): void {
    switch (body.type) {
      case 'run.start':
        this.#items.push({ kind: 'user', content: body.request })
        this.#request = body.request
        this.provenance.add(
          body.requestFrom === undefined
            ? { kind: 'owner', label: 'you', text: body.request, answers: this.#question }
            : { kind: 'untrusted', label: body.requestFrom, text: body.request },
        )
        for (const { label, text } of body.outside ?? []) this.provenance.add({ kind: 'untrusted', label, text })
        break
      case 'assistant':
        // Words of the host take the place of closing words of the model that the owner never saw.
        if (body.byHost && this.lastTurn && this.lastTurn.toolCalls.length === 0) this.#items.pop()
        this.#items.push({
          kind: 'assistant',
          message: {
            role: 'assistant',
            content: body.content,
            toolCalls: body.toolCalls,
            ...(body.reasoning ? { reasoning: body.reasoning } : {}),
          },
        })
        for (const call of body.toolCalls) this.#arguments.set(call.id, Object.values(call.arguments).join(' '))
        this.#calls += body.toolCalls.length
        this.tools.push(...body.toolCalls.map((call) => call.name))
        break
      case 'feedback':
        this.#items.push({ kind: 'user', content: body.content })
        break
      case 'outcome':
        this.#results.set(body.call, body)
        this.provenance.add({
          kind: body.untrusted ? 'untrusted' : 'trusted',
          label: body.outside ?? `the result of ${body.name}`,
          text: body.content,
          about: this.#arguments.get(body.call) ?? '',
        })
        break
      case 'refused':
        this.#results.set(body.call, body)
        if (body.outside) this.provenance.add({ kind: 'untrusted', label: body.outside, text: body.content })
        break
      case 'run.end':
        this.#question = body.status === 'asked'
        break
    }
  }

  /** Id for the next call; unique within the thread and the same again after a resume. */
  nextCallId(offset: number): string {
    return `call_${this.#calls + offset + 1}`
  }

  /** True when the last run ended with a question to the owner. */
  get openQuestion(): boolean {
    return this.#question
  }

  /** The last message of the owner, or of whoever stands for them. */
  get request(): string {
    return this.#request
  }

  /** Result of a call, if it has one. */
  result(call: string): Result | undefined {
    return this.#results.get(call)
  }

  /** The model's last turn, when nothing of the owner or host follows it. */
  get lastTurn(): AssistantMessage | undefined {
    const item = this.#items.at(-1)
    return item?.kind === 'assistant' ? item.message : undefined
  }

  /** Calls of the last turn that have no result yet, in call order. */
  get pending(): ToolCall[] {
    return (this.lastTurn?.toolCalls ?? []).filter((call) => !this.#results.has(call.id))
  }

  /** The conversation as the model sees it, without system text: results stand behind their turn, in call order. */
  messages(shorten: (content: string) => string = (content) => content): Message[] {
    const messages: Message[] = []
    for (const item of this.#items) {
      if (item.kind === 'user') {
        messages.push({ role: 'user', content: item.content })
        continue
      }
      messages.push(item.message)
      for (const call of item.message.toolCalls) {
        const result = this.#results.get(call.id)
        if (!result) continue
        const failed = result.type === 'refused' ? result.question === undefined : !result.ok && !result.question
        messages.push({
          role: 'tool',
          callId: call.id,
          name: call.name,
          content: shorten(result.content),
          ...(failed ? { isError: true } : {}),
        })
      }
    }
    return messages
  }
}
