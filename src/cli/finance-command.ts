import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Command, Option } from 'commander'
import { openHome } from '../agent/home.js'
import { makeVisible } from '../agent/visible.js'
import { Books, importStatement } from '../domains/finance/index.js'
import { Records } from '../domains/store/index.js'
import { EXIT, UsageError } from './exit-codes.js'
import { addDataOption } from './options.js'

interface FinanceFlags {
  readonly data?: string
  readonly account?: string
  readonly dates?: 'dmy' | 'mdy'
}

/** Most bytes of one statement. */
const MOST = 32 * 1024 * 1024

/** Adds `finance import`: a bank's statement into the books. */
export function registerFinanceCommand(program: Command): void {
  const group = program.command('finance').description("bring in a bank's statements")
  addDataOption(group.command('import'))
    .description("enter a bank's CSV or OFX file into an account; what was entered before is left out")
    .argument('<file>', 'the statement')
    .option('--account <name>', 'the account it belongs to; needed when there is more than one')
    .addOption(new Option('--dates <order>', 'what 3/4 means: day first or month first').choices(['dmy', 'mdy']))
    .action((file: string, flags: FinanceFlags) => {
      process.exitCode = bringIn(file, flags)
    })
}

/** Imports one file. @returns the exit code @throws UsageError, StatementError, StoreError */
function bringIn(file: string, flags: FinanceFlags): number {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (bytes.length > MOST) throw new UsageError(`${file} is too large for a statement.`)
  const records = new Records(join(openHome(flags.data).root, 'domains.db'))
  try {
    const { entered, known, account } = importStatement(new Books(records), decode(bytes), basename(file), flags)
    const old = known > 0 ? `; ${known} were there already` : ''
    process.stdout.write(`${makeVisible(`Entered ${entered} transactions into ${account}${old}.`)}\n`)
    return EXIT.done
  } finally {
    records.close()
  }
}

/** UTF-8 where it is, else what older bank programs write. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
