import { z } from 'zod'
import type { JsonObject, JsonValue } from '../../chat/types.js'
import type { Effect, Field, ToolContract } from '../../tools/contract.js'

/** The suites of AgentDojo whose tools are declared here. */
export const AGENTDOJO_SUITES = ['workspace', 'banking', 'slack', 'travel'] as const

/** One of the suites of AgentDojo. */
export type AgentDojoSuite = (typeof AGENTDOJO_SUITES)[number]

/** Models wrote numbers where text is documented and the other way round; the recorded environment took both. */
const text = z.union([z.string(), z.number()])
const textOrNone = text.nullish()
const number = z.union([z.number(), z.string()])
const yesNo = z.union([z.boolean(), z.string()])
const list = z.union([z.array(text), z.string()])
const listOrNone = list.nullish()

/** What is documented of one recorded tool, as the host needs it. */
interface Row {
  readonly field: Field
  readonly description: string
  readonly parameters?: { readonly [name: string]: z.ZodType }
  /** Default: it only looks. */
  readonly effect?: Effect
  /** Parameters that name who gets something, or those with which something leaves; none: nothing leaves. */
  readonly leavesTo?: readonly string[]
  /** Recipients that are the same for every call. */
  readonly leavesAlways?: string
  readonly what?: string
  /** True when what it returns holds text that others may have written. */
  readonly outside?: true
}

/**
 * The tools by what AgentDojo's documentation says that they do (ethz-spylab/agentdojo, MIT, default suites v1 to v1.2).
 * A change counts as one that cannot be undone where no tool takes it back and the old value is not kept: payments,
 * messages, bookings, deletions, passwords. Something leaves where the documentation says that others are told (event
 * participants get a mail), where others gain access (sharing, channels), or where an address of the web is asked for.
 * A result is outside text where any of it may come from others: mails, events, files, transactions with their subjects,
 * channels and their messages, web pages, what booking services say of their hotels. The owner's own account data
 * (balance, account number, personal data, standing orders, today's date) is not.
 */
const MAIL: { readonly [name: string]: Row } = {
  send_email: {
    field: 'messaging',
    description: 'Send an email with subject and body to recipients.',
    parameters: {
      recipients: list,
      subject: textOrNone,
      body: textOrNone,
      attachments: z.unknown().optional(),
      cc: listOrNone,
      bcc: listOrNone,
    },
    effect: 'irreversible',
    leavesTo: ['recipients', 'cc', 'bcc'],
    what: 'the email with its attachments',
  },
  delete_email: {
    field: 'messaging',
    description: 'Delete an email from the inbox.',
    parameters: { email_id: text },
    effect: 'irreversible',
  },
  get_unread_emails: { field: 'messaging', description: 'Show all unread emails.', outside: true },
  get_sent_emails: { field: 'messaging', description: 'Show all sent emails.', outside: true },
  get_received_emails: { field: 'messaging', description: 'Show all received emails.', outside: true },
  get_draft_emails: { field: 'messaging', description: 'Show all draft emails.', outside: true },
  search_emails: {
    field: 'messaging',
    description: 'Search emails by words in subject or body, and by sender.',
    parameters: { query: textOrNone, sender: textOrNone },
    outside: true,
  },
  search_contacts_by_name: {
    field: 'messaging',
    description: 'Find contacts of the mailbox by name.',
    parameters: { query: text },
    outside: true,
  },
  search_contacts_by_email: {
    field: 'messaging',
    description: 'Find contacts of the mailbox by email address.',
    parameters: { query: text },
    outside: true,
  },
}

const CALENDAR: { readonly [name: string]: Row } = {
  get_current_day: { field: 'calendar', description: "Tell today's date." },
  get_day_calendar_events: {
    field: 'calendar',
    description: 'Show the appointments of a day.',
    parameters: { day: text },
    outside: true,
  },
  search_calendar_events: {
    field: 'calendar',
    description: 'Search calendar events by words in title or description, and by date.',
    parameters: { query: textOrNone, date: textOrNone },
    outside: true,
  },
  create_calendar_event: {
    field: 'calendar',
    description: 'Create a calendar event; participants get an email about it.',
    parameters: {
      title: text,
      start_time: text,
      end_time: text,
      description: textOrNone,
      participants: listOrNone,
      location: textOrNone,
    },
    effect: 'write',
    leavesTo: ['participants'],
    what: 'the invitation',
  },
  cancel_calendar_event: {
    field: 'calendar',
    description: 'Cancel a calendar event; participants get an email about it.',
    parameters: { event_id: text },
    effect: 'irreversible',
    leavesAlways: 'the participants of the event',
    what: 'the cancellation',
  },
  reschedule_calendar_event: {
    field: 'calendar',
    description: 'Move a calendar event to another time; participants get an email about it.',
    parameters: { event_id: text, new_start_time: text, new_end_time: textOrNone },
    effect: 'write',
    leavesAlways: 'the participants of the event',
    what: 'the new time',
    outside: true,
  },
  add_calendar_event_participants: {
    field: 'calendar',
    description: 'Add participants to a calendar event; they get an email about it.',
    parameters: { event_id: text, participants: list },
    effect: 'write',
    leavesTo: ['participants'],
    what: 'the invitation',
    outside: true,
  },
}

const DRIVE: { readonly [name: string]: Row } = {
  append_to_file: {
    field: 'files',
    description: 'Append text to a file of the cloud drive.',
    parameters: { file_id: text, content: text },
    effect: 'write',
    outside: true,
  },
  search_files_by_filename: {
    field: 'files',
    description: 'Get files of the cloud drive by file name, with their content.',
    parameters: { filename: text },
    outside: true,
  },
  create_file: {
    field: 'files',
    description: 'Create a new file with content in the cloud drive.',
    parameters: { filename: text, content: text },
    effect: 'write',
  },
  delete_file: {
    field: 'files',
    description: 'Delete a file from the cloud drive.',
    parameters: { file_id: text },
    effect: 'irreversible',
    outside: true,
  },
  get_file_by_id: {
    field: 'files',
    description: 'Get a file of the cloud drive by its ID.',
    parameters: { file_id: text },
    outside: true,
  },
  list_files: { field: 'files', description: 'List all files of the cloud drive.', outside: true },
  share_file: {
    field: 'files',
    description: 'Share a file of the cloud drive with somebody.',
    parameters: { file_id: text, email: text, permission: text },
    effect: 'write',
    leavesTo: ['email'],
    what: 'the file',
    outside: true,
  },
  search_files: {
    field: 'files',
    description: 'Search the content of files of the cloud drive.',
    parameters: { query: text },
    outside: true,
  },
}

const BANKING: { readonly [name: string]: Row } = {
  get_iban: { field: 'finance', description: 'Tell the IBAN of the bank account.' },
  get_balance: { field: 'finance', description: 'Tell the balance of the bank account.' },
  get_most_recent_transactions: {
    field: 'finance',
    description: 'List the most recent transactions.',
    parameters: { n: number.nullish() },
    outside: true,
  },
  get_scheduled_transactions: { field: 'finance', description: 'List the scheduled transactions.' },
  send_money: {
    field: 'finance',
    description: 'Send money to an IBAN.',
    parameters: { recipient: text, amount: number, subject: textOrNone, date: textOrNone },
    effect: 'irreversible',
    leavesTo: ['recipient'],
    what: 'the money and the subject',
  },
  schedule_transaction: {
    field: 'finance',
    description: 'Schedule a transaction, once or recurring.',
    parameters: { recipient: text, amount: number, subject: textOrNone, date: text, recurring: yesNo.nullish() },
    effect: 'irreversible',
    leavesTo: ['recipient'],
    what: 'the money and the subject',
  },
  update_scheduled_transaction: {
    field: 'finance',
    description: 'Change recipient, amount, subject, date or recurrence of a scheduled transaction.',
    parameters: {
      id: number,
      recipient: textOrNone,
      amount: number.nullish(),
      subject: textOrNone,
      date: textOrNone,
      recurring: yesNo.nullish(),
    },
    effect: 'irreversible',
    leavesAlways: 'the recipient of the transaction',
    what: 'the money and the subject',
  },
  read_file: {
    field: 'files',
    description: 'Read the content of a file.',
    parameters: { file_path: text },
    outside: true,
  },
  get_user_info: { field: 'finance', description: 'Tell the personal data of the account.' },
  update_password: {
    field: 'finance',
    description: 'Change the password of the account.',
    parameters: { password: text },
    effect: 'irreversible',
  },
  update_user_info: {
    field: 'finance',
    description: 'Change name, street or city of the account.',
    parameters: { first_name: textOrNone, last_name: textOrNone, street: textOrNone, city: textOrNone },
    effect: 'write',
  },
}

const SLACK: { readonly [name: string]: Row } = {
  get_channels: { field: 'messaging', description: 'List the channels of Slack.', outside: true },
  get_users_in_channel: {
    field: 'messaging',
    description: 'List the users in a channel.',
    parameters: { channel: text },
    outside: true,
  },
  read_channel_messages: {
    field: 'messaging',
    description: 'Read the messages of a channel.',
    parameters: { channel: text },
    outside: true,
  },
  read_inbox: {
    field: 'messaging',
    description: 'Read the direct messages in the inbox of a user.',
    parameters: { user: text },
    outside: true,
  },
  add_user_to_channel: {
    field: 'messaging',
    description: 'Add a user to a channel.',
    parameters: { user: text, channel: text },
    effect: 'write',
    leavesTo: ['user'],
    what: 'the messages of the channel',
  },
  send_direct_message: {
    field: 'messaging',
    description: 'Send a direct message to a user.',
    parameters: { recipient: text, body: text },
    effect: 'irreversible',
    leavesTo: ['recipient'],
    what: 'the message',
  },
  send_channel_message: {
    field: 'messaging',
    description: 'Send a message to a channel.',
    parameters: { channel: text, body: text },
    effect: 'irreversible',
    leavesTo: ['channel'],
    what: 'the message',
  },
  invite_user_to_slack: {
    field: 'messaging',
    description: 'Invite a user to the Slack workspace by email.',
    parameters: { user: text, user_email: text },
    effect: 'irreversible',
    leavesTo: ['user_email'],
    what: 'the invitation, and access to the workspace',
  },
  remove_user_from_slack: {
    field: 'messaging',
    description: 'Remove a user from the Slack workspace.',
    parameters: { user: text },
    effect: 'irreversible',
  },
  get_webpage: {
    field: 'web search',
    description: 'Read the content of a web page or website.',
    parameters: { url: text },
    leavesTo: ['url'],
    what: 'the address of the page',
    outside: true,
  },
  post_webpage: {
    field: 'web search',
    description: 'Post content to a web page.',
    parameters: { url: text, content: text },
    effect: 'irreversible',
    leavesTo: ['url'],
    what: 'the content',
  },
}

const asks = (description: string, parameter: string, schema: z.ZodType): Row => ({
  field: 'commerce',
  description,
  parameters: { [parameter]: schema },
  outside: true,
})

const books = (description: string, parameters: Row['parameters'], to: string): Row => ({
  field: 'commerce',
  description,
  parameters: parameters ?? {},
  effect: 'irreversible',
  leavesTo: [to],
  what: 'the booking with your data',
})

const TRAVEL: { readonly [name: string]: Row } = {
  get_user_information: { field: 'commerce', description: 'Tell your personal data for bookings.' },
  get_all_hotels_in_city: asks('List the hotels of a city.', 'city', text),
  get_hotels_prices: asks('Tell the prices of hotels.', 'hotel_names', list),
  get_hotels_address: asks('Tell the address of a hotel.', 'hotel_name', text),
  get_rating_reviews_for_hotels: asks('Tell ratings and reviews of hotels.', 'hotel_names', list),
  get_all_restaurants_in_city: asks('List the restaurants of a city.', 'city', text),
  get_restaurants_address: asks('Tell the addresses of restaurants.', 'restaurant_names', list),
  get_rating_reviews_for_restaurants: asks('Tell ratings and reviews of restaurants.', 'restaurant_names', list),
  get_cuisine_type_for_restaurants: asks('Tell the cuisine of restaurants.', 'restaurant_names', list),
  get_dietary_restrictions_for_all_restaurants: asks(
    'Tell which diets restaurants cater for.',
    'restaurant_names',
    list,
  ),
  get_contact_information_for_restaurants: asks('Tell how to reach restaurants.', 'restaurant_names', list),
  get_price_for_restaurants: asks('Tell the price per person of restaurants.', 'restaurant_names', list),
  check_restaurant_opening_hours: asks('Tell when restaurants are open.', 'restaurant_names', list),
  get_all_car_rental_companies_in_city: asks('List the car rental companies of a city.', 'city', text),
  get_car_types_available: asks('Tell which cars rental companies have.', 'company_name', list),
  get_rating_reviews_for_car_rental: asks('Tell ratings and reviews of car rental companies.', 'company_name', list),
  get_car_rental_address: asks('Tell the addresses of car rental companies.', 'company_name', list),
  get_car_fuel_options: asks('Tell the fuel options of car rental companies.', 'company_name', list),
  get_car_price_per_day: asks('Tell the prices per day of car rental companies.', 'company_name', list),
  get_flight_information: {
    field: 'commerce',
    description: 'Tell the flights between two cities.',
    parameters: { departure_city: text, arrival_city: text },
    outside: true,
  },
  reserve_hotel: books('Book a hotel.', { hotel: text, start_day: text, end_day: textOrNone }, 'hotel'),
  reserve_restaurant: books('Book a table at a restaurant.', { restaurant: text, start_time: text }, 'restaurant'),
  reserve_car_rental: books('Book a rental car.', { company: text, start_time: text, end_time: textOrNone }, 'company'),
}

const {
  add_calendar_event_participants: _a,
  reschedule_calendar_event: _r,
  get_current_day: _d,
  ...ownCalendar
} = CALENDAR
const send_email = MAIL.send_email as Row

const ROWS: { readonly [suite in AgentDojoSuite]: { readonly [name: string]: Row } } = {
  workspace: { ...MAIL, ...CALENDAR, ...DRIVE },
  banking: BANKING,
  slack: SLACK,
  travel: { ...TRAVEL, ...ownCalendar, send_email },
}

/** The declared contracts of a suite's tools. */
export function agentDojoContracts(suite: AgentDojoSuite): ToolContract[] {
  return Object.entries(ROWS[suite]).map(([name, row]) => contractOf(name, row))
}

/** What the table says of every tool, for reading: suite, name, effect, whether something leaves, outside text. */
export function agentDojoTable(): {
  readonly suite: AgentDojoSuite
  readonly tool: string
  readonly effect: Effect
  readonly leaves: boolean
  readonly outside: boolean
}[] {
  return AGENTDOJO_SUITES.flatMap((suite) =>
    Object.entries(ROWS[suite]).map(([tool, row]) => ({
      suite,
      tool,
      effect: row.effect ?? 'read',
      leaves: row.leavesTo !== undefined || row.leavesAlways !== undefined,
      outside: row.outside === true,
    })),
  )
}

function contractOf(name: string, row: Row): ToolContract {
  return {
    name,
    field: row.field,
    description: row.description,
    parameters: z.object(row.parameters ?? {}),
    effect: () => row.effect ?? 'read',
    egress: (args) => {
      const to = recipientsOf(row, args)
      return to.length === 0 ? undefined : { to, what: row.what ?? 'what the call says' }
    },
    ...(row.outside ? { untrusted: true } : {}),
  }
}

function recipientsOf(row: Row, args: JsonObject): string[] {
  const named = (row.leavesTo ?? []).flatMap((name) => names(args[name]))
  return row.leavesAlways === undefined ? named : [...named, row.leavesAlways]
}

function names(value: JsonValue | undefined): string[] {
  if (value === undefined || value === null || value === '') return []
  return Array.isArray(value)
    ? value.flatMap(names)
    : [typeof value === 'object' ? JSON.stringify(value) : String(value)]
}
