import type { CompareRule } from './compare.js'

const words = (...ignore: string[]): CompareRule => ({ kind: 'words', ignore })
const exact: CompareRule = { kind: 'exact' }

const FRAME = `what whats what's who where when which how many much is are the tell me give show find know want need
  olly alexa siri google hey ok please can could you calculate compute solve work answer result equal equals say
  do does get let like let's`
  .split(/\s+/)
  .filter(Boolean)

const ACTIONS: CompareRule = {
  kind: 'choice',
  absent: 'play',
  meanings: {
    resume: ['resume', 'resuming', 'continue', 'keep', 'progress', 'go on', 'carry on', 'proceed', 'where', 'pick up'],
    pause: ['pause', 'hold', 'stop'],
    restart: ['restart', 'start over'],
    play: ['play', 'start', 'read', 'put on', 'open', 'begin', 'listen', 'launch'],
    skip: ['skip', 'next', 'forward', 'jump', 'move on', 'move forward'],
    back: ['back', 'go back', 'rewind', 'backward', 'go backward', 'previous'],
    repeat: ['repeat', 'replay', 'loop', 'again', 'always repeat'],
    shuffle: ['shuffle', 'random', 'shuffled'],
  },
}

const RULES: { readonly [toolAndParameter: string]: CompareRule } = {
  'light_switch.state': exact,
  'plug_switch.state': exact,
  'light_adjust.direction': exact,
  'volume_adjust.direction': exact,
  'music_rate.liking': exact,
  'book_rate.rating': { kind: 'rating' },
  'email_search.folder': words('inbox', 'mail', 'email', 'mailbox'),
  'list_add.list': words('list', 'lists'),
  'list_show.list': words('list', 'lists'),
  'list_remove.list': words('list', 'lists'),
  'light_switch.device': words('light', 'lights'),
  'light_adjust.device': words('light', 'lights'),
  'light_color.device': words('light', 'lights'),
  'vacuum_start.device': words('vacuum', 'cleaner', 'robot', 'vac'),
  'plug_switch.device': words('plug', 'plugs', 'socket', 'sockets', 'switch'),
  'coffee_make.device': words('coffee', 'machine', 'maker', 'pot'),
  'coffee_make.coffee': words('coffee', 'cup'),
  'taxi_book.service': words('taxi', 'cab', 'ride', 'car', 'transportation'),
  'audiobook_play.book': words('audiobook', 'audiobooks', 'audio', 'book'),
  'podcast_play.podcast': words('podcast', 'podcasts'),
  'podcast_play.episode': words('podcast', 'episode'),
  'radio_play.station': words('radio', 'station', 'fm', 'am'),
  'weather_get.condition': words('weather', 'forecast'),
  'takeaway_order.from': words('restaurant', 'restaurants'),
  'takeaway_info.from': words('restaurant', 'restaurants'),
  'takeaway_order.how': {
    kind: 'choice',
    meanings: {
      takeaway: ['takeaway', 'takeaways', 'takeout', 'take', 'carryout', 'carry', 'pick', 'pickup', 'to go'],
      delivery: ['delivery', 'deliver', 'delivers', 'delivered', 'deliveries'],
    },
  },
  'takeaway_info.how': {
    kind: 'choice',
    meanings: {
      takeaway: ['takeaway', 'takeaways', 'takeout', 'take', 'carryout', 'carry', 'pick', 'pickup', 'to go'],
      delivery: ['delivery', 'deliver', 'delivers', 'delivered', 'deliveries'],
    },
  },
  'social_post.site': {
    kind: 'choice',
    meanings: { twitter: ['twitter', 'tweet', 'tweets', 'tweeted'], facebook: ['facebook', 'fb'] },
  },
  'social_read.site': {
    kind: 'choice',
    meanings: { twitter: ['twitter', 'tweet', 'tweets', 'tweeted'], facebook: ['facebook', 'fb'] },
  },
  'media_control.action': { ...ACTIONS, absent: '' },
  'podcast_play.action': ACTIONS,
  'audiobook_play.action': ACTIONS,
  'fact_find.question': words(...FRAME),
  'calculate.expression': words(...FRAME, 'sum'),
  'music_play.music': words('music', 'song', 'songs'),
  'playlist_add.owner': { kind: 'exact' },
  'book_rate.which': { kind: 'words' },
}

const WHEN: CompareRule = { kind: 'when' }

/** The comparison rule of one argument of one tool. */
export function ruleFor(tool: string, parameter: string): CompareRule {
  const own = RULES[`${tool}.${parameter}`]
  if (own) return own
  if (['when', 'time', 'repeat', 'duration', 'amount', 'people'].includes(parameter)) return WHEN
  if (parameter === 'to' && (tool === 'alarm_change' || tool === 'calendar_move')) return WHEN
  return { kind: 'words' }
}
