// tsc emits only code: data files that the code reads at run time travel beside it.
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const assets = /\.(json|jinja|txt|csv|yaml|html|css)$/
for (const entry of readdirSync('src', { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !assets.test(entry.name)) continue
  const from = join(entry.parentPath ?? entry.path, entry.name)
  cpSync(from, join('dist', from.slice('src/'.length)))
}
