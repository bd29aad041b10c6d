import type { JsonObject } from '../../chat/types.js'
import type { Tool, ToolResult } from '../../tools/contract.js'
import { implement, reads } from '../implement.js'
import { asked, beginning, done, failed } from '../result.js'
import type { Entry, Folder, Records } from '../store/index.js'
import { text } from '../words/args.js'
import { countWords, didYouMean, findNamed, listWords } from '../words/match.js'
import { decodeText } from './decode.js'
import { digest, type FilePlan, fileEffect, trashPlace } from './file-effect.js'
import { FilesStore } from './files-store.js'
import { filesContracts } from './tools.js'

/** Most characters that a tool writes or reads at once. */
const MOST_TEXT = 1_000_000

const size = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} bytes`
    : bytes < 1_048_576
      ? `${Math.round(bytes / 1024)} KB`
      : `${(bytes / 1_048_576).toFixed(1)} MB`
const base = (path: string): string => path.split('/').at(-1) ?? path
const stem = (path: string): string => base(path).replace(/\.[^.]+$/, '')

/** The file or folder a phrase names: that path, else the only one of that name. */
function locate(files: FilesStore, phrase: string): { readonly entry: Entry } | { readonly problem: ToolResult } {
  const clean = files.check(phrase)
  const direct = files.folder.stat(clean)
  if (direct && clean !== '') return { entry: direct }
  const all = files.all()
  const same = all.filter(
    (e) =>
      base(e.path).toLowerCase() === base(clean).toLowerCase() ||
      stem(e.path).toLowerCase() === base(clean).toLowerCase(),
  )
  const { matches, near } =
    same.length > 0
      ? { matches: same, near: [] }
      : findNamed(phrase.replace(/\b(?:file|document)\b/gi, ' '), all, (e) => [stem(e.path), base(e.path)])
  if (matches.length === 1 && matches[0]) return { entry: matches[0] }
  if (matches.length > 1)
    return {
      problem: asked(
        `Which file: ${listWords(
          matches.slice(0, 6).map((e) => e.path),
          'or',
        )}?`,
      ),
    }
  const hint = didYouMean(near.map((e) => e.path))
  return { problem: failed(`There is no file called ${phrase}${hint}`) }
}

const withExtension = (path: string): string => (/\.[a-z0-9]{1,8}$/i.test(base(path)) ? path : `${path}.txt`)

/** The files tools over a folder that nothing leads out of. */
export function filesTools(folder: Folder, records: Records, denied: readonly string[]): readonly Tool[] {
  const files = new FilesStore(folder, denied)

  const writing = (tool: string, build: (old: string | undefined, added: string) => string) =>
    fileEffect(files, records, tool, (args, context) => {
      const phrase = text(args, 'path')
      const raw = args.text
      const added = typeof raw === 'string' ? raw : text(args, 'text')
      if (phrase === undefined) return asked('What should the file be called?')
      if (added === undefined) return asked(tool === 'file_append' ? 'What should I add?' : 'What should the file say?')
      if (added.length > MOST_TEXT) return failed('That text is too long for one file.')
      let path = files.check(phrase)
      if (path === '') return asked('What should the file be called?')
      const exists = files.folder.stat(path)
      if (exists?.kind === 'folder') return failed(`${path} is a folder. Give a file name.`)
      if (!exists) {
        const found = tool === 'file_append' ? locate(files, phrase) : undefined
        if (found && 'problem' in found && found.problem.question) return found.problem
        path = found && 'entry' in found ? found.entry.path : files.check(withExtension(path))
      }
      const bytes = files.folder.read(path)
      const decoded = bytes === undefined ? undefined : decodeText(bytes)
      if (bytes !== undefined && decoded === undefined && tool === 'file_append')
        return failed(`${path} is not a text file.`)
      const data = new TextEncoder().encode(build(decoded?.text, added))
      const plan: FilePlan = {
        op: 'write',
        path,
        to: null,
        saved: bytes === undefined ? null : trashPlace(context.idempotencyKey, path),
        after: digest(data),
        content:
          tool === 'file_append' && bytes !== undefined
            ? `Added to ${path}.`
            : bytes === undefined
              ? `Wrote ${path}.`
              : `Wrote ${path} anew; the old version can be brought back.`,
      }
      return { plan, data }
    })

  const path = (args: JsonObject, name: string, question: string): string | ToolResult =>
    text(args, name) ?? asked(question)

  return implement(filesContracts, {
    file_list: reads((args) => {
      const phrase = text(args, 'folder')
      const root =
        phrase === undefined ||
        /^(?:\.|\/|(?:my |the |all |our )*(?:files?|folders?|documents?|root|everything|home))$/i.test(phrase)
      let at = ''
      if (!root && phrase !== undefined) {
        at = files.check(phrase)
        if (files.folder.stat(at)?.kind !== 'folder') {
          const folders = [...new Set(files.all().map((e) => e.path.split('/').slice(0, -1).join('/')))].filter(
            (f) => f !== '',
          )
          const found = findNamed(phrase.replace(/\bfolder\b/gi, ' '), folders, (f) => [base(f), f]).matches
          if (found.length !== 1)
            return found.length > 1
              ? asked(`Which folder: ${listWords(found, 'or')}?`)
              : failed(
                  `There is no folder called ${phrase}${folders.length > 0 ? `; there are ${listWords(folders.slice(0, 6))}` : ''}.`,
                )
          at = found[0] as string
        }
      }
      const entries = files.list(at)
      const where = at === '' ? 'your files' : at
      if (entries.length === 0) return done(`There is nothing in ${where}.`, { data: [] })
      return done(
        `There ${entries.length === 1 ? 'is 1 entry' : `are ${entries.length} entries`} in ${where}: ${listWords(entries.slice(0, 6).map((e) => base(e.path)))}${entries.length > 6 ? ' and more' : ''}.`,
        {
          lines: entries.slice(0, 200).map((e) => `- ${e.path}${e.kind === 'folder' ? '/' : ` (${size(e.size)})`}`),
          data: entries.slice(0, 200).map((e) => ({ path: e.path, kind: e.kind, size: e.size })),
        },
      )
    }),

    file_search: reads((args) => {
      const query = text(args, 'query')
      if (query === undefined) return asked('What should I search for?')
      const wanted = query.normalize('NFC').toLowerCase()
      const hits: { path: string; line: string }[] = []
      let looked = 0
      for (const entry of files.all()) {
        if (hits.length >= 50 || looked > 64 * 1_048_576) break
        if (entry.path.normalize('NFC').toLowerCase().includes(wanted)) {
          hits.push({ path: entry.path, line: '' })
          continue
        }
        if (entry.size > 1_048_576) continue
        looked += entry.size
        const decoded = decodeText(files.folder.read(entry.path) ?? new Uint8Array())
        const line = decoded?.text.split(/\r?\n/).find((l) => l.normalize('NFC').toLowerCase().includes(wanted))
        if (line !== undefined) hits.push({ path: entry.path, line: line.trim().slice(0, 160) })
      }
      if (hits.length === 0) return done(`No file has ${query} in its name or text.`, { data: [] })
      const found = done(
        `${countWords(hits.length, 'file')} found: ${listWords(hits.slice(0, 5).map((h) => h.path))}${hits.length > 5 ? ' and more' : ''}.`,
        { lines: hits.map((h) => `- ${h.path}${h.line ? `: ${h.line}` : ''}`), data: hits },
      )
      // What stands in files may be anybody's: downloads, attachments.
      return hits.some((h) => h.line !== '') ? { ...found, untrusted: 'the text of files' } : found
    }),

    file_read: reads((args) => {
      const phrase = path(args, 'path', 'Which file should I read?')
      if (typeof phrase !== 'string') return phrase
      const found = locate(files, phrase)
      if ('problem' in found) return found.problem
      if (found.entry.kind === 'folder') return failed(`${found.entry.path} is a folder; list it instead.`)
      const decoded = decodeText(files.folder.read(found.entry.path) ?? new Uint8Array())
      if (decoded === undefined) return failed(`${found.entry.path} is not a text file.`)
      const lines = decoded.text === '' ? 0 : decoded.text.replace(/\r?\n$/, '').split(/\r?\n/).length
      const cut = decoded.text.length > MOST_TEXT
      const told = beginning(decoded.text)
      return {
        ...done(
          `${found.entry.path} has ${countWords(lines, 'line')}${cut ? ', of which the beginning follows' : ''}${told === '' ? '.' : `: ${told}`}`,
          {
            lines: [decoded.text.slice(0, MOST_TEXT)],
            data: { path: found.entry.path, encoding: decoded.encoding },
          },
        ),
        untrusted: `the text of ${found.entry.path}`,
      }
    }),

    file_write: writing('file_write', (_old, added) => (added.endsWith('\n') ? added : `${added}\n`)),
    file_append: writing(
      'file_append',
      (old, added) =>
        `${old === undefined || old === '' || old.endsWith('\n') ? (old ?? '') : `${old}\n`}${added.endsWith('\n') ? added : `${added}\n`}`,
    ),

    file_move: fileEffect(files, records, 'file_move', (args) => {
      const from = path(args, 'path', 'Which file should I move?')
      if (typeof from !== 'string') return from
      const to = path(args, 'to', 'Where should it go?')
      if (typeof to !== 'string') return to
      const found = locate(files, from)
      if ('problem' in found) return found.problem
      const source = found.entry.path
      let target = files.check(to.replace(/^(?:to )?(?:the )?folder /i, ''))
      const extension = /\.[a-z0-9]{1,8}$/i.exec(source)?.[0] ?? ''
      if (target === '' || /[/\\]$/.test(to) || /\bfolder\b/i.test(to) || files.folder.stat(target)?.kind === 'folder')
        target = `${target.replace(/ folder$/i, '')}/${base(source)}`
      else if (found.entry.kind === 'file' && !/\.[a-z0-9]{1,8}$/i.test(base(target))) target = `${target}${extension}`
      target = files.check(target)
      if (target === source) return failed(`${source} is there already.`)
      if (files.folder.stat(target))
        return failed(`${target} exists already. Choose another name or put that one in the trash first.`)
      if (target.startsWith(`${source}/`)) return failed('A folder cannot be moved into itself.')
      const after = found.entry.kind === 'folder' ? '' : digest(files.folder.read(source) ?? new Uint8Array())
      return {
        plan: { op: 'move', path: source, to: target, saved: null, after, content: `Moved ${source} to ${target}.` },
      }
    }),

    file_trash: fileEffect(files, records, 'file_trash', (args, context) => {
      const phrase = path(args, 'path', 'Which file should go to the trash?')
      if (typeof phrase !== 'string') return phrase
      const found = locate(files, phrase)
      if ('problem' in found) return found.problem
      const source = found.entry.path
      const after = found.entry.kind === 'folder' ? '' : digest(files.folder.read(source) ?? new Uint8Array())
      return {
        plan: {
          op: 'trash',
          path: source,
          to: trashPlace(context.idempotencyKey, source),
          saved: null,
          after,
          content: `${source} is in the trash.`,
        },
      }
    }),
  })
}
