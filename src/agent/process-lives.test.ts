import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { processBirth, processLives } from './process-lives.js'

describe('processLives', () => {
  it('knows the living from the dead', async () => {
    expect(processLives(process.pid, Date.now())).toBe(true)
    const child = spawn(process.execPath, ['-e', ''])
    await once(child, 'exit')
    expect(processLives(child.pid ?? 0, Date.now())).toBe(false)
  })

  it.skipIf(process.platform !== 'linux')('takes no process for one that had its id before it began', () => {
    expect(processLives(process.pid, Date.now() - 86_400_000)).toBe(false)
  })

  it('takes nothing from before the machine was started for alive', () => {
    expect(processLives(process.pid, 0)).toBe(false)
  })

  it.skipIf(process.platform !== 'linux')('needs no clock where it knows when the process began', () => {
    const born = processBirth()
    expect(processLives(process.pid, 0, Date.now() + 86_400_000, born)).toBe(true)
    expect(processLives(process.pid, Date.now(), Date.now(), `${born}1`)).toBe(false)
  })
})
