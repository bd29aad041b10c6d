import type { JsonObject } from '../../chat/types.js'

/** One call that the scripted model of the kill tests makes. */
export interface PlannedCall {
  readonly name: string
  readonly args: JsonObject
}

/** Text that came from outside in every run of the kill tests; the last calls of the local plan carry it. */
export const OUTSIDE = 'The gate code of the allotment garden changed to 88412 on Monday.'

const call = (name: string, args: JsonObject): PlannedCall => ({ name, args })

/**
 * Calls over every local store with an effect. No two are alike, and what each leaves can be told from the others; louder
 * by ten and a longer file tell a repetition that a switch would hide. The last ones read outside text and keep it.
 */
export const LOCAL_PLAN: readonly PlannedCall[] = [
  call('file_write', { path: 'first.txt', text: 'written once' }),
  call('file_append', { path: 'log.txt', text: 'line one\n' }),
  call('file_move', { path: 'first.txt', to: 'moved.txt' }),
  call('file_append', { path: 'log.txt', text: 'line two\n' }),
  call('file_trash', { path: 'moved.txt' }),
  call('list_add', { list: 'things', item: 'kept thing' }),
  call('list_add', { list: 'things', item: 'gone thing' }),
  call('list_remove', { list: 'things', item: 'gone thing' }),
  call('calendar_create', { title: 'dentist', when: 'tomorrow at nine' }),
  call('calendar_move', { title: 'dentist', to: 'tomorrow at ten' }),
  call('calendar_create', { title: 'cinema', when: 'tomorrow at eight pm' }),
  call('calendar_cancel', { title: 'cinema' }),
  call('alarm_set', { when: 'tomorrow at 6:01', label: 'early' }),
  call('alarm_set', { when: 'tomorrow at 6:31', label: 'late' }),
  call('timer_set', { duration: '20 minutes', label: 'tea' }),
  call('email_draft', { to: 'a@example.org', subject: 'draft', text: 'in the drafts' }),
  call('email_send', { to: 'a@example.org', subject: 'outgoing', text: 'in the outbox' }),
  call('contact_add', { name: 'Person Eight', detail: 'eight@example.org' }),
  call('social_post', { text: 'a post that waits' }),
  call('memory_tell', { fact: 'the spare key is in the shed' }),
  call('note_add', { text: 'a note of the owner about gardening' }),
  call('expense_add', { amount: '11 euro', what: 'bread' }),
  call('ticket_create', { customer: 'Smith', problem: 'the printer broke' }),
  call('hours_log', { project: 'website', hours: '3' }),
  call('takeaway_order', { food: 'pizza', from: 'Roma' }),
  call('restaurant_book', { restaurant: 'Adria', when: 'tomorrow at 7 pm', people: '2' }),
  call('ticket_book', { mode: 'train', from: 'Budapest', to: 'Vienna', when: 'tomorrow at nine' }),
  call('taxi_book', { from: 'home', to: 'the airport', when: 'tomorrow at nine' }),
  call('book_rate', { title: 'Emma', rating: '4' }),
  call('volume_adjust', { direction: 'up', amount: '10' }),
  call('light_switch', { state: 'on', room: 'kitchen' }),
  call('thermostat_set', { temperature: '21' }),
  call('lock_set', { state: 'lock', door: 'front door' }),
  call('playlist_add', { song: 'Yesterday', playlist: 'evening' }),
  call('list_add', { list: 'things', item: 'last thing' }),
  call('page_read', {}),
  call('note_add', { text: OUTSIDE }),
  call('list_add', { list: 'codes', item: 'gate 88412' }),
]

/** Calls of the local plan that are taken back after the request. */
export const TAKEN_BACK: readonly string[] = [
  'expense_add',
  'contact_add',
  'hours_log',
  'calendar_create',
  'light_switch',
]

/** Calls to servers, `rounds` of each kind: an event on CalDAV, a message by SMTP, a command over MQTT. */
export function serverPlan(rounds: number): readonly PlannedCall[] {
  return Array.from({ length: rounds }, (_, n) => [
    call('calendar_create', { title: `visit ${n + 1}x`, when: 'tomorrow at nine' }),
    call('email_send', { to: 'anna@example.com', subject: `letter ${n + 1}x`, text: 'Hello.' }),
    call('plug_switch', { state: 'on', device: `heater ${WORDS[n % WORDS.length]}` }),
  ]).flat()
}

/** Names that tell the plugs of {@link serverPlan} apart. */
export const WORDS = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel'] as const
