import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import type { Implementation } from '../implement.js'
import { asked, done, failed, unavailable } from '../result.js'
import { text } from '../words/args.js'
import { findNamed, listWords } from '../words/match.js'
import type { Change, Device } from './device.js'
import type { DeviceDesk } from './device-desk.js'
import type { Order, View } from './order.js'

/** The words of all music arguments, whichever of them a contract has. */
export function musicOf(args: JsonObject): string | undefined {
  const bits = ['music', 'song', 'album', 'artist', 'genre', 'kind']
    .map((k) => text(args, k))
    .filter((x) => x !== undefined)
  return bits.length === 0 ? undefined : bits.join(' ').slice(0, 200)
}

/** What is to be done with what plays, from the words of the action. */
function actionOf(words: string): Change['action'] | undefined {
  const s = words.toLowerCase()
  if (/\b(?:shuffle|random)\b/.test(s)) return /\b(?:off|stop|no|disable)\b/.test(s) ? 'unshuffle' : 'shuffle'
  if (/\b(?:repeat|again|loop|replay|over)\b/.test(s)) return 'repeat'
  if (/\b(?:pause|hold|wait)\b/.test(s)) return 'pause'
  if (/\b(?:stop|end|off|quit|cancel|close)\b/.test(s)) return 'stop'
  if (/\b(?:next|skip|forward)\b/.test(s)) return 'next'
  if (/\b(?:previous|back|last|rewind|before|restart|beginning)\b/.test(s)) return 'previous'
  if (/\b(?:play|resume|continue|start|unpause|go on|on)\b/.test(s)) return 'play'
  return undefined
}

const SAID: { readonly [action in NonNullable<Change['action']>]?: string } = {
  pause: 'Paused.',
  stop: 'Stopped.',
  next: 'Skipped to the next one.',
  previous: 'Went back.',
  play: 'Playing again.',
  shuffle: 'Shuffle is on.',
  unshuffle: 'Shuffle is off.',
  repeat: 'It repeats now.',
}

const isPlayer = (d: Device): boolean => d.kind === 'speaker' || d.kind === 'television'

/** The player that is meant: the named one or the one of a room, else the one that plays, else the only one. */
function player(
  args: JsonObject,
  context: ToolContext,
  view: View,
  busy: boolean,
): ToolResult | { readonly device: Device } {
  const all = view.devices.filter(isPlayer)
  if (all.length === 0) return unavailable('No music player is connected.')
  const said = text(args, 'device') ?? text(args, 'room')
  const one = (list: readonly Device[]): ToolResult | { readonly device: Device } => {
    const only = list[0]
    if (only && list.length === 1) return { device: only }
    return asked(
      `Where: ${listWords(
        list.slice(0, 8).map((d) => `on the ${d.name}`),
        'or',
      )}?`,
    )
  }
  if (said !== undefined) {
    const { matches } = findNamed(said, all, (d) => [d.name, d.room, `${d.room} ${d.name}`, ...d.aliases])
    return matches.length === 0
      ? failed(`There is no player called ${said}; there are ${listWords(all.slice(0, 8).map((d) => d.name))}.`)
      : one(matches)
  }
  const playing = all.filter((d) => d.playing === 'playing')
  const paused = all.filter((d) => d.playing === 'paused')
  if (busy) {
    if (playing.length > 0) return one(playing)
    if (paused.length > 0) return one(paused)
    return failed('Nothing is playing.')
  }
  // "Play jazz in the kitchen" may have lost its room on the way through the model.
  const named = all.filter((d) => d.room !== 'house' && context.request.toLowerCase().includes(d.room))
  if (named.length === 1) return one(named)
  if (playing.length === 1) return one(playing)
  const speakers = all.filter((d) => d.kind === 'speaker' && !d.unreachable)
  return one(speakers.length > 0 ? speakers : all)
}

/** Music, radio, podcasts and audiobooks on the players of a real house. */
export function playerTools(desk: DeviceDesk): { readonly [name: string]: Implementation } {
  const play = (what: string, args: JsonObject, context: ToolContext, view: View): ToolResult | Order => {
    const picked = player(args, context, view, false)
    if ('ok' in picked) return picked
    return {
      commands: [{ device: picked.device, change: { action: 'play', what } }],
      say: (list) => ({
        first: `Playing ${what} on ${view.name(list, 'speaker')}.`,
        data: { what, device: picked.device.id },
      }),
    }
  }
  const control = (words: string, args: JsonObject, context: ToolContext, view: View): ToolResult | Order => {
    const action = actionOf(words)
    if (action === undefined) return asked('Should I pause, resume, skip, repeat or stop it?')
    const picked = player(args, context, view, true)
    if ('ok' in picked) return picked
    return {
      commands: [{ device: picked.device, change: { action } }],
      say: () => ({ first: SAID[action] ?? 'Done.', data: { action, device: picked.device.id } }),
    }
  }
  const starts = (tool: string, what: (args: JsonObject) => string | undefined): Implementation =>
    desk.acts(tool, (args, context, view) => {
      const wanted = what(args)
      return wanted === undefined
        ? control(text(args, 'action') ?? 'resume', args, context, view)
        : play(wanted.slice(0, 200), args, context, view)
    })

  return {
    music_play: starts('music_play', (args) => {
      const list = text(args, 'playlist')
      const what = musicOf(args)
      if (what === undefined && list === undefined) return undefined
      return [what, list === undefined ? undefined : `the playlist ${list}`]
        .filter((x) => x !== undefined)
        .join(' from ')
    }),
    radio_play: starts('radio_play', (args) => text(args, 'station') ?? 'radio'),
    podcast_play: starts('podcast_play', (args) => {
      const podcast = text(args, 'podcast')
      const episode = text(args, 'episode')
      return podcast === undefined ? undefined : episode === undefined ? podcast : `${podcast}, ${episode}`
    }),
    audiobook_play: starts('audiobook_play', (args) => {
      const book = text(args, 'book')
      const author = text(args, 'author')
      return book === undefined ? undefined : author === undefined ? book : `${book} by ${author}`
    }),
    media_control: desk.acts('media_control', (args, context, view) => {
      const what = musicOf(args)
      const action = text(args, 'action') ?? context.request
      return what !== undefined && /\b(?:play|start)\b/i.test(action)
        ? play(what, args, context, view)
        : control(action, args, context, view)
    }),
    music_info: desk.looks((_args, _context, view) => {
      const players = view.devices.filter(isPlayer)
      if (players.length === 0) return unavailable('No music player is connected.')
      const playing = players.find((d) => d.playing === 'playing') ?? players.find((d) => d.playing === 'paused')
      if (playing === undefined) return done('Nothing is playing.', { data: null })
      const title = playing.title ?? 'something without a title'
      return done(playing.playing === 'playing' ? `This is ${title}.` : `Paused is ${title}.`, {
        data: { what: title, state: playing.playing ?? 'playing', device: playing.id },
      })
    }),
  }
}
