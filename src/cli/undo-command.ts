import type { Command } from 'commander'
import { localZone } from '../agent/system-text.js'
import { undo, undoable } from '../agent/undo.js'
import { makeVisible } from '../agent/visible.js'
import { composeData, type DataComposition } from './compose.js'
import { EXIT, UsageError } from './exit-codes.js'
import { addDataOption, type RunFlags } from './options.js'

/** Adds `undo`: takes back the last effect, or one of the numbers that `history` and `undo --list` show. */
export function registerUndoCommand(program: Command): void {
  addDataOption(program.command('undo'))
    .description('take back the last thing that was done, or the one of this number')
    .argument('[number]', 'number from `botpsy history` or `botpsy undo --list`')
    .option('--list', 'show what can be taken back')
    .action(async (number: string | undefined, flags: RunFlags & { list?: boolean }) => {
      const data = await composeData(flags)
      try {
        if (flags.list) {
          const lines = undoable(data.journal, data.registry).map(({ seq, name, said }) => `${seq}  ${name}: ${said}`)
          process.stdout.write(`${makeVisible(lines.join('\n') || 'There is nothing to undo.')}\n`)
          return
        }
        const { ok, text } = await undoText(data, number)
        process.stdout.write(`${text}\n`)
        process.exitCode = ok ? EXIT.done : EXIT.failed
      } finally {
        data.close()
      }
    })
}

/** Undoes and says so. @throws UsageError when the number is none */
export async function undoText(
  data: Pick<DataComposition, 'journal' | 'registry'>,
  number?: string,
): Promise<{ readonly ok: boolean; readonly text: string }> {
  const seq = number === undefined || number === '' ? undefined : Number(number)
  if (seq !== undefined && !Number.isInteger(seq)) throw new UsageError(`undo ${number}: not a number`)
  const result = await undo(data.journal, data.registry, { now: () => new Date(), timeZone: localZone() }, seq)
  const about = result.undone ? ` (${result.undone.name}: ${result.undone.said})` : ''
  return { ok: result.ok, text: makeVisible(`${result.content}${about}`) }
}
