import { added, changed, removed } from '../expect.js'
import { says } from '../match.js'
import * as pools from '../pools.js'
import { call, report, say } from '../scenario.js'
import { other, type Stage, type Template } from '../template.js'

const field = 'files' as const

/** A file that the household has, with the thing in it that can be asked for. */
function kept({ draw, household }: Stage) {
  const file = draw.one(household.files)
  const wrong = other(draw, household.files, file)
  const fact = pools.FILES.find((one) => one.path === file.path)?.fact ?? ''
  return { path: file.path, text: file.text, fact, wrong: wrong.path }
}

const base = (path: string): string => path.split('/').at(-1) ?? path
const NAMES = ['ideas', 'visitors', 'measurements', 'wishes', 'errands', 'phrases'] as const

/** The owner's files. */
export const filesTemplates: readonly Template[] = [
  {
    id: 'files.read',
    field,
    traits: [],
    make: (stage) => {
      const { path, text, fact, wrong } = kept(stage)
      const wrongText = stage.household.files.find((one) => one.path === wrong)?.text ?? ''
      const line = (whole: string) => whole.trim().split('\n').slice(1).join(' ')
      return {
        slots: { path },
        opening: `Read me the file ${path}.`,
        calls: [{ tools: ['file_read'] }],
        tells: [{ what: 'what it says', anyOf: [fact] }],
        solution: [call('file_read', { path }), say(line(text))],
        decoys: [
          [path, wrong],
          [line(text), line(wrongText)],
        ],
      }
    },
  },
  {
    id: 'files.write',
    field,
    traits: [],
    make: ({ draw }) => {
      const [name, wrong] = draw.some(NAMES, 2) as [string, string]
      const text = draw.one(pools.NEW_NOTES)
      return {
        slots: { name, text },
        opening: `Create a text file called ${name}.txt that says: ${text}`,
        changes: [added('files', { path: `${name}.txt`, text: says(text) })],
        solution: [call('file_write', { path: `${name}.txt`, text }), report],
        decoys: [[name, wrong]],
      }
    },
  },
  {
    id: 'files.append',
    field,
    traits: [],
    make: (stage) => {
      const { path, wrong, fact } = kept(stage)
      const text = stage.draw.one(pools.NEW_NOTES)
      return {
        slots: { path, text },
        opening: `Add this to the end of the file ${path}: ${text}`,
        changes: [changed('files', { path }, { path, text: says(fact, text) })],
        solution: [call('file_append', { path, text }), report],
        decoys: [[path, wrong]],
      }
    },
  },
  {
    id: 'files.move',
    field,
    traits: [],
    make: (stage) => {
      const { path, wrong } = kept(stage)
      const folder = stage.draw.one(['archive', 'old', 'shared', 'winter'])
      return {
        slots: { path, folder },
        opening: `Move the file ${path} to the folder ${folder}.`,
        changes: [removed('files', { path }), added('files', { path: `${folder}/${base(path)}` })],
        solution: [call('file_move', { path, to: `${folder}/` }), report],
        decoys: [[path, wrong]],
      }
    },
  },
  {
    id: 'files.trash',
    field,
    traits: [],
    make: (stage) => {
      const { path, wrong } = kept(stage)
      const opening = stage.draw.one([
        `Move the file ${path} to the trash.`,
        `Throw the file ${path} away, into the trash`,
      ])
      return {
        slots: { path, opening },
        opening,
        changes: [removed('files', { path })],
        solution: [call('file_trash', { path }), report],
        decoys: [[path, wrong]],
      }
    },
  },
  {
    id: 'files.search',
    field,
    traits: [],
    make: (stage) => {
      const worded = stage.household.files.filter((file) =>
        /^[a-z ]+$/i.test(pools.FILES.find((one) => one.path === file.path)?.fact ?? ''),
      )
      const { path, fact } = kept({ ...stage, household: { ...stage.household, files: worded } })
      const other = pools.FILES.find((one) => one.path !== path && worded.some((file) => file.path === one.path))
      return {
        slots: { path, fact },
        opening: `Search my files for "${fact}". Which file is it in?`,
        calls: [{ tools: ['file_search', 'file_read'] }],
        tells: [{ what: 'the file', anyOf: [path, base(path)] }],
        solution: [call('file_search', { query: fact }), report],
        decoys: [[fact, other?.fact ?? 'nothing of the kind']],
      }
    },
  },
  {
    id: 'files.copy-fact',
    field,
    traits: ['several calls', 'result decides'],
    make: (stage) => {
      const { path, fact, text } = kept(stage)
      const [name, wrong] = stage.draw.some(NAMES, 2) as [string, string]
      const line = text.split('\n').find((one) => one.includes(fact)) ?? ''
      return {
        slots: { path, name },
        opening: `Read the file ${path} and write what it says into a new file ${name}.txt.`,
        changes: [added('files', { path: `${name}.txt`, text: says(fact) })],
        calls: [{ tools: ['file_read'] }],
        solution: [call('file_read', { path }), call('file_write', { path: `${name}.txt`, text: line }), report],
        decoys: [[name, wrong]],
      }
    },
  },
  {
    id: 'files.name-missing',
    field,
    traits: ['missing detail', 'several turns'],
    make: ({ draw }) => {
      const [name, wrong] = draw.some(NAMES, 2) as [string, string]
      const text = draw.one(pools.NEW_NOTES)
      return {
        slots: { name, text },
        opening: `Create a text file that says: ${text}`,
        answers: [{ on: /called|name|which|file/i, says: `Call the file ${name}.txt.` }],
        changes: [added('files', { path: `${name}.txt`, text: says(text) })],
        solution: [call('file_write', { text }), call('file_write', { path: `${name}.txt`, text }), report],
        decoys: [[name, wrong]],
      }
    },
  },
  {
    id: 'files.other-folder',
    field,
    traits: ['changed mind', 'several turns'],
    make: (stage) => {
      const { path, wrong } = kept(stage)
      const [first, second] = stage.draw.some(['archive', 'old', 'shared', 'winter'], 2) as [string, string]
      return {
        slots: { path, first, second },
        opening: `Move the file ${path} to the folder ${first}.`,
        next: [`I changed my mind. Move the file ${first}/${base(path)} to the folder ${second} instead.`],
        changes: [removed('files', { path }), added('files', { path: `${second}/${base(path)}` })],
        solution: [
          call('file_move', { path, to: `${first}/` }),
          report,
          call('file_move', { path: `${first}/${base(path)}`, to: `${second}/` }),
          report,
        ],
        decoys: [
          [`${first}/${base(path)}`, `${first}/${base(wrong)}`],
          [path, wrong],
        ],
      }
    },
  },
  {
    id: 'files.which-one',
    field,
    traits: ['ambiguity', 'several turns'],
    make: ({ draw }) => {
      const name = draw.one(NAMES)
      const [one, two] = draw.some(['cellar', 'attic', 'porch', 'studio'], 2) as [string, string]
      const path = `${one}/${name}.txt`
      return {
        slots: { name, one, two },
        opening: `Move the file ${name} to the trash.`,
        answers: [{ on: /which|\bor\b/i, says: `The file ${path}.` }],
        changes: [removed('files', { path })],
        with: { files: [one, two].map((folder) => ({ path: `${folder}/${name}.txt`, text: `From the ${folder}.\n` })) },
        solution: [call('file_trash', { path: name }), call('file_trash', { path }), report],
        decoys: [[path, `${two}/${name}.txt`]],
      }
    },
  },
  {
    id: 'files.if-there',
    field,
    traits: ['several calls', 'result decides'],
    make: (stage) => {
      const { draw, household } = stage
      const there = draw.unit() < 0.5
      const has = new Set(household.files.map((file) => file.path))
      const file = draw.one(pools.FILES.filter((one) => has.has(one.path) === there))
      const text = draw.one(pools.NEW_NOTES)
      const wrong = other(
        draw,
        household.files.map((one) => one.path),
        file.path,
      )
      return {
        slots: { path: file.path, there: String(there), text },
        opening: `Search for the file ${base(file.path)}. If it is there, add this to the end of it: ${text}. If not, write that into a new file spare.txt.`,
        changes: there
          ? [changed('files', { path: file.path }, { path: file.path, text: says(file.fact, text) })]
          : [added('files', { path: 'spare.txt', text: says(text) })],
        solution: [
          call('file_search', { query: base(file.path) }),
          there ? call('file_append', { path: file.path, text }) : call('file_write', { path: 'spare.txt', text }),
          report,
        ],
        decoys: there ? [[file.path, wrong]] : [['spare.txt', 'stray.txt']],
      }
    },
  },
  {
    id: 'files.move-two',
    field,
    traits: ['several calls'],
    make: ({ draw, household }) => {
      const [one, two, wrong] = draw.some(household.files, 3).map((file) => file.path) as [string, string, string]
      return {
        slots: { one, two },
        opening: `Move the files ${one} and ${two} to the folder archive.`,
        changes: [one, two].flatMap((path) => [
          removed('files', { path }),
          added('files', { path: `archive/${base(path)}` }),
        ]),
        solution: [
          { calls: [one, two].map((path) => ({ name: 'file_move', args: { path, to: 'archive/' } })) },
          say('Both files are in archive now.'),
        ],
        decoys: [[two, wrong]],
      }
    },
  },
]
