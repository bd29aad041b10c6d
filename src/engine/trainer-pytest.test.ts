import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { packageRoot } from './package-root.js'
import { ensurePythonEnv } from './python-env.js'

const run = promisify(execFile)

it("passes the worker's own tests in the product's Python environment", { timeout: 1_800_000 }, async () => {
  const { python } = await ensurePythonEnv()
  const result = await run(python, ['-m', 'pytest'], {
    cwd: join(packageRoot(), 'trainer'),
    maxBuffer: 1 << 26,
  }).catch((error: { stdout?: string; stderr?: string }) => error)
  const text = `${result.stdout ?? ''}${result.stderr ?? ''}`
  expect(text).toMatch(/\d+ passed/)
  expect(text).not.toMatch(/\d+ (failed|error|skipped)/)
})
