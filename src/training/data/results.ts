import type { Draw } from './draw.js'
import type { Pools } from './grammar.js'
import { renderTemplate, textOf } from './grammar.js'

/**
 * What tools say, for training answers after results: the first line is a plain sentence, further lines are details. `$name`
 * stands for an argument; a template whose arguments are missing is not used.
 */
const RESULTS: { readonly [tool: string]: readonly string[] } = {
  alarm_set: [
    'Alarm set for {:rDate}, {:rTime}.',
    'Alarm "$label" set for {:rDate}, {:rTime}.',
    'Alarm set for {:rTime}, $repeat.',
  ],
  alarm_list: [
    'You have one alarm: {:rDate}, {:rTime}.',
    'No alarms are set.',
    'You have 2 alarms: {:rTime} and {:rTime}.',
  ],
  alarm_cancel: ['Removed the alarm for {:rDate}, {:rTime}.', 'Removed 2 alarms.'],
  alarm_change: ['Moved the alarm to {:rTime}.'],
  alarm_snooze: ['Snoozed until {:rTime}.'],
  timer_set: ['Timer started: $duration, until {:rTime}.', 'Timer "$label" started: $duration.'],
  timer_list: ['{:small} minutes are left on the timer.', 'No timer is running.'],
  timer_cancel: ['Stopped the timer.', 'Stopped the timer "$label".'],
  calendar_create: ['Added "$title" on {:rDate}, {:rTime}.', 'Added "$title" with $people on {:rDate}, {:rTime}.'],
  calendar_search: [
    'You have one event: {:event} on {:rDate}, {:rTime}.',
    'Nothing is planned for {:rDate}.',
    'You have 2 events: {:event} at {:rTime} and {:event} at {:rTime}.',
    '{:event} is on {:rDate}, {:rTime}.',
  ],
  calendar_move: ['Moved "$title" to {:rDate}, {:rTime}.'],
  calendar_cancel: ['Deleted "$title" on {:rDate}.', 'Deleted {:small} events on {:rDate}.'],
  calendar_free: ['You are free from {:rTime} to {:rTime} on {:rDate}.', 'You are free all day on {:rDate}.'],
  time_get: ['It is {:rTime} in $place.', 'It is {:rTime}.', 'It is {:rDate}.'],
  time_convert: ['It is {:rTime} in $to.', '$to is {:hourWord} hours ahead of $from.'],
  email_send: ['Sent the email to $to.', 'The email to $to is in the outbox.'],
  email_draft: ['Saved a draft to $to.', 'Saved the draft.'],
  email_search: [
    'One email from $from: "{:subject}".',
    'No new emails.',
    '{:small} emails; the latest is "{:subject}" from {:first}.',
    '2 emails about $about.',
  ],
  email_read: ['{:first} writes: {:message}.'],
  email_reply: ['Replied to $to.', 'Sent the reply.'],
  contact_find: [
    "{:first} {:last}'s number is {:phone}.",
    '$name: {:email}.',
    'The address of $name is {:tensDigit} king street, {:city}.',
  ],
  contact_add: ['Saved $name.', 'Saved the contact.'],
  social_read: ['{:small} new posts on $site; the latest: "{:message}".', 'Nothing new.'],
  social_post: ['Posted on $site.', 'The post is ready.'],
  file_list: ['{:small} files: {:path}, {:path}, {:path}.', 'The folder is empty.'],
  file_search: ['Found {:path}.', 'No file matches $query.', 'Found 2 files: {:path} and {:path}.'],
  file_read: ['$path says: {:fileText}.'],
  file_write: ['Wrote $path.'],
  file_append: ['Added one line to $path.'],
  file_move: ['Moved $path to $to.'],
  file_trash: ['Moved $path to the trash.'],
  device_list: ['{:small} devices: {:device}, {:device} and {:lamp}.'],
  device_state: ['The $device is on.', 'The $device is off.', 'The lights in the $room are off.'],
  light_switch: ['The lights are $state.', 'The lights in the $room are $state.', 'The $device is $state.'],
  light_color: ['The lights are $color now.', 'The lights in the $room are $color now.'],
  light_adjust: ['The lights are at {:tensDigit}%.', 'The lights in the $room are at {:tensDigit}%.'],
  plug_switch: ['The $device is $state.'],
  volume_adjust: ['The volume is at {:tensDigit}%.', 'The sound is muted.'],
  vacuum_start: ['The vacuum is cleaning the $room.', 'The vacuum started.'],
  coffee_make: ['Your $coffee is on its way.', 'The coffee machine started.'],
  scene_set: ['Scene "$scene" is set.'],
  lock_set: ['The $door is {:lockedWord}.'],
  thermostat_set: ['The heating is set to $temperature.'],
  music_play: ['Playing $music.', 'Playing $music on $service.', 'Playing music.'],
  music_info: ['This is "{:song}" by {:artist}.'],
  music_rate: ['Noted: you $liking this.'],
  playlist_add: ['Added $music to $playlist.'],
  media_control: ['Okay: $action.'],
  radio_play: ['Playing $station.'],
  podcast_play: ['Playing the podcast $podcast.'],
  audiobook_play: ['Playing $book.'],
  game_play: ['Starting $game.'],
  weather_get: [
    '{:rDate} in $place: {:condition}, {:small} degrees.',
    'It will be {:condition}, {:small} degrees.',
    'No {:condition} is expected in $place.',
  ],
  news_get: ['Top story: {:topic} in {:city}.', 'The latest on $topic: {:company} and {:country} agree.'],
  fact_find: ['{:rFact}'],
  web_search: ['{:small} pages found; the first: "$query" at {:url}.'],
  word_define: ['$word: {:rFact}'],
  recipe_find: ['Recipe for $dish: {:grocery}, {:grocery} and {:grocery}.'],
  events_find: ['{:small} events: {:localEvent} and {:localEvent}.'],
  places_find: ['The nearest $kind is {:eatery}, {:small} minutes away.'],
  movies_find: ['$movie plays at {:rTime}.', '{:@movie_name} plays at {:rTime}.'],
  work_find: ['Found "$title".'],
  route_get: ['$to is {:small} minutes away by {:mode}.', 'The next {:mode} to $to leaves at {:rTime}.'],
  traffic_get: ['Traffic is heavy on $place.', 'Traffic is light.'],
  page_open: ['$url says: {:rFact}'],
  note_add: ['Noted: $text.'],
  note_find: ['One note: {:note}.', 'No note about $query.'],
  list_add: ['Added $item to the $list list.', 'Created the $list list.'],
  list_show: ['The $list list has {:grocery}, {:grocery} and {:grocery}.', 'You have 2 lists: {:list} and {:list}.'],
  list_remove: ['Removed $item from the $list list.', 'Deleted the $list list.'],
  takeaway_order: ['Ordered $food from $from.', 'Ordered $food.'],
  takeaway_info: ['$from does $how.', 'Your food arrives at {:rTime}.'],
  restaurant_book: ['Booked a table for $people.', 'Booked a table at $restaurant for {:rDate}, {:rTime}.'],
  ticket_book: ['Booked a $mode ticket to $to.'],
  taxi_book: ['Your $service comes at {:rTime}.'],
  product_find: ['Found $product for {:money}.'],
  book_rate: ['Rated $title: $rating.'],
  stock_price: ['$company is at {:tensDigit}.{:digit} {:currency}.'],
  currency_convert: ['$amount $from is {:tensDigit}.{:digit} $to.', 'One $from is {:digit}.{:digit} $to.'],
  calculate: ['$expression is {:tensDigit}.', '$expression = {:digit}{:digit}'],
  balance_get: ['Your $account account holds {:money}.', 'You have {:money}.'],
  expense_add: ['Noted {:money} for $what.', 'Noted $amount.'],
  bill_list: ['One bill is due on {:rDate}: {:company}, {:money}.', 'No bills are due.'],
  customer_find: ['$name: contact {:first} {:last}, {:email}.'],
  ticket_create: ['Opened ticket {:digit}{:digit} for $customer.', 'Opened ticket {:digit}{:digit}.'],
  hours_log: ['Logged $hours on $project.'],
  stock_level: ['{:tensDigit} $item are in stock.'],
}

const RESULT_POOLS: Pools = {
  rWeekday: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  rMonth: [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ],
  rDate: [
    '{:rWeekday}, {:dayShort} {:rMonth}',
    '{:rWeekday}',
    'tomorrow',
    'today',
    '{:rWeekday} {:dayShort} {:rMonth} 202(6|7)',
    '{:rMonth} {:dayShort}',
  ],
  rTime: [
    '0{:digit}:{:minuteDigit}',
    '1{:digit}:{:minuteDigit}',
    '2(0|1|2|3):{:minuteDigit}',
    '{:hourDigit}:{:minuteDigit} (am|pm)',
  ],
  lockedWord: ['locked', 'unlocked'],
  rFact: [
    '{:city} is in {:country}.',
    '{:first} {:last} was born in {:city} in 19{:digit}{:digit}.',
    'The tallest building in {:city} is {:tensDigit}{:digit} meters high.',
    '{:word} is a word for {:topic}.',
    'About {:tensDigit} million people live in {:country}.',
    '{:company} was founded by {:first} {:last}.',
    'It is a kind of {:dish}.',
    'The capital is {:city}.',
    '{:first} {:last} wrote it in 18{:digit}{:digit}.',
    'Light takes {:small} minutes.',
  ],
  details: [
    'id: {:rId}',
    '{:rDate} (UTC {:rTime})',
    'Ids: {:rId}, {:rId}',
    '- {:event} ({:rId})\n- {:title} ({:rId})',
    'Source: {:url}',
    '1. {:message}\n2. {:message}',
    'Undo is possible.',
  ],
  rId: ['{:rWord}-{:digit}', '{:rWord}{:digit}{:digit}', 'm{:digit}', 'e{:digit}'],
  rWord: ['oak', 'blue', 'fox', 'mail', 'note', 'sun', 'kiwi', 'lake'],
}

/** The pools that results need, beside those of requests. */
export function resultPools(pools: Pools): Pools {
  return { ...pools, ...RESULT_POOLS }
}

/** A tool's result and the sentence of it that answers the owner. */
export interface DrawnResult {
  readonly content: string
  readonly answer: string
}

/** Makes up what a tool says about a call. */
export function drawResult(
  tool: string,
  args: { readonly [parameter: string]: unknown },
  pools: Pools,
  draw: Draw,
): DrawnResult {
  const usable = (RESULTS[tool] ?? []).filter((template) =>
    [...template.matchAll(/\$(\w+)/g)].every(([, name]) => args[name ?? ''] !== undefined),
  )
  const values = Object.values(args).filter((value) => typeof value === 'string')
  const template =
    usable.length > 0 ? draw.pick(usable) : values.length > 0 ? `Done: ${safe(values.join(', '))}.` : 'Done.'
  const filled = template.replace(/\$(\w+)/g, (_, name: string) => safe(String(args[name])))
  const sentence = textOf(renderTemplate(filled, pools, draw)).trim()
  const answer = sentence[0] === undefined ? 'Done.' : sentence[0].toUpperCase() + sentence.slice(1)
  if (!draw.chance(0.45)) return { content: answer, answer }
  const details = textOf(renderTemplate(draw.pick(RESULT_POOLS['details'] ?? ['']), pools, draw))
  return { content: `${answer}\n${details}`, answer }
}

function safe(value: string): string {
  return value.replace(/[()[\]{}|$]/g, ' ')
}

/** What tools say when they cannot act; `$value` is an argument's value. */
export const FAILURES: readonly string[] = [
  'No contact named $value; did you mean {:first} {:last}?',
  'There is no $value; did you mean {:event}?',
  'Nothing matches $value.',
  'I could not understand "$value".',
  'The service does not answer.',
  'Two entries match $value: {:first} {:last} and {:first} {:last}. Which one?',
  '$value lies in the past.',
]
