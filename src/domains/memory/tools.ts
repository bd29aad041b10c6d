import { z } from 'zod'
import type { ToolContract } from '../../tools/contract.js'

const text = z.string().optional()

/** What the owner tells about themselves. */
export const memoryContracts: readonly ToolContract[] = [
  {
    name: 'memory_tell',
    field: 'files',
    description: 'Remember a fact about the owner: who is who, pet names of devices, home, working hours.',
    parameters: z.object({ fact: text }),
    asks: { fact: 'What should I remember about you?' },
    examples: [
      'my boss is anna',
      'my wife is called eva',
      'my daughter is lily',
      'tom is my brother',
      'i call the living room lamp otto',
      'the kitchen light is called bertha',
      'when i say the den i mean the office',
      'my working hours are nine to five',
      'i work from monday to friday eight to four',
      'i live in budapest',
      'my home address is 12 main street',
      'remember that my boss is anna',
      'remember that i call the living room lamp otto',
      'you should know that my doctor is called kim',
    ],
    effect: () => 'write',
  },
  {
    name: 'memory_show',
    field: 'files',
    description: 'Show what was remembered about the owner.',
    parameters: z.object({ about: text }),
    examples: [
      'what do you know about me',
      'what have i told you about myself',
      'show your memory',
      'who is my boss',
      'what do you remember about me',
      'what are my working hours',
      'what did i tell you about my family',
    ],
    effect: () => 'read',
  },
  {
    name: 'memory_forget',
    field: 'files',
    description: 'Forget something that was remembered about the owner.',
    parameters: z.object({ fact: text }),
    asks: { fact: 'What should I forget about you?' },
    examples: [
      'forget who my boss is',
      'forget what i told you about my home',
      'forget my working hours',
      'forget everything you know about me',
    ],
    effect: () => 'write',
  },
]
