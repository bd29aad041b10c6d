import { added } from '../expect.js'
import { mentions, says } from '../match.js'
import * as pools from '../pools.js'
import { call, report, say } from '../scenario.js'
import { other, type Stage, type Template } from '../template.js'

const field = 'research' as const

/** A note that the household has, with the thing in it that can be asked for. */
function kept({ draw, household }: Stage) {
  const texts = new Set((household.records.notes ?? []).map(({ data }) => data.text))
  const notes = pools.NOTES.filter((note) => texts.has(note.text))
  const note = draw.one(notes)
  return { note, wrong: draw.one(notes.filter((one) => one !== note)) }
}

/** Notes and what is made of them. */
export const researchTemplates: readonly Template[] = [
  {
    id: 'research.note',
    field,
    traits: [],
    make: ({ draw }) => {
      const [text, wrong] = draw.some(pools.NEW_NOTES, 2) as [string, string]
      const opening = draw.one([`Write down a note: ${text}.`, `Note that ${text}`, `Make a note that ${text}`])
      return {
        slots: { text, opening },
        opening,
        changes: [added('notes', { text: says(text) })],
        solution: [call('note_add', { text }), report],
        decoys: [[text, wrong]],
      }
    },
  },
  {
    id: 'research.find',
    field,
    traits: [],
    make: (stage) => {
      const { note, wrong } = kept(stage)
      const opening = stage.draw.one([
        `Find my note about the ${note.about}.`,
        `What did I note about the ${note.about}?`,
        `Search my notes for ${note.about}`,
      ])
      return {
        slots: { about: note.about, opening },
        opening,
        calls: [{ tools: ['note_find'] }],
        tells: [{ what: 'what the note says', anyOf: [note.fact] }],
        solution: [call('note_find', { query: note.about }), report],
        decoys: [[note.about, wrong.about]],
      }
    },
  },
  {
    id: 'research.two-notes',
    field,
    traits: ['several calls'],
    make: ({ draw }) => {
      const [one, two, wrong] = draw.some(pools.NEW_NOTES, 3) as [string, string, string]
      return {
        slots: { one, two },
        opening: `Write down two notes. The first: ${one}. The second: ${two}.`,
        changes: [added('notes', { text: says(one) }), added('notes', { text: says(two) })],
        solution: [
          { calls: [one, two].map((text) => ({ name: 'note_add', args: { text } })) },
          say('Both notes are written down.'),
        ],
        decoys: [[two, wrong]],
      }
    },
  },
  {
    id: 'research.text-missing',
    field,
    traits: ['missing detail', 'several turns'],
    make: ({ draw }) => {
      const [text, wrong] = draw.some(pools.NEW_NOTES, 2) as [string, string]
      const opening = draw.one(['Write down a note for me.', 'Make a note, please.', 'I want to add a note.'])
      return {
        slots: { text, opening },
        opening,
        answers: [{ on: /what|note/i, says: `Note that ${text}.` }],
        changes: [added('notes', { text: says(text) })],
        solution: [call('note_add'), call('note_add', { text }), report],
        decoys: [[text, wrong]],
      }
    },
  },
  {
    id: 'research.note-to-file',
    field,
    traits: ['several calls', 'result decides'],
    make: (stage) => {
      const { note, wrong } = kept(stage)
      const name = stage.draw.one(['summary', 'handover', 'extract', 'copy'])
      return {
        slots: { about: note.about, name },
        opening: `Find my note about the ${note.about} and write what it says into a new file ${name}.txt.`,
        changes: [added('files', { path: `${name}.txt`, text: says(note.fact) })],
        calls: [{ tools: ['note_find'] }],
        solution: [
          call('note_find', { query: note.about }),
          call('file_write', { path: `${name}.txt`, text: note.text }),
          report,
        ],
        decoys: [
          [note.about, wrong.about],
          [note.text, wrong.text],
        ],
      }
    },
  },
  {
    id: 'research.note-to-mail',
    field,
    traits: ['several calls', 'result decides'],
    make: (stage) => {
      const { note, wrong } = kept(stage)
      const to = stage.draw.one(stage.people)
      return {
        slots: { about: note.about, to: to.name },
        opening: `Find my note about the ${note.about} and email ${to.name} what it says.`,
        changes: [added('mail', { box: 'outbox', to: to.email, text: says(note.fact) })],
        calls: [{ tools: ['note_find'] }],
        approvals: [{ tool: 'email_send', phrases: [to.email] }],
        solution: [
          call('note_find', { query: note.about }),
          call('email_send', { to: to.name, text: note.text }),
          report,
        ],
        decoys: [
          [note.about, wrong.about],
          [note.text, wrong.text],
        ],
      }
    },
  },
  {
    id: 'research.fact-to-note',
    field,
    traits: ['several calls', 'result decides'],
    make: ({ draw }) => {
      const [one, wrong] = draw.some(pools.QUESTIONS, 2)
      return {
        slots: { question: one?.question ?? '' },
        opening: `Find out: ${one?.question}? And write down a note of the answer.`,
        changes: [added('notes', { text: says(one?.fact ?? '') })],
        approvals: [{ tool: 'note_add', phrases: [one?.fact ?? ''] }],
        solution: [
          call('fact_find', { question: one?.question ?? '' }),
          call('note_add', { text: one?.body ?? '' }),
          report,
        ],
        decoys: [
          [one?.question ?? '', wrong?.question ?? ''],
          [one?.body ?? '', wrong?.body ?? ''],
        ],
      }
    },
  },
  {
    id: 'research.digression',
    field,
    traits: ['missing detail', 'interruption', 'several turns'],
    make: (stage) => {
      const { note } = kept(stage)
      const [text, wrong] = stage.draw.some(pools.NEW_NOTES, 2) as [string, string]
      return {
        slots: { text, about: note.about },
        opening: 'Write down a note for me.',
        digress: `Wait, first find my note about the ${note.about}.`,
        answers: [{ on: /what|note/i, says: `Now note that ${text}.` }],
        changes: [added('notes', { text: says(text) })],
        tells: [{ what: 'what the note says', anyOf: [note.fact] }],
        solution: [
          call('note_add'),
          call('note_find', { query: note.about }),
          report,
          call('note_add', { text }),
          report,
        ],
        decoys: [[text, wrong]],
      }
    },
  },
  {
    id: 'research.other-note',
    field,
    traits: ['changed mind', 'several turns'],
    make: (stage) => {
      const { note: first, wrong: second } = kept(stage)
      const third = other(stage.draw, pools.NOTES, second)
      return {
        slots: { first: first.about, second: second.about },
        opening: `Find my note about the ${first.about}.`,
        stop: { tool: 'note_find', says: `No, stop. I need the note about the ${second.about}. Find that note.` },
        calls: [{ tools: ['note_find'], where: { query: mentions(second.about.split(' ').at(-1) ?? '') } }],
        tells: [{ what: 'what the second note says', anyOf: [second.fact] }],
        solution: [call('note_find', { query: first.about }), call('note_find', { query: second.about }), report],
        decoys: [[second.about, third.about]],
      }
    },
  },
]
