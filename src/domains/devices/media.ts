import { z } from 'zod'
import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import { type Implementation, reads, writes } from '../implement.js'
import { asked, done, failed, unavailable } from '../result.js'
import { parseDuration, resolveWhen, sayClock, spanMilliseconds } from '../time/index.js'
import { text } from '../words/args.js'
import { findNamed, listWords } from '../words/match.js'
import { applyAmount, parseAmount } from './amount.js'
import type { Device } from './device.js'
import type { DeviceDesk } from './device-desk.js'
import { EXAMPLE_HOUSE } from './house.js'
import type { View } from './order.js'
import { pickDevices } from './pick.js'
import { PLANNED, putPlan } from './plans.js'
import { musicOf, playerTools } from './players.js'

const playingSchema = z.object({
  kind: z.string(),
  what: z.string(),
  state: z.enum(['playing', 'paused', 'stopped']),
  shuffle: z.boolean(),
  repeat: z.boolean(),
  service: z.string().optional(),
})
const playlistSchema = z.object({ name: z.string(), songs: z.array(z.string()) })

type Playing = z.infer<typeof playingSchema>

const capital = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1)
const short = (s: string | undefined): string | undefined => s?.slice(0, 200)

/** Volume, music, radio, podcasts, audiobooks and games: what plays is remembered; a real player comes with an adapter. */
export function mediaTools(desk: DeviceDesk): { readonly [name: string]: Implementation } {
  const { records } = desk
  const real = playerTools(desk)
  /** The players of the server where one is connected, else what is only remembered. */
  const either = (name: string, local: Implementation): Implementation => desk.either(local, real[name])
  const now = (): Playing | undefined => records.get('media', 'now', playingSchema)
  const put = (p: Playing): void => records.put('media', 'now', p)
  const start = (kind: string, what: string, args: JsonObject) => {
    const service = short(text(args, 'service'))
    put({
      kind,
      what,
      state: 'playing',
      shuffle: now()?.shuffle ?? false,
      repeat: false,
      ...(service ? { service } : {}),
    })
    return done(`Playing ${what}${service ? ` on ${service}` : ''}.`, { lines: [EXAMPLE_HOUSE], data: { kind, what } })
  }
  const control = (action: string): ReturnType<typeof done> => {
    const p = now()
    const words = action.toLowerCase()
    if (/\b(?:shuffle|random)\b/.test(words)) {
      const off = /\b(?:off|stop|no|disable)\b/.test(words)
      put({ ...(p ?? { kind: 'music', what: 'music', state: 'stopped', repeat: false }), shuffle: !off })
      return done(`Shuffle is ${off ? 'off' : 'on'}.`, { lines: [EXAMPLE_HOUSE] })
    }
    if (p === undefined) return failed('Nothing is playing; say what to play.')
    const says = (state: Playing['state'], verb: string, change: Partial<Playing> = {}) => {
      put({ ...p, state, ...change })
      return done(`${verb} ${p.what}.`, { lines: [EXAMPLE_HOUSE], data: { state, what: p.what } })
    }
    if (/\b(?:repeat|again|loop|replay|over)\b/.test(words)) return says('playing', 'Repeating', { repeat: true })
    if (/\b(?:pause|hold|wait)\b/.test(words)) return says('paused', 'Paused')
    if (/\b(?:stop|end|off|quit|cancel|close)\b/.test(words)) return says('stopped', 'Stopped')
    if (/\b(?:next|skip|forward)\b/.test(words)) return says('playing', 'Skipped to what comes next in')
    if (/\b(?:previous|back|last|rewind|before|restart|beginning)\b/.test(words)) return says('playing', 'Went back in')
    if (/\b(?:play|resume|continue|start|unpause|go on|on)\b/.test(words)) return says('playing', 'Playing')
    return asked(`Should I pause, resume, skip, repeat or stop ${p.what}?`)
  }

  return {
    volume_adjust: desk.acts('volume_adjust', (args, context, view) => {
      const amount = parseAmount(text(args, 'amount'))
      const said = text(args, 'direction')?.toLowerCase()
      const direction = said ?? (amount?.mode === 'set' ? 'set' : undefined)
      if (direction === undefined) return asked('Louder, quieter or mute?')
      const device = text(args, 'device')
      const picked = loudspeakers(view, device)
      if ('ok' in picked) return picked
      if (direction === 'set' && amount === undefined) return asked('How loud, from 0 to 100?')
      const commands = picked.devices.map((d) => ({
        device: d,
        change:
          direction === 'mute'
            ? { muted: true }
            : direction === 'unmute'
              ? { muted: false }
              : { volume: applyAmount(d.volume ?? 40, amount, direction === 'down' ? 'down' : 'up'), muted: false },
      }))
      const phrase = text(args, 'when')
      const back = direction === 'mute' && phrase !== undefined ? endOf(phrase, context) : undefined
      const until = back ? ` until ${sayClock(back, context.timeZone)}` : ''
      const mutes = direction === 'mute' || direction === 'unmute'
      return {
        commands,
        lines: back ? [PLANNED] : [],
        alongside: () => {
          if (back)
            putPlan(records, {
              tool: 'volume_adjust',
              args: { direction: 'unmute', ...(device ? { device } : {}) },
              at: back.toISOString(),
              zone: context.timeZone,
              what: 'the sound comes back',
            })
        },
        say: (list) => {
          const name = capital(view.name(list, 'speaker'))
          const are = list.length === 1 ? 'is' : 'are'
          return mutes
            ? {
                first: `${name} ${are} ${direction}d${until}.`,
                data: list.map((d) => ({ id: d.id, muted: d.muted ?? false })),
              }
            : {
                first: `${name} ${are} at volume ${list[0]?.volume}.`,
                data: list.map((d) => ({ id: d.id, volume: d.volume ?? 0 })),
              }
        },
      }
    }),

    music_play: either(
      'music_play',
      writes(records, 'music_play', (args) => {
        const what = musicOf(args)
        const playlist = text(args, 'playlist')
        if (what === undefined && playlist === undefined) {
          const p = now()
          return p && p.state !== 'playing' && p.kind === 'music' ? control('resume') : start('music', 'music', args)
        }
        return start(
          'music',
          [what, playlist === undefined ? undefined : `the playlist ${playlist}`]
            .filter((x) => x !== undefined)
            .join(' from '),
          args,
        )
      }),
    ),

    music_info: either(
      'music_info',
      reads((args, context) => {
        const about = musicOf(args)
        const p = now()
        const current =
          about === undefined ||
          /^(?:this|it|that|current(?:ly)?(?: playing)?|what is playing|the song|song|music|title|artist)$/i.test(about)
        if (current)
          return p && p.state !== 'stopped'
            ? done(`${p.state === 'playing' ? 'This is' : 'Paused is'} ${p.what}.`, {
                lines: [EXAMPLE_HOUSE],
                data: { what: p.what, state: p.state },
              })
            : done('Nothing is playing.', { data: null })
        const found = records.lookUp(about ?? context.request, 'music', 3)
        return found[0]
          ? done(found[0].body.split('\n')[0] ?? found[0].title, {
              lines: found.map((f) => `- ${f.title}: ${f.body} (${f.source})`),
            })
          : unavailable(`No music source is connected, so I know nothing about ${about}.`)
      }),
    ),

    music_rate: writes(records, 'music_rate', (args) => {
      const liking = text(args, 'liking')?.toLowerCase() === 'dislike' ? 'dislike' : 'like'
      const p = now()
      const given = musicOf(args)
      const what =
        given === undefined ||
        /^(?:this|it|that|the|this song|that song|the song|song|current song|this music|this one)$/i.test(given)
          ? p?.kind === 'music'
            ? p.what
            : undefined
          : given
      if (what === undefined) return asked('Which song or artist?')
      records.put('likes', what.toLowerCase(), { what, liking })
      return done(`Noted that you ${liking} ${what}.`, { data: { what, liking } })
    }),

    playlist_add: writes(records, 'playlist_add', (args) => {
      const name = text(args, 'playlist')
        ?.replace(/\bplaylist\b/gi, '')
        .trim()
        .slice(0, 100)
      if (!name) return asked('Which playlist?')
      const given = musicOf(args)
      const p = now()
      const what =
        given === undefined ||
        /^(?:this|it|that|(?:this|that|the|current) (?:song|track|tune|album|artist|one))$/i.test(given)
          ? p?.kind === 'music'
            ? p.what
            : given
          : given
      if (what === undefined) return asked(`What should I add to the playlist ${name}?`)
      const lists = records.all('playlists', playlistSchema)
      const found = findNamed(name, lists, (l) => [l.data.name]).matches
      const exact =
        found.find((l) => l.data.name.toLowerCase() === name.toLowerCase()) ??
        (found.length === 1 ? found[0] : undefined)
      const list = exact?.data ?? { name, songs: [] }
      if (list.songs.includes(what)) return done(`${what} is already on the playlist ${list.name}.`)
      records.put('playlists', exact?.id ?? name.toLowerCase(), { name: list.name, songs: [...list.songs, what] })
      return done(
        `Added ${what} to ${exact ? '' : 'the new '}playlist ${list.name}.`.replace('to playlist', 'to the playlist'),
        { data: { playlist: list.name, added: what } },
      )
    }),

    media_control: either(
      'media_control',
      writes(records, 'media_control', (args, context) => {
        const what = musicOf(args)
        const action = text(args, 'action') ?? context.request
        if (what !== undefined && /\b(?:play|start)\b/i.test(action)) return start('music', what, args)
        return control(action)
      }),
    ),

    radio_play: either(
      'radio_play',
      writes(records, 'radio_play', (args) => {
        const station = short(text(args, 'station'))
        return start(
          'radio',
          station === undefined
            ? 'the radio'
            : /\b(?:radio|fm|am)\b/i.test(station)
              ? station
              : `the radio station ${station}`,
          args,
        )
      }),
    ),

    podcast_play: either(
      'podcast_play',
      writes(records, 'podcast_play', (args) => {
        const action = text(args, 'action')
        const podcast = short(text(args, 'podcast'))
        const episode = short(text(args, 'episode'))
        const p = now()
        if (podcast === undefined && p?.kind === 'podcast' && action !== undefined) return control(action)
        const what = podcast === undefined ? 'a podcast' : `the podcast ${podcast}`
        return start(
          'podcast',
          episode === undefined ? what : `${/episode/i.test(episode) ? episode : `${episode} episode`} of ${what}`,
          args,
        )
      }),
    ),

    audiobook_play: either(
      'audiobook_play',
      writes(records, 'audiobook_play', (args) => {
        const action = text(args, 'action')
        const book = short(
          [text(args, 'book'), text(args, 'author') === undefined ? undefined : `by ${text(args, 'author')}`]
            .filter((x) => x !== undefined)
            .join(' ') || undefined,
        )
        if (book === undefined && now()?.kind === 'audiobook' && action !== undefined) return control(action)
        return start('audiobook', book === undefined ? 'your audiobook' : `the audiobook ${book}`, args)
      }),
    ),

    game_play: writes(records, 'game_play', (args) => {
      const game = short(text(args, 'game'))
      if (game === undefined) return asked('Which game?')
      put({ kind: 'game', what: game, state: 'playing', shuffle: false, repeat: false })
      return done(`No game player is connected; noted that you want to play ${game}.`, { data: { game } })
    }),
  }
}

/** The loudspeakers that are meant: the named ones; of a real house without a name those that play, else the only one. */
function loudspeakers(view: View, device: string | undefined): ToolResult | { readonly devices: readonly Device[] } {
  const kinds = ['speaker', 'television'] as const
  if (device === undefined && view.example) return { devices: view.devices.filter((d) => d.id === 'speaker') }
  const all = view.devices.filter((d) => d.kind === 'speaker' || d.kind === 'television')
  if (all.length === 0) return unavailable('No speaker or television is connected.')
  if (device === undefined) {
    const playing = all.filter((d) => d.playing === 'playing')
    const on = all.filter((d) => d.on && d.kind === 'speaker')
    const chosen = playing.length > 0 ? playing : on.length > 0 ? on : all
    return chosen.length === 1
      ? { devices: chosen }
      : asked(
          `Which one: ${listWords(
            chosen.slice(0, 8).map((d) => `the ${d.name}`),
            'or',
          )}?`,
        )
  }
  const picked = pickDevices(view.devices, kinds, { device, noun: 'speaker' })
  return 'problem' in picked ? failed(picked.problem) : picked
}

/** When a time that was said is over: "two hours" from now, "until ten". */
function endOf(phrase: string, context: ToolContext): Date | undefined {
  const span = parseDuration(phrase)
  if (span !== undefined) return new Date(context.now().getTime() + spanMilliseconds(span))
  const when = resolveWhen(phrase, { now: context.now(), zone: context.timeZone })
  return when.kind === 'resolved' ? when.end : undefined
}
