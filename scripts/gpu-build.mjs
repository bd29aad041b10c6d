// npm run gpu -- cuda | vulkan | off: puts a GPU build of llama.cpp in the place of its stand-in, or the stand-in back.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const builds = join(root, 'node_modules', '@node-llama-cpp')
const kind = process.argv[2] ?? ''
const system = { linux: 'linux', win32: 'win' }[process.platform]

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

if (!['cuda', 'vulkan', 'off'].includes(kind)) fail('Usage: npm run gpu -- cuda | vulkan | off')
if (process.platform === 'darwin') fail('On macOS the installed build uses Metal already.')
if (system === undefined || process.arch !== 'x64') fail('There are GPU builds for Linux and Windows on x64 only.')

const { version } = JSON.parse(readFileSync(join(root, 'node_modules', 'node-llama-cpp', 'package.json'), 'utf8'))
const base = `${system}-x64`

if (kind === 'off') {
  for (const name of [`${base}-cuda`, `${base}-cuda-ext`, `${base}-vulkan`]) {
    rmSync(join(builds, name), { recursive: true, force: true })
    cpSync(join(root, 'stubs', 'no-gpu-build'), join(builds, name), { recursive: true })
  }
  process.stdout.write('The plain build is used.\n')
  process.exit(0)
}

const names = kind === 'cuda' ? [`${base}-cuda`, `${base}-cuda-ext`] : [`${base}-vulkan`]
// A folder of its own: in ours the overrides of package.json would put the stand-in back.
const temporary = mkdtempSync(join(tmpdir(), 'botpsy-gpu-'))
try {
  const packages = names.map((name) => `@node-llama-cpp/${name}@${version}`)
  const run = spawnSync('npm', ['install', '--prefix', temporary, '--no-save', '--ignore-scripts', ...packages], {
    cwd: temporary,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (run.status !== 0) fail('npm could not fetch the build.')
  for (const name of names) {
    const fetched = join(temporary, 'node_modules', '@node-llama-cpp', name)
    if (!existsSync(join(fetched, 'bins'))) fail(`${name} holds no build.`)
    const place = join(builds, name)
    const beside = `${place}.new`
    rmSync(beside, { recursive: true, force: true })
    cpSync(fetched, beside, { recursive: true })
    rmSync(place, { recursive: true, force: true })
    renameSync(beside, place)
  }
  process.stdout.write(`The ${kind} build of llama.cpp ${version} is installed; npm run gpu -- off takes it out.\n`)
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
