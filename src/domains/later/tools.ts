import { z } from 'zod'
import type { ToolContract } from '../../tools/contract.js'

const text = z.string().optional()

/** Things that BotPsy does by itself later. */
export const laterContracts: readonly ToolContract[] = [
  {
    name: 'automation_create',
    field: 'device control',
    description: 'Set up a rule that acts by itself when a time comes, a device changes or mail arrives.',
    parameters: z.object({
      do: text.describe('what to do, as a request'),
      when: text.describe('a time or a repetition'),
      device: text.describe('the device to watch'),
      state: text.describe('the state it gets: on, off, open, closed, locked, unlocked, playing'),
      from: text.describe('the sender of the mail to wait for'),
      tool: text.describe('one fixed tool to call instead of a request'),
      arguments: text.describe('its arguments as JSON'),
    }),
    asks: { do: 'What should happen?' },
    examples: [
      'automatically run good night every day at eleven as an automation',
      'create an automation that switches on the hall light whenever the front door opens',
      'make a rule: when the front door is unlocked, turn on the hall light',
      'whenever an email from anna comes in, add it to my to do list automatically',
      'set up an automation that tells me the weather every morning at seven',
      'new rule if the television goes on dim the living room lights',
    ],
    effect: () => 'write',
  },
  {
    name: 'automation_list',
    field: 'device control',
    description: 'Show the automations and rules that are set up.',
    parameters: z.object({}),
    examples: ['which automations do i have', 'list my automations', 'show the rules that run by themselves'],
    effect: () => 'read',
  },
  {
    name: 'automation_remove',
    field: 'device control',
    description: 'Remove an automation or rule.',
    parameters: z.object({ automation: text }),
    examples: ['delete the automation for the hall light', 'remove automation a2', 'stop that rule from running'],
    effect: () => 'write',
  },
]
