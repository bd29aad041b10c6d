import { z } from 'zod'
import type { ToolContract } from '../../tools/contract.js'

const text = z.string().optional()

/** Pages, notes and sources. */
export const researchContracts: readonly ToolContract[] = [
  {
    name: 'page_open',
    field: 'research',
    description: 'Open a web page by its address.',
    parameters: z.object({ url: text }),
    asks: { url: 'Which address?' },
    effect: () => 'read',
    egress: (args) => ({ to: ['the search service'], what: Object.values(args).join(' ') }),
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
]
