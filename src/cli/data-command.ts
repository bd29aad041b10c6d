import type { Command } from 'commander'
import { EXIT } from './exit-codes.js'

interface DataFlags {
  readonly datasets?: string
  readonly json?: boolean
}

/** Adds `data fetch` and `data list` to the program. */
export function registerDataCommand(program: Command): void {
  const group = program.command('data').description('fetch and list the public sets that suites and training read')
  group
    .command('fetch')
    .description('fetch a set from its public source, at a fixed commit; again: goes on where it stopped')
    .argument('<set>', 'a name of `botpsy data list`, or all')
    .option('--datasets <folder>', 'where to (default: datasets in the cache of the data folder)')
    .action(async (name: string, flags: DataFlags) => {
      process.exitCode = await dataFetch(name, flags)
    })
  group
    .command('list')
    .description('say what is here, where it comes from and under which licence')
    .option('--datasets <folder>', 'where to look (default: BOTPSY_DATASETS, then the cache)')
    .option('--json', 'print as one JSON array')
    .action(async (flags: DataFlags) => {
      process.exitCode = await dataList(flags)
    })
}

/** @throws NoDataSetError, HubError, DataFetchError */
async function dataFetch(name: string, flags: DataFlags): Promise<number> {
  const [{ dataSets, dataSetsNamed }, { fetchData }, { datasetsCache }] = await Promise.all([
    import('../evals/data/catalogue.js'),
    import('../evals/data/fetch-data.js'),
    import('../evals/datasets-place.js'),
  ])
  const sets = dataSets()
  const folder = flags.datasets ?? datasetsCache()
  const tty = process.stderr.isTTY === true
  for (const set of dataSetsNamed(name, sets)) {
    const { fetched, present, made } = await fetchData(set, folder, sets, {
      onFile: ({ to }) => {
        if (tty) process.stderr.write(`\r\u001b[K${set.name}: ${to}`)
      },
    })
    if (tty) process.stderr.write('\r\u001b[K')
    process.stdout.write(
      `${set.name}: ${fetched} files fetched, ${present} were there` +
        `${made.length > 0 ? `, ${made.length} made of them` : ''}. Licence: ${set.licence}.\n` +
        set.lacking.map((what) => `  cannot be fetched: ${what}\n`).join(''),
    )
  }
  process.stdout.write(`In ${folder}\n`)
  return EXIT.done
}

async function dataList(flags: DataFlags): Promise<number> {
  const [{ dataSets, NOT_FETCHED }, { dataState }, { datasetsFolders }] = await Promise.all([
    import('../evals/data/catalogue.js'),
    import('../evals/data/data-state.js'),
    import('../evals/datasets-place.js'),
  ])
  const folders = flags.datasets === undefined ? datasetsFolders() : [flags.datasets]
  const states = dataSets().map((set) => dataState(set, folders))
  if (flags.json) {
    process.stdout.write(`${JSON.stringify(states)}\n`)
    return EXIT.done
  }
  for (const { name, title, licence, sources, folder, present, total, lacking } of states) {
    const here = total === 0 ? 'nothing of it can be fetched' : `${present} of ${total} files here`
    process.stdout.write(`${name}: ${title}\n  ${here}${folder ? `, in ${folder}` : ''}\n  licence: ${licence}\n`)
    for (const source of sources) process.stdout.write(`  from ${source}\n`)
    for (const what of lacking) process.stdout.write(`  cannot be fetched: ${what}\n`)
  }
  process.stdout.write(`\nBeside these:\n${NOT_FETCHED.map((what) => `  ${what}\n`).join('')}`)
  return EXIT.done
}
