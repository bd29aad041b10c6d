import { z } from 'zod'
import type { ToolContract } from '../../tools/contract.js'

const text = z.string().optional()

/** Alarms, timers, events, reminders and the clock. */
export const calendarContracts: readonly ToolContract[] = [
  {
    name: 'alarm_set',
    field: 'calendar',
    description: 'Set an alarm or wake-up call.',
    parameters: z.object({ when: text, label: text, repeat: text }),
    asks: { when: 'When should the alarm ring?' },
    effect: () => 'write',
  },
  {
    name: 'alarm_list',
    field: 'calendar',
    description: 'Show the alarms that are set.',
    parameters: z.object({ when: text, label: text }),
    effect: () => 'read',
  },
  {
    name: 'alarm_cancel',
    field: 'calendar',
    description: 'Remove or turn off alarms.',
    parameters: z.object({ when: text, label: text }),
    effect: () => 'write',
  },
  {
    name: 'timer_set',
    field: 'calendar',
    description: 'Start a countdown timer.',
    parameters: z.object({ duration: text, label: text }),
    asks: { duration: 'How long should the timer run?' },
    effect: () => 'write',
  },
  {
    name: 'timer_list',
    field: 'calendar',
    description: 'Show running timers and the time left.',
    parameters: z.object({}),
    effect: () => 'read',
  },
  {
    name: 'timer_cancel',
    field: 'calendar',
    description: 'Stop a running timer.',
    parameters: z.object({ label: text }),
    effect: () => 'write',
  },
  {
    name: 'calendar_create',
    field: 'calendar',
    description: 'Add an event, meeting or reminder to the calendar.',
    parameters: z.object({ title: text, when: text, people: text, place: text, repeat: text }),
    asks: { title: 'What is the event called?', when: 'When is it?' },
    effect: () => 'write',
    egress: (args) => (args.people ? { to: [String(args.people)], what: 'the invitation' } : undefined),
  },
  {
    name: 'calendar_search',
    field: 'calendar',
    description: 'Look up events, meetings and reminders in the calendar.',
    parameters: z.object({ title: text, when: text, people: text, place: text }),
    effect: () => 'read',
  },
  {
    name: 'calendar_move',
    field: 'calendar',
    description: 'Move an event to another time.',
    parameters: z.object({ title: text, when: text, to: text }),
    asks: { to: 'To what time should it move?' },
    effect: () => 'write',
    egress: (args) => (args.people ? { to: [String(args.people)], what: 'the invitation' } : undefined),
  },
  {
    name: 'calendar_cancel',
    field: 'calendar',
    description: 'Delete events, meetings or reminders from the calendar.',
    parameters: z.object({ title: text, when: text, people: text, place: text }),
    effect: () => 'write',
    egress: (args) => (args.people ? { to: [String(args.people)], what: 'the invitation' } : undefined),
  },
  {
    name: 'calendar_free',
    field: 'calendar',
    description: 'Find free time in the calendar.',
    parameters: z.object({ when: text, duration: text }),
    effect: () => 'read',
  },
  {
    name: 'time_get',
    field: 'calendar',
    description: 'Tell the time, the date or the day of the week.',
    parameters: z.object({ place: text, when: text }),
    effect: () => 'read',
  },
  {
    name: 'time_convert',
    field: 'calendar',
    description: 'Convert a time between zones or tell their difference.',
    parameters: z.object({ time: text, from: text, to: text }),
    effect: () => 'read',
  },
]
