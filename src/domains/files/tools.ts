import { z } from 'zod'
import type { ToolContract } from '../../tools/contract.js'

const text = z.string().optional()

/** The owner's files folder. */
export const filesContracts: readonly ToolContract[] = [
  {
    name: 'file_list',
    field: 'files',
    description: 'List the files in a folder.',
    parameters: z.object({ folder: text }),
    effect: () => 'read',
  },
  {
    name: 'file_search',
    field: 'files',
    description: 'Search files by name or text.',
    parameters: z.object({ query: text }),
    asks: { query: 'What should I search for?' },
    effect: () => 'read',
  },
  {
    name: 'file_read',
    field: 'files',
    description: 'Read a text file.',
    parameters: z.object({ path: text }),
    asks: { path: 'Which file should I read?' },
    effect: () => 'read',
  },
  {
    name: 'file_write',
    field: 'files',
    description: 'Create or overwrite a text file.',
    parameters: z.object({ path: text, text: text }),
    asks: { path: 'What should the file be called?', text: 'What should the file say?' },
    effect: () => 'write',
  },
  {
    name: 'file_append',
    field: 'files',
    description: 'Add text to the end of a file.',
    parameters: z.object({ path: text, text: text }),
    asks: { path: 'Which file should I add to?', text: 'What should I add?' },
    effect: () => 'write',
  },
  {
    name: 'file_move',
    field: 'files',
    description: 'Move or rename a file.',
    parameters: z.object({ path: text, to: text }),
    asks: { path: 'Which file should I move?', to: 'Where should it go?' },
    effect: () => 'write',
  },
  {
    name: 'file_trash',
    field: 'files',
    description: 'Move a file to the trash.',
    parameters: z.object({ path: text }),
    asks: { path: 'Which file should go to the trash?' },
    effect: () => 'write',
  },
]
