import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { GgufFile, writeGguf } from '../model/index.js'
import { registerModelCommand } from './model-command.js'

const folder = mkdtempSync(join(tmpdir(), 'botpsy-model-command-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => {
  process.exitCode = undefined
  vi.restoreAllMocks()
})

/** Runs a command line in this process. */
async function run(...line: string[]): Promise<{ out: string; err: string; code: typeof process.exitCode }> {
  let out = ''
  let err = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text)
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += String(text)
    return true
  })
  const program = new Command().exitOverride()
  registerModelCommand(program)
  await program.parseAsync(['node', 'botpsy', 'model', ...line])
  return { out, err, code: process.exitCode }
}

const file = join(folder, 'tiny.gguf')
await writeGguf(file, {
  metadata: [
    ['general.architecture', { type: 'string', value: 'qwen35' }],
    ['general.name', { type: 'string', value: 'Tiny' }],
    ['qwen35.block_count', { type: 'u32', value: 3 }],
  ],
  tensors: [
    { name: 'token_embd.weight', type: 'F32', shape: [32, 4], data: async () => new Uint8Array(512) },
    { name: 'output_norm.weight', type: 'F32', shape: [32], data: async () => new Uint8Array(128) },
  ],
})

test('info tells what a file holds, in words and as JSON', async () => {
  const words = await run('info', file)
  expect(words.out).toMatch(/name\s+Tiny/)
  expect(words.out).toMatch(/160 in 2 tensors/)
  const json = await run('info', file, '--json')
  expect(JSON.parse(json.out)).toMatchObject({ architecture: 'qwen35', layers: 3, parameters: 160, types: { F32: 2 } })
})

test('quantize writes another type', async () => {
  const copy = join(folder, 'copy.gguf')
  const { out, code } = await run('quantize', file, '-o', copy, '--type', 'q8_0')
  expect([code, out.includes(copy)]).toEqual([undefined, true])
  const opened = await GgufFile.open(copy)
  await opened.close()
  expect([opened.tensor('token_embd.weight').type, opened.tensor('output_norm.weight').type]).toEqual(['Q8_0', 'F32'])
})

test('what cannot be done is one line and exit code 1, without a file', async () => {
  const broken = join(folder, 'broken.gguf')
  writeFileSync(broken, 'nonsense')
  for (const line of [
    ['info', broken],
    ['info', join(folder, 'absent.gguf')],
    ['quantize', broken, '-o', join(folder, 'out.gguf')],
    ['convert', folder, '-o', join(folder, 'out.gguf')],
  ]) {
    const { err, code } = await run(...line)
    expect(code).toBe(1)
    expect(err.trim().split('\n')).toHaveLength(1)
  }
  expect(readdirSync(folder).filter((name) => name.startsWith('out'))).toEqual([])
})
