import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { StateCache } from './state-cache.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'botpsy-states-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const put = async (cache: StateCache, tokens: readonly number[], bytes: number): Promise<void> => {
  await cache.save(tokens, (path) => writeFile(path, Buffer.alloc(bytes, tokens[0])))
  await cache.settled()
}

const age = (path: string, seconds: number): void => {
  const then = new Date(Date.now() - seconds * 1000)
  utimesSync(path, then, then)
}

describe('StateCache', () => {
  test('finds exactly what was saved, for the same model only', async () => {
    const cache = new StateCache(folder, 'model', 1e6)
    await put(cache, [1, 2, 3], 100)
    expect(await cache.find([1, 2, 3])).toMatch(/\.state$/)
    expect(await cache.find([1, 2])).toBeUndefined()
    expect(await new StateCache(folder, 'other model', 1e6).find([1, 2, 3])).toBeUndefined()
    expect(await new StateCache(folder, 'model', 1e6).find([1, 2, 3])).toBeDefined()
  })

  test('lets the least recently used go when it is full', async () => {
    const cache = new StateCache(folder, 'model', 250)
    await put(cache, [1], 100)
    const first = (await cache.find([1]))!
    age(first, 100)
    await put(cache, [2], 100)
    age((await cache.find([2]))!, 50)
    await cache.find([1])
    await put(cache, [3], 100)
    expect(await cache.find([2])).toBeUndefined()
    expect(await cache.find([1])).toBeDefined()
    expect(await cache.find([3])).toBeDefined()
    await put(cache, [4], 300)
    expect(await cache.find([4])).toBeUndefined()
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  test('a failed or interrupted write leaves nothing that is taken for a state', async () => {
    const cache = new StateCache(folder, 'model', 1e6)
    await cache.save([1], async (path) => {
      await writeFile(path, 'half')
      throw new Error('disk full')
    })
    await cache.settled()
    expect(readdirSync(folder)).toEqual([])
    const name = 'a'.repeat(40)
    writeFileSync(join(folder, `${name}.state`), 'without its other half')
    writeFileSync(join(folder, `${'b'.repeat(40)}.json`), '{"version":0}')
    writeFileSync(join(folder, `${name}.0123456789ab.tmp`), 'left behind')
    age(join(folder, `${name}.0123456789ab.tmp`), 7200)
    writeFileSync(join(folder, 'notes.txt'), 'not ours')
    await cache.tidy()
    expect(readdirSync(folder)).toEqual(['notes.txt'])
  })
})
