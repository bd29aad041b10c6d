import type { Approver } from '../agent/approval.js'
import type { AgentEvent, RunEnd } from '../agent/events.js'
import type { Engine, Sampling } from '../engine/contract.js'
import { type Owner, ScriptedOwner } from './owner.js'
import type { Scenario } from './scenario.js'

/**
 * An owner whose words a model writes. What is said, when, and what is approved comes from the script; the model only
 * words it, and where its words leave out a word with a capital or a digit of the script's, the script's own are used.
 * Greedy, so that the same run gets the same answers from the same engine.
 */
export class ModelOwner implements Owner {
  readonly opening: string
  readonly approver: Approver
  private readonly script: ScriptedOwner

  constructor(
    scenario: Scenario,
    private readonly engine: Engine,
    private readonly sampling: Sampling = { temperature: 0 },
  ) {
    this.script = new ScriptedOwner(scenario.owner, scenario.approvals)
    this.opening = this.script.opening
    this.approver = this.script.approver
  }

  watch(event: AgentEvent, stop: () => void): void {
    this.script.watch(event, stop)
  }

  async reply(end: RunEnd): Promise<string | undefined> {
    const meant = this.script.reply(end)
    return meant === undefined ? undefined : await this.word(meant, end.text)
  }

  private async word(meant: string, heard: string): Promise<string> {
    let said = ''
    const request = `Your assistant said: "${heard}"\nYou want to say this: "${meant}"\nSay it in your own words, in one sentence, with every name and number. Write only the sentence.`
    for await (const event of this.engine.generate({
      messages: [{ role: 'user', content: request }],
      think: false,
      sampling: this.sampling,
      maxTokens: 80,
    }))
      if (event.type === 'token') said += event.text
    const text = said.replace(/^["\s]+|["\s]+$/g, '')
    const facts = meant.match(/\b(?:\p{Lu}\p{L}+|\p{N}[\p{L}\p{N}:.]*)/gu) ?? []
    return text !== '' && facts.every((fact) => text.toLowerCase().includes(fact.toLowerCase())) ? text : meant
  }
}
