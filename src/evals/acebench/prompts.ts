import type { Message } from '../../chat/types.js'
import { pyRepr } from '../python/repr.js'
import {
  PHONE_OWNER,
  PHONE_RULES,
  STEP_SYSTEM,
  STEP_USER,
  TRAVEL_CUSTOMER,
  TRAVEL_RULES,
  TURN_SYSTEM,
  TURN_USER,
} from './agent-prompt-texts.js'
import type { AceBenchCase } from './cases.js'
import { NORMAL_SYSTEM, PREFERENCE_SYSTEM, QUESTION, SPECIAL_SYSTEM } from './prompt-texts.js'

/**
 * What a model is asked in a normal_* or special_* case; documents stand in the system prompt as Python writes a list of
 * dicts. Source: single_turn_inference of ACEBench.
 */
export function textPrompt(one: AceBenchCase): Message[] {
  const template = one.category.startsWith('special')
    ? SPECIAL_SYSTEM
    : one.category.includes('preference')
      ? PREFERENCE_SYSTEM
      : NORMAL_SYSTEM
  const values = { time: one.text('time'), profile: one.text('profile'), function: pyRepr(one.functions) }
  return conversation(filled(template, values), filled(QUESTION, { question: one.text('question') }))
}

/** What the agent is asked in agent_multi_step. Source: CommonAgent_Step of ACEBench. */
export function stepPrompt(one: AceBenchCase, history: string): Message[] {
  return conversation(STEP_SYSTEM, filled(STEP_USER, { functions: pyRepr(one.functions), history }))
}

/** What the agent is asked in agent_multi_turn; the rules are those of the case's domain. Source: CommonAgent of ACEBench. */
export function turnPrompt(one: AceBenchCase, history: string): Message[] {
  const { classes } = one.setup
  const travel = classes.includes('Travel') ? TRAVEL_RULES : ''
  const phone = classes.includes('BaseApi') ? PHONE_RULES : ''
  return conversation(
    `${TURN_SYSTEM}${travel}${phone}`,
    filled(TURN_USER, { functions: pyRepr(one.functions), history }),
  )
}

/** System prompt of the model that plays the user in agent_multi_turn. Source: APIUSER of ACEBench. */
export function userPrompt(one: AceBenchCase): string {
  const template = one.setup.classes.includes('BaseApi') ? PHONE_OWNER : TRAVEL_CUSTOMER
  return filled(template, { instruction: one.text('question') })
}

function conversation(system: string, user: string): Message[] {
  return [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ]
}

/** `template.format(**values)` for templates whose only braces are places; braces within values stay. */
function filled(template: string, values: { readonly [name: string]: string }): string {
  return template.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)
}
