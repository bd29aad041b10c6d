import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensurePythonEnv, PythonEnvError } from './python-env.js'
import { findPython } from './python-find.js'

/** Writes a wheel of one module by hand; pip needs neither network nor build tools for it. */
function writeWheel(python: string, folder: string, name: string): string {
  const file = join(folder, `${name}-1.0-py3-none-any.whl`)
  const info = `${name}-1.0.dist-info`
  const content = {
    [`${name}.py`]: `ANSWER = 42\n`,
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`,
    [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`${info}/RECORD`]: `${name}.py,,\n${info}/METADATA,,\n${info}/WHEEL,,\n${info}/RECORD,,\n`,
  }
  const script =
    'import json,sys,zipfile\nwith zipfile.ZipFile(sys.argv[1],"w") as z:\n for k,v in json.loads(sys.argv[2]).items(): z.writestr(k,v)'
  execFileSync(python, ['-I', '-c', script, file, JSON.stringify(content)])
  return file
}

describe('ensurePythonEnv', { timeout: 180_000 }, () => {
  let folder: string
  let base: string
  const saved = { ...process.env }

  beforeAll(async () => {
    delete process.env.BOTPSY_PYTHON
    folder = mkdtempSync(join(tmpdir(), 'botpsy-env-'))
    base = (await findPython()).executable
    const wheels = join(folder, 'wheels')
    mkdirSync(wheels)
    const locked = writeWheel(base, wheels, 'botpsy_test_locked')
    writeWheel(base, wheels, 'botpsy_test_plain')
    // The user's pip configuration is what says where packages come from: here, from a folder and nowhere else.
    process.env.PIP_NO_INDEX = '1'
    process.env.PIP_FIND_LINKS = wheels
    const hash = createHash('sha256').update(readFileSync(locked)).digest('hex')
    writeFileSync(join(folder, 'requirements.lock'), `botpsy_test_locked==1.0 --hash=sha256:${hash}\n`)
    writeFileSync(join(folder, 'requirements-torch.txt'), 'botpsy_test_plain==1.0\n')
    writeFileSync(join(folder, 'wrong.lock'), `botpsy_test_locked==1.0 --hash=sha256:${'0'.repeat(64)}\n`)
  })

  afterAll(() => {
    process.env = saved
    rmSync(folder, { recursive: true, force: true })
  })

  const answer = (python: string) =>
    execFileSync(python, [
      '-I',
      '-c',
      'import botpsy_test_locked as a, botpsy_test_plain as b; print(a.ANSWER + b.ANSWER)',
    ])
      .toString()
      .trim()

  it('makes the environment once, also when two ask at the same time, and makes a torn one anew', async () => {
    const cache = join(folder, 'cache')
    const lines: string[] = []
    const ask = () => ensurePythonEnv({ requirements: folder, cache, onProgress: (line) => lines.push(line) })
    const both = await Promise.all([ask(), ask()])
    expect(both.map((env) => env.made).sort()).toEqual([false, true])
    expect(both[0].python).toBe(both[1].python)
    expect(answer(both[0].python)).toBe('84')
    expect(lines.some((line) => line.startsWith('Successfully installed botpsy'))).toBe(true)
    expect((await ask()).made).toBe(false)

    const home = join(cache, readdirSync(cache)[0] as string)
    rmSync(join(home, 'current'))
    const remade = await ask()
    expect(remade.made).toBe(true)
    expect(remade.python).not.toBe(both[0].python)
    expect(answer(remade.python)).toBe('84')
    expect(readdirSync(home).filter((entry) => entry.startsWith('env-'))).toHaveLength(1)
  })

  it('refuses a package whose hash differs, says so, and leaves nothing half-made', async () => {
    const cache = join(folder, 'cache-wrong')
    const failure = await ensurePythonEnv({ requirements: folder, files: ['wrong.lock'], cache }).catch(
      (e: unknown) => e,
    )
    expect(failure).toBeInstanceOf(PythonEnvError)
    expect((failure as PythonEnvError).code).toBe('install-failed')
    expect((failure as PythonEnvError).message).toMatch(/hash/i)
    const home = join(cache, readdirSync(cache)[0] as string)
    expect(readdirSync(home).filter((entry) => entry.startsWith('env-') || entry === 'current')).toEqual([])
  })

  it('uses a named interpreter as it is, and refuses one that does not run', async () => {
    expect(await ensurePythonEnv({ python: base })).toEqual({ python: base, made: false })
    await expect(ensurePythonEnv({ python: join(folder, 'no-such-python') })).rejects.toMatchObject({
      code: 'bad-interpreter',
      where: join(folder, 'no-such-python'),
    })
  })
})
