import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Command } from 'commander'
import { openHome } from '../agent/home.js'
import { makeVisible } from '../agent/visible.js'
import { cleanStatement, MEMORY_FILE, MemoryFile } from '../domains/memory/memory-file.js'
import { DiskFolder } from '../domains/store/index.js'
import { findNamed } from '../domains/words/match.js'
import { EXIT, UsageError } from './exit-codes.js'
import { addDataOption } from './options.js'

interface MemoryFlags {
  readonly data?: string
  readonly json?: boolean
}

/** Adds `memory`: shows, adds, forgets and edits what the owner told about themselves. */
export function registerMemoryCommand(program: Command): void {
  addDataOption(program.command('memory'))
    .description('show or change what you told BotPsy about yourself')
    .argument('[action]', 'show, add, forget or edit', 'show')
    .argument('[words...]', 'what to add or to forget; its number works too')
    .option('--json', 'print the statements as a JSON list')
    .addHelpText('after', '\nExamples:\n  botpsy memory add my boss is Anna\n  botpsy memory forget my boss is Anna\n')
    .action(async (action: string, words: string[], flags: MemoryFlags) => {
      process.exitCode = await memory(action, words.join(' '), flags)
    })
}

/** Opens the memory of a data folder. */
export function openMemory(data: string | undefined): { readonly memory: MemoryFile; readonly path: string } {
  const { root } = openHome(data)
  const folder = new DiskFolder(root, join(root, 'locks', 'memory.lock'))
  return { memory: new MemoryFile(folder), path: join(root, MEMORY_FILE) }
}

/** Does one action. @returns the exit code @throws UsageError, StoreError */
export async function memory(action: string, words: string, flags: MemoryFlags): Promise<number> {
  const { memory: file, path } = openMemory(flags.data)
  const say = (text: string): void => {
    process.stdout.write(`${makeVisible(text)}\n`)
  }
  if (action === 'show') {
    const all = file.statements().map(({ text }) => text)
    if (flags.json) say(JSON.stringify(all, null, 2))
    else if (all.length === 0) say('You have told BotPsy nothing about yourself. Add something: botpsy memory add …')
    else say(`${all.map((text, at) => `${at + 1}. ${text}`).join('\n')}\n\nThe file: ${path}`)
    return EXIT.done
  }
  if (action === 'add') {
    const statement = cleanStatement(words)
    if (statement === '') throw new UsageError('Say what to remember: botpsy memory add my boss is Anna')
    const replaced = await file.add(statement)
    if (replaced === undefined) say('That was known already.')
    else say(`Remembered: ${statement}${replaced.map((text) => `\nInstead of: ${text}`).join('')}`)
    return EXIT.done
  }
  if (action === 'forget') {
    const all = file.statements()
    const number = /^\d+$/.test(words) ? all[Number(words) - 1] : undefined
    const found = number ? [number] : findNamed(words, all, ({ text }) => [text]).matches
    const [only] = found
    if (words === '') throw new UsageError('Say what to forget: its number or its words.')
    if (only === undefined) {
      say(`There is nothing like that. See: botpsy memory`)
      return EXIT.failed
    }
    if (found.length > 1) {
      say(
        `Which one? Give more of it, or its number:\n${found.map(({ text }) => `${all.findIndex((s) => s.text === text) + 1}. ${text}`).join('\n')}`,
      )
      return EXIT.failed
    }
    await file.remove([only.text])
    say(`Forgotten: ${only.text}`)
    return EXIT.done
  }
  if (action === 'edit') return edit(path)
  throw new UsageError(`memory ${action}: use show, add, forget or edit`)
}

/** Opens the file in the owner's editor and waits for its end. */
async function edit(path: string): Promise<number> {
  const editor = process.env.VISUAL || process.env.EDITOR
  if (!editor) throw new UsageError(`Set EDITOR, or open ${path} yourself.`)
  // The variable may hold a command with options, as it does for other programs.
  const file = process.platform === 'win32' ? '"%BOTPSY_MEMORY_FILE%"' : '"$BOTPSY_MEMORY_FILE"'
  const child = spawn(`${editor} ${file}`, {
    shell: true,
    stdio: 'inherit',
    env: { ...process.env, BOTPSY_MEMORY_FILE: path },
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code === 0 ? EXIT.done : EXIT.failed))
  })
}
