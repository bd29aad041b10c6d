import type { JsonSchema, ToolSpec } from '../../chat/types.js'
import type { Draw } from './draw.js'

/** A tool under another name, and how its parameters are called there. */
export interface RenamedTool {
  readonly spec: ToolSpec
  readonly parameters: { readonly [original: string]: string }
}

const VERBS: { readonly [verb: string]: readonly string[] } = {
  set: ['create', 'make', 'new', 'put', 'configure'],
  list: ['show', 'all', 'get', 'view', 'check'],
  cancel: ['delete', 'remove', 'clear', 'drop'],
  change: ['update', 'edit', 'modify'],
  snooze: ['delay', 'postpone'],
  create: ['add', 'new', 'schedule', 'insert'],
  search: ['find', 'query', 'lookup', 'check'],
  move: ['reschedule', 'shift', 'transfer'],
  free: ['available', 'gaps'],
  get: ['fetch', 'read', 'lookup', 'query'],
  convert: ['translate', 'exchange', 'change'],
  send: ['write', 'compose', 'dispatch'],
  draft: ['prepare', 'compose_draft'],
  read: ['open', 'view', 'fetch'],
  reply: ['answer', 'respond'],
  find: ['search', 'lookup', 'get'],
  add: ['append', 'insert', 'save', 'put'],
  post: ['publish', 'share'],
  switch: ['toggle', 'power', 'turn'],
  color: ['colour', 'tint'],
  adjust: ['change', 'level', 'modify'],
  start: ['run', 'launch', 'begin'],
  make: ['brew', 'prepare'],
  play: ['start', 'open', 'listen'],
  info: ['details', 'about', 'identify'],
  rate: ['review', 'score', 'grade'],
  control: ['command', 'player'],
  define: ['explain', 'meaning'],
  open: ['visit', 'load', 'browse'],
  show: ['view', 'read', 'get'],
  remove: ['delete', 'take_off', 'drop'],
  order: ['buy', 'request'],
  book: ['reserve', 'buy'],
  log: ['record', 'track'],
  write: ['create', 'save'],
  append: ['extend', 'add_to'],
  trash: ['delete', 'remove'],
  state: ['status', 'check'],
  price: ['quote', 'value'],
  level: ['count', 'amount'],
}

const NOUNS: { readonly [noun: string]: readonly string[] } = {
  alarm: ['wakeup', 'alarm', 'clock_alarm'],
  timer: ['countdown', 'timer'],
  calendar: ['event', 'agenda', 'schedule'],
  time: ['clock', 'time'],
  email: ['mail', 'message', 'email'],
  contact: ['person', 'address_book', 'contact'],
  social: ['feed', 'network', 'social'],
  device: ['appliance', 'thing', 'device'],
  light: ['lamp', 'lights', 'light'],
  plug: ['socket', 'outlet', 'appliance'],
  volume: ['sound', 'audio', 'volume'],
  vacuum: ['cleaner', 'roomba', 'vacuum'],
  music: ['song', 'tunes', 'music'],
  web: ['internet', 'online', 'web'],
  weather: ['forecast', 'weather'],
  news: ['headlines', 'news'],
  fact: ['question', 'knowledge', 'fact'],
  list: ['checklist', 'list'],
  takeaway: ['food', 'delivery', 'meal'],
  restaurant: ['table', 'restaurant'],
  ticket: ['travel', 'fare', 'ticket'],
  taxi: ['cab', 'ride', 'taxi'],
  file: ['document', 'file'],
  note: ['memo', 'note'],
  currency: ['money', 'currency'],
  stock: ['share', 'stock'],
  customer: ['client', 'account', 'customer'],
}

const PARAMETERS: { readonly [parameter: string]: readonly string[] } = {
  when: ['time', 'date', 'at', 'datetime', 'time_phrase'],
  label: ['name', 'title', 'tag'],
  repeat: ['recurrence', 'frequency', 'every'],
  duration: ['length', 'how_long', 'period'],
  title: ['name', 'event', 'summary'],
  people: ['guests', 'who', 'attendees'],
  place: ['location', 'where', 'area'],
  to: ['target', 'destination', 'goal'],
  from: ['source', 'origin', 'sender'],
  subject: ['topic', 'headline'],
  text: ['body', 'content', 'message'],
  about: ['topic', 'regarding'],
  folder: ['directory', 'box'],
  name: ['person', 'who'],
  detail: ['field', 'what'],
  site: ['network', 'platform'],
  device: ['appliance', 'name', 'thing'],
  room: ['location', 'where', 'area'],
  state: ['mode', 'power'],
  color: ['colour', 'hue'],
  direction: ['change', 'how'],
  amount: ['value', 'quantity', 'by'],
  music: ['query', 'what', 'track'],
  playlist: ['list', 'collection'],
  service: ['provider', 'app'],
  question: ['query', 'q'],
  word: ['term', 'expression'],
  dish: ['food', 'recipe'],
  kind: ['type', 'category'],
  movie: ['film', 'title'],
  list: ['list_name', 'which'],
  item: ['entry', 'thing', 'product'],
  food: ['dish', 'meal'],
  query: ['search', 'terms', 'q'],
  path: ['file', 'filename'],
  company: ['symbol', 'name', 'ticker'],
  topic: ['subject', 'about'],
  condition: ['kind', 'what'],
  mode: ['vehicle', 'means', 'type'],
  rating: ['score', 'stars'],
  project: ['task', 'job'],
  customer: ['client', 'who'],
}

const WORDS: { readonly [word: string]: readonly string[] } = {
  Show: ['List', 'Display', 'Give'],
  Tell: ['Say', 'Give'],
  Get: ['Fetch', 'Look up'],
  Find: ['Search for', 'Look for'],
  Look: ['Search'],
  Add: ['Put', 'Save', 'Create'],
  Delete: ['Remove', 'Drop'],
  Remove: ['Delete', 'Cancel'],
  Set: ['Create', 'Make'],
  Start: ['Begin', 'Run'],
  Write: ['Compose', 'Create'],
  Play: ['Start', 'Listen to'],
  Turn: ['Switch'],
  Move: ['Shift', 'Change'],
  Book: ['Reserve'],
  Order: ['Buy'],
  calendar: ['agenda', 'schedule'],
  email: ['mail', 'message'],
  emails: ['mails', 'messages'],
  event: ['appointment', 'entry'],
  events: ['appointments', 'entries'],
  lights: ['lamps', 'the light'],
  file: ['document'],
  files: ['documents'],
  owner: ['user'],
}

/** Gives a tool another name, other parameter names and another wording of its description. */
export function renameTool(spec: ToolSpec, draw: Draw): RenamedTool {
  const properties = spec.parameters.properties ?? {}
  const taken = new Set<string>()
  const parameters: { [original: string]: string } = {}
  for (const original of Object.keys(properties)) {
    const options = (PARAMETERS[original] ?? []).filter((name) => !taken.has(name) && !(name in properties))
    const name = options.length > 0 && draw.chance(0.6) ? draw.pick(options) : original
    taken.add(name)
    parameters[original] = name
  }
  const order = draw.chance(0.5) ? draw.shuffled(Object.keys(properties)) : Object.keys(properties)
  const renamed: { [name: string]: JsonSchema } = {}
  for (const original of order) renamed[parameters[original] ?? original] = properties[original] ?? {}
  const schema: { [keyword: string]: unknown } = { ...spec.parameters, properties: renamed }
  if (spec.parameters.required) schema['required'] = spec.parameters.required.map((name) => parameters[name] ?? name)
  return {
    spec: { name: rename(spec.name, draw), description: reword(spec.description, draw), parameters: schema },
    parameters,
  }
}

function rename(name: string, draw: Draw): string {
  const [noun = name, ...rest] = name.split('_')
  const verb = rest.join('_')
  const otherNoun = draw.chance(0.6) ? draw.pick(NOUNS[noun] ?? [noun]) : noun
  const otherVerb = draw.chance(0.7) ? draw.pick(VERBS[verb] ?? [verb]) : verb
  const parts = draw.chance(0.6) ? [otherVerb, otherNoun] : [otherNoun, otherVerb]
  const words = parts.filter(Boolean).join('_').split('_')
  if (draw.chance(0.25))
    return words.map((word, i) => (i === 0 ? word : word[0]?.toUpperCase() + word.slice(1))).join('')
  if (draw.chance(0.1)) return words.join('-')
  return words.join('_')
}

function reword(description: string, draw: Draw): string {
  let text = description
  if (draw.chance(0.25) && text.includes(',')) text = `${text.slice(0, text.indexOf(','))}.`
  text = text
    .split(' ')
    .map((word) => {
      const bare = word.replace(/[.,:]$/, '')
      const options = WORDS[bare]
      return options && draw.chance(0.5) ? draw.pick(options) + word.slice(bare.length) : word
    })
    .join(' ')
  if (draw.chance(0.1)) text = text.replace(/\.$/, '')
  return text
}
