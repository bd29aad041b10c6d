// Runs after `npm ci` in a clone: makes the install smaller and builds dist/. Not run where botpsy is a dependency.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const modules = join(root, 'node_modules')

/**
 * Removes what node-llama-cpp brings for other machines (its ARM builds declare themselves fit for x64, so that one can
 * cross-compile) and the history of llama.cpp's sources, which is read only when llama.cpp is built from source. We never
 * do (`build: "never"`). 66 MB on linux-x64. `npm ci` brings them back.
 */
function slim() {
  const builds = join(modules, '@node-llama-cpp')
  const foreign = { x64: ['arm64', 'armv7l', 'riscv64'], arm64: ['x64', 'armv7l', 'riscv64'] }[process.arch] ?? []
  const system = { linux: 'linux', win32: 'win', darwin: 'mac' }[process.platform] ?? ''
  for (const name of existsSync(builds) ? readdirSync(builds) : [])
    if (foreign.some((arch) => name === `${system}-${arch}`))
      rmSync(join(builds, name), { recursive: true, force: true })
  rmSync(join(modules, 'node-llama-cpp', 'llama', 'gitRelease.bundle'), { force: true })
}

slim()
// TypeScript alone proves nothing: it also comes in as a peer of other packages.
if (existsSync(join(modules, '@types', 'better-sqlite3'))) {
  const { status } = spawnSync('npm', ['run', 'build'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  process.exit(status ?? 1)
}
if (!existsSync(join(root, 'dist')))
  process.stderr.write('botpsy is not built: run npm ci with development packages once.\n')
