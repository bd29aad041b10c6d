import { z } from 'zod'
import type { JsonObject } from '../../chat/types.js'
import type { Egress, ToolContract } from '../../tools/contract.js'
import { hostOf } from '../net/web-address.js'

const text = z.string().optional()

/** A page is asked for at its own host, which learns the address. */
function toHost(args: JsonObject): Egress | undefined {
  const url = typeof args.url === 'string' ? args.url : ''
  if (url === '') return undefined
  return { to: [hostOf(url) ?? 'an unknown host'], what: `the address ${url}` }
}

/** Pages, notes and sources. */
export const researchContracts: readonly ToolContract[] = [
  {
    name: 'page_open',
    field: 'research',
    description: 'Open a web page by its address.',
    parameters: z.object({ url: text }),
    asks: { url: 'Which address?' },
    effect: () => 'read',
    egress: toHost,
    untrusted: true,
  },
  {
    name: 'note_add',
    field: 'research',
    description: 'Write down a note.',
    parameters: z.object({ text: text }),
    asks: { text: 'What should I note?' },
    effect: () => 'write',
  },
  {
    name: 'note_find',
    field: 'research',
    description: 'Find earlier notes.',
    parameters: z.object({ query: text }),
    effect: () => 'read',
  },
  {
    name: 'page_extract',
    field: 'research',
    description: 'Find the passage of a web page that answers a question.',
    parameters: z.object({ url: text, question: text }),
    asks: { url: 'Which address?', question: 'What should I look for on that page?' },
    examples: [
      'what does example.org/rules say about bicycles',
      'find the passage about refunds on https://shop.example/terms',
      'extract the opening hours from museum.example',
    ],
    effect: () => 'read',
    egress: toHost,
    untrusted: true,
  },
  {
    name: 'notes_answer',
    field: 'research',
    description: 'Answer a question from the notes, citing their sources.',
    parameters: z.object({ question: text }),
    asks: { question: 'What should I look for in the notes?' },
    examples: ['according to my notes how tall is the tower', 'what do my research notes say about kestrels'],
    effect: () => 'read',
  },
  {
    name: 'source_cite',
    field: 'research',
    description: 'Cite the source of a note or of an opened web page.',
    parameters: z.object({ source: text }),
    asks: { source: 'Which note or page?' },
    examples: [
      'cite note n3',
      'give me a citation for birds.example/kestrels',
      'what is the source of that note, cite it',
    ],
    effect: () => 'read',
  },
]
