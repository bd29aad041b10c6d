import { z } from 'zod'
import { type Implementation, reads, writes } from '../implement.js'
import { asked, done, unavailable } from '../result.js'
import type { Records } from '../store/index.js'
import { sayDay } from '../time/index.js'
import { text } from '../words/args.js'
import { countWords, keyWords } from '../words/match.js'

const postSchema = z.object({
  site: z.string(),
  text: z.string(),
  at: z.string(),
  to: z.string().optional(),
  from: z.string().optional(),
})

/** social_read and social_post: posts wait in a local outbox; what was brought in by an adapter is in `feed`. */
export function socialTools(records: Records): { readonly [name: string]: Implementation } {
  return {
    social_read: reads((args, context) => {
      const site = text(args, 'site')
      const words = keyWords([text(args, 'from'), text(args, 'about')].filter((x) => x !== undefined).join(' '))
      const fits = (p: z.infer<typeof postSchema>) =>
        (site === undefined || p.site.toLowerCase().includes(site.toLowerCase())) &&
        words.every((w) => keyWords(`${p.from ?? ''} ${p.text}`).includes(w))
      const feed = [...records.all('feed', postSchema)].reverse().filter((p) => fits(p.data))
      const first = feed[0]
      if (first === undefined) {
        const own = records.all('posts', postSchema).filter((p) => fits(p.data))
        return unavailable(
          `${site ?? 'No social network'} is ${site === undefined ? '' : 'not '}connected, so there is nothing to read${own.length > 0 ? `; ${countWords(own.length, 'post')} of yours wait here` : ''}.`,
        )
      }
      return done(
        `${countWords(feed.length, 'post')}; the latest, from ${first.data.from ?? 'somebody'} on ${sayDay(new Date(first.data.at), context.timeZone, context.now())}: ${first.data.text.split('\n')[0]}`,
        {
          lines: feed.slice(0, 20).map((p) => `- ${p.data.from ?? 'somebody'} (${p.data.site}): ${p.data.text}`),
          data: feed
            .slice(0, 20)
            .map((p) => ({ id: p.id, site: p.data.site, text: p.data.text, from: p.data.from ?? '' })),
        },
      )
    }),

    social_post: {
      preview: (args) => {
        const [body, site, to] = [text(args, 'text'), text(args, 'site'), text(args, 'to')]
        if (body === undefined) return asked('What should the post say?')
        return `Post ${site ? `on ${site}` : 'on your social network'}${to ? ` to ${to}` : ''}: ${body}`
      },
      ...writes(records, 'social_post', (args, context) => {
        const body = text(args, 'text')
        if (body === undefined) return asked('What should the post say?')
        const site = text(args, 'site') ?? 'social network'
        const to = text(args, 'to')
        const id = records.nextId('s')
        records.put('posts', id, {
          site,
          text: body.slice(0, 20_000),
          at: context.now().toISOString(),
          ...(to ? { to } : {}),
        })
        return done(
          `The post for ${site === 'social network' ? 'your social network' : site}${to ? ` to ${to}` : ''} waits here as ${id}; no social network is connected, so it is not public.`,
          { data: { id, site } },
        )
      }),
    },
  }
}
