import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Folder of this package (holds `package.json`, `trainer/`, `models/`), found from where this file runs: the sources
 * or the build.
 * @throws {Error} when no enclosing folder is this package, which means a broken installation.
 */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  for (;;) {
    const manifest = join(folder, 'package.json')
    if (existsSync(manifest) && /"name":\s*"botpsy"/.test(readFileSync(manifest, 'utf8'))) return folder
    const parent = dirname(folder)
    if (parent === folder) throw new Error('BotPsy cannot find its own folder; reinstall the package.')
    folder = parent
  }
}
