import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { memory } from './memory-command.js'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

it('botpsy memory adds, shows, replaces, forgets and edits', async () => {
  const data = mkdtempSync(join(tmpdir(), 'botpsy-memory-'))
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  const parts: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => parts.push(String(text)) > 0)
  const said = () => parts.splice(0).join('')
  expect(await memory('show', '', { data })).toBe(0)
  expect(said()).toMatch(/nothing about yourself/)
  await memory('add', 'remember that my boss is Anna', { data })
  await memory('add', 'I live in Pécs', { data })
  await memory('add', 'my boss is Tom', { data })
  expect(said()).toMatch(/Remembered: my boss is Tom\nInstead of: my boss is Anna/)
  await memory('show', '', { data, json: true })
  expect(JSON.parse(said())).toEqual(['I live in Pécs', 'my boss is Tom'])
  expect(await memory('forget', 'somebody else', { data })).toBe(1)
  expect(await memory('forget', '2', { data })).toBe(0)
  expect(said()).toMatch(/Forgotten: my boss is Tom/)
  vi.stubEnv('VISUAL', 'echo "- my wife is Eva" >>')
  expect(await memory('edit', '', { data })).toBe(0)
  await memory('show', '', { data })
  expect(said()).toMatch(/1\. I live in Pécs\n2\. my wife is Eva/)
  expect(readFileSync(join(data, 'memory.md'), 'utf8')).toContain('- my wife is Eva')
  await expect(memory('burn', '', { data })).rejects.toThrow(/show, add, forget or edit/)
})
