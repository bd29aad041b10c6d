import type { Tool, ToolContext, ToolResult } from '../../tools/contract.js'
import { digest, type FilePlan, fileEffect, trashPlace } from '../files/file-effect.js'
import { FilesStore } from '../files/files-store.js'
import { implement, reads } from '../implement.js'
import { asked, done, failed } from '../result.js'
import type { Records } from '../store/index.js'
import { meansAll, text } from '../words/args.js'
import { countWords, findNamed, keyWords, listWords } from '../words/match.js'
import {
  cleanStatement,
  MEMORY_FILE,
  type MemoryFile,
  type Remembered,
  withoutStatements,
  withStatement,
} from './memory-file.js'
import { readStatement } from './statement.js'
import { memoryContracts } from './tools.js'

export { LONGEST_STATEMENT, MEMORY_FILE, MemoryFile, statementsOf } from './memory-file.js'
export { Recall } from './recall.js'
export { readStatement, type WorkingHours } from './statement.js'
export { resolveArguments, withMemory } from './with-memory.js'

/** Words that a model may put around the owner's own. */
const SMALL = new Set(
  'i me my mine we our you your is are was am be been the a an of to in on at and or it its that this s called named name call from until by for with do does not no who what'.split(
    ' ',
  ),
)

/** Why a call may not touch the memory: only what the owner said enters it or leaves it. */
function notOwn(said: string, context: ToolContext): ToolResult | undefined {
  if (context.taintedBy !== undefined)
    return failed(
      `That comes from ${context.taintedBy}. Only what you tell me yourself goes into my memory of you; say it in your own words if you want it there.`,
    )
  // A model may make something up without any outside text.
  const spoken = new Set(keyWords(context.request))
  const foreign = keyWords(said).filter((word) => !spoken.has(word) && !SMALL.has(word))
  if (context.request.trim() !== '' && foreign.length > 0)
    return asked(`You did not say "${foreign.join(' ')}". What exactly should it be, in your own words?`)
  return undefined
}

/** What the owner said in place of a scrap of it ("anna" of "my boss is anna"): a very small model may cut too much. */
function wholeStatement(fact: string, context: ToolContext): string {
  const whole = cleanStatement(context.request)
  const scrap = fact !== '' && readStatement(fact).kind === 'note' && whole.toLowerCase().includes(fact.toLowerCase())
  return scrap && readStatement(whole).kind !== 'note' ? whole : fact
}

const EVERYTHING = /\b(?:me|myself|memory|remember(?:ed)?)\b/i

const matching = (statements: readonly Remembered[], phrase: string): readonly Remembered[] => {
  const wanted = phrase.replace(/^(?:that|about|who|what|where|how)\s+/i, '').replace(/\s+(?:is|are)$/i, '')
  return findNamed(wanted, statements, ({ text: said, fact }) => [
    said,
    ...(fact.kind === 'alias' ? [fact.name, fact.meaning] : []),
    ...(fact.kind === 'home' ? ['home', 'address', 'where i live', 'home address', fact.place] : []),
    ...(fact.kind === 'hours' ? ['working hours', 'work hours', 'when i work'] : []),
  ]).matches
}

/** memory_tell, memory_show and memory_forget over the owner's memory file. */
export function memoryTools(memory: MemoryFile, records: Records): readonly Tool[] {
  const files = new FilesStore(memory.folder)
  const rewrite = (key: string, after: string, content: string): { plan: FilePlan; data: Uint8Array } => {
    const data = new TextEncoder().encode(after)
    const saved = files.folder.stat(MEMORY_FILE) === undefined ? null : trashPlace(key, MEMORY_FILE)
    return { plan: { op: 'write', path: MEMORY_FILE, to: null, saved, after: digest(data), content }, data }
  }
  return implement(memoryContracts, {
    memory_tell: fileEffect(files, records, 'memory_tell', (args, context) => {
      const statement = wholeStatement(cleanStatement(text(args, 'fact') ?? ''), context)
      if (statement === '') return asked('What should I remember about you?')
      const foreign = notOwn(statement, context)
      if (foreign) return foreign
      const added = withStatement(memory.text(), statement)
      if (added === undefined) return done('I know that already.')
      const instead = added.replaced.length === 0 ? '' : ` That takes the place of: ${listWords(added.replaced)}.`
      return rewrite(context.idempotencyKey, added.text, `I will remember: ${statement}.${instead}`)
    }),

    memory_show: reads((args) => {
      const all = memory.statements()
      const about = text(args, 'about')
      const every = about === undefined || meansAll(about) || EVERYTHING.test(about)
      const found = every ? all : matching(all, about)
      const data = found.map((s) => s.text)
      if (all.length === 0) return done('You have told me nothing about yourself yet.', { data })
      if (found.length === 0) return done(`You have told me nothing about ${about}.`, { data })
      if (found.length === 1) return done(`You told me: ${found[0]?.text}.`, { data })
      return done(`You told me ${countWords(found.length, 'thing')}.`, { lines: data.map((s) => `- ${s}`), data })
    }),

    memory_forget: fileEffect(files, records, 'memory_forget', (args, context) => {
      const phrase = text(args, 'fact')
      if (phrase === undefined) return asked('What should I forget about you?')
      const foreign = notOwn(phrase, context)
      if (foreign) return foreign
      const all = memory.statements()
      const every = meansAll(phrase)
      const found = every ? all : matching(all, cleanStatement(phrase.replace(/^(?:please )?forget /i, '')))
      if (found.length === 0) return failed(`You have told me nothing about ${phrase}, so there is nothing to forget.`)
      if (found.length > 1 && !every)
        return asked(
          `Which one should I forget: ${listWords(
            found.slice(0, 6).map((s) => s.text),
            'or',
          )}?`,
        )
      const gone = found.map((s) => s.text)
      const said = every ? `I forgot all ${countWords(gone.length, 'thing')}` : `I forgot: ${gone[0]}`
      return rewrite(context.idempotencyKey, withoutStatements(memory.text() ?? '', gone), `${said}.`)
    }),
  })
}
