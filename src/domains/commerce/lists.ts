import { z } from 'zod'
import type { JsonObject } from '../../chat/types.js'
import { type Implementation, reads, writes } from '../implement.js'
import { asked, done, failed } from '../result.js'
import type { Item, Records } from '../store/index.js'
import { meansAll, text } from '../words/args.js'
import { countWords, didYouMean, findNamed, keyWords, listWords } from '../words/match.js'

const listSchema = z.object({ name: z.string(), items: z.array(z.string()) })

type List = z.infer<typeof listSchema>

const ALIASES = new Map<string, readonly string[]>(
  Object.entries({
    shopping: ['grocery', 'groceries', 'buy', 'things to buy'],
    grocery: ['shopping', 'groceries'],
    'to do': ['todo', 'task', 'tasks', 'things to do'],
    todo: ['to do', 'task', 'tasks', 'things to do'],
  }),
)

/** A list's name without "list", articles and case. */
export function listName(phrase: string): string {
  const plain = phrase
    .replace(/\b(?:lists?|called|named)\b/gi, ' ')
    .replace(/^\s*(?:(?:the|my|our|a|an|of|new)\s+)+/i, '')
    .replace(/['’]s\b/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
  return plain.slice(0, 80)
}

/** Things that were said together: "milk, eggs and bread" are three. */
export function splitItems(phrase: string): readonly string[] {
  return phrase
    .split(/\s*(?:,|;|\n|\band\b|&)\s*/i)
    .map((s) =>
      s
        .replace(/^(?:some|a|an|the)\s+/i, '')
        .trim()
        .slice(0, 200),
    )
    .filter((s) => s !== '')
}

const all = (records: Records): readonly Item<List>[] => records.all('lists', listSchema)

/**
 * Lists that a name means: the whole name, else its usual other name, else (unless `exact`) a list with more words.
 * "holiday shopping" is never the shopping list.
 */
const find = (lists: readonly Item<List>[], name: string, exact = false) => {
  const wanted = keyWords(name)
  const same = (l: Item<List>) => keyWords(l.data.name).join(' ') === wanted.join(' ')
  const whole = lists.filter(same)
  if (whole.length > 0) return { matches: whole, near: [] }
  const alias = lists.filter((l) =>
    (ALIASES.get(l.data.name) ?? []).some((a) => keyWords(a).join(' ') === wanted.join(' ')),
  )
  if (alias.length > 0) return { matches: alias, near: [] }
  const { matches, near } = findNamed(name, lists, (l) => [l.data.name])
  const wider = exact ? [] : matches.filter((l) => wanted.every((w) => keyWords(l.data.name).includes(w)))
  return { matches: wider, near: wider.length > 0 ? [] : [...matches, ...near].slice(0, 3) }
}

const show = (l: List): string =>
  l.items.length === 0
    ? `The ${l.name} list is empty.`
    : `On the ${l.name} list: ${listWords(l.items.slice(0, 20))}${l.items.length > 20 ? ' and more' : ''}.`

const names = (lists: readonly Item<List>[]): string => listWords(lists.map((l) => l.data.name))

/** list_add, list_show and list_remove. */
export function listTools(records: Records): { readonly [name: string]: Implementation } {
  return {
    list_add: writes(records, 'list_add', (args: JsonObject) => {
      const lists = all(records)
      const said = text(args, 'list')
      const item = text(args, 'item')
      const wanted = said === undefined ? '' : listName(said)
      if (wanted === '' && item === undefined) return asked('What should I add, and to which list?')
      if (wanted === '' && lists.length !== 1)
        return asked(
          lists.length === 0
            ? `On which list should I put ${item}?`
            : `Which list: ${listWords(
                lists.map((l) => l.data.name),
                'or',
              )}?`,
        )
      const found = wanted === '' ? { matches: lists } : find(lists, wanted, true)
      if (found.matches.length > 1)
        return asked(
          `Which list: ${listWords(
            found.matches.map((l) => l.data.name),
            'or',
          )}?`,
        )
      const existing = found.matches[0]
      if (item === undefined) {
        if (existing)
          return done(
            `The ${existing.data.name} list is there already, with ${countWords(existing.data.items.length, 'item')}.`,
          )
        records.put('lists', wanted, { name: wanted, items: [] })
        return done(`Made the list ${wanted}.`, { data: { list: wanted } })
      }
      const list = existing?.data ?? { name: wanted, items: [] }
      const fresh = splitItems(item).filter(
        (i) => !list.items.some((x) => keyWords(x).join(' ') === keyWords(i).join(' ')),
      )
      if (fresh.length === 0) return done(`${item} is on the ${list.name} list already.`)
      records.put('lists', existing?.id ?? wanted, { name: list.name, items: [...list.items, ...fresh] })
      return done(`Added ${listWords(fresh)} to the ${existing ? '' : 'new '}${list.name} list.`, {
        data: { list: list.name, added: [...fresh] },
      })
    }),

    list_show: reads((args) => {
      const lists = all(records)
      const said = text(args, 'list')
      const wanted = said === undefined ? '' : listName(said)
      if (lists.length === 0) return done('There are no lists yet.', { data: [] })
      const data = (l: Item<List>) => ({ list: l.data.name, items: [...l.data.items] })
      if (wanted === '' || /^(?:all|every|each|everything|available|any)$/.test(wanted)) {
        const only = lists[0]
        return lists.length === 1 && only
          ? done(show(only.data), { data: [data(only)] })
          : done(`There are ${lists.length} lists: ${names(lists)}.`, {
              lines: lists.map((l) => `- ${l.data.name}: ${l.data.items.join(', ') || 'empty'}`),
              data: lists.map(data),
            })
      }
      const { matches, near } = find(lists, wanted)
      const only = matches[0]
      if (only && matches.length === 1) return done(show(only.data), { data: [data(only)] })
      if (matches.length > 1)
        return asked(
          `Which list: ${listWords(
            matches.map((l) => l.data.name),
            'or',
          )}?`,
        )
      const holding = lists.filter((l) => findNamed(wanted, l.data.items, (i) => [i]).matches.length > 0)
      if (holding.length > 0)
        return done(`${said} is on the ${listWords(holding.map((l) => `${l.data.name} list`))}.`, {
          data: holding.map(data),
        })
      return failed(
        `There is no list called ${wanted}; ${
          near.length > 0
            ? `did you mean ${listWords(
                near.map((l) => l.data.name),
                'or',
              )}?`
            : `there ${lists.length === 1 ? 'is' : 'are'} ${names(lists)}.`
        }`,
      )
    }),

    list_remove: writes(records, 'list_remove', (args, context) => {
      const lists = all(records)
      const said = text(args, 'list')
      const item = text(args, 'item')
      const wanted = said === undefined ? '' : listName(said)
      if (lists.length === 0) return failed('There are no lists.')
      if (wanted === '' && item === undefined) {
        if (lists.length > 1 && !meansAll(said ?? context.request))
          return asked(
            `Which list: ${listWords(
              lists.map((l) => l.data.name),
              'or',
            )}?`,
          )
        for (const l of lists) records.remove('lists', l.id)
        return done(
          lists.length === 1 ? `Deleted the ${lists[0]?.data.name} list.` : `Deleted all ${lists.length} lists.`,
        )
      }
      const found =
        wanted === ''
          ? {
              matches: lists.filter(
                (l) => item !== undefined && findNamed(item, l.data.items, (i) => [i]).matches.length > 0,
              ),
              near: [],
            }
          : find(lists, wanted)
      if (found.matches.length === 0) {
        if (wanted === '') return failed(`${item} is on no list.`)
        return failed(
          `There is no list called ${wanted}; ${
            found.near.length > 0
              ? `did you mean ${listWords(
                  found.near.map((l) => l.data.name),
                  'or',
                )}?`
              : `there ${lists.length === 1 ? 'is' : 'are'} ${names(lists)}.`
          }`,
        )
      }
      if (found.matches.length > 1)
        return asked(
          `Which list: ${listWords(
            found.matches.map((l) => l.data.name),
            'or',
          )}?`,
        )
      const list = found.matches[0] as Item<List>
      if (item === undefined) {
        records.remove('lists', list.id)
        return done(`Deleted the ${list.data.name} list.`, { data: { list: list.data.name } })
      }
      if (/^(?:all|everything|all items|every item|all of it|all of them|it all)$/i.test(item)) {
        records.put('lists', list.id, { name: list.data.name, items: [] })
        return done(`The ${list.data.name} list is empty now.`, { data: { list: list.data.name } })
      }
      const gone: string[] = []
      for (const part of list.data.items.some((i) => i.toLowerCase() === item.toLowerCase())
        ? [item]
        : splitItems(item)) {
        const position = /^(?:the )?(first|last)(?: (?:item|one|entry|thing))?$/i.exec(part)?.[1]?.toLowerCase()
        const { matches, near } = position
          ? {
              matches: [position === 'first' ? list.data.items[0] : list.data.items.at(-1)].filter(
                (x) => x !== undefined,
              ),
              near: [],
            }
          : findNamed(part, list.data.items, (i) => [i])
        if (matches.length > 1) return asked(`Which of them: ${listWords(matches, 'or')}?`)
        if (matches[0] === undefined) return failed(`${part} is not on the ${list.data.name} list${didYouMean(near)}`)
        gone.push(matches[0])
      }
      records.put('lists', list.id, { name: list.data.name, items: list.data.items.filter((i) => !gone.includes(i)) })
      return done(`Removed ${listWords(gone)} from the ${list.data.name} list.`, {
        data: { list: list.data.name, removed: gone },
      })
    }),
  }
}
