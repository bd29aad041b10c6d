import { spawnSync } from 'node:child_process'

/** Path of a Python 3 to compare with, or undefined when there is none. For tests. */
export function findPython(): string | undefined {
  const name = process.env.BOTPSY_PYTHON || 'python3'
  return spawnSync(name, ['--version']).status === 0 ? name : undefined
}

/**
 * Runs a Python function body over many inputs in one process: `body` sees `x` and sets `y`; an exception gives
 * `{"error": class name}`. Inputs and results travel as JSON.
 * @throws Error when Python itself fails
 */
export function runPython(body: string, inputs: readonly unknown[]): unknown[] {
  const script = `
import sys, json, ast, re, math, warnings
warnings.simplefilter('ignore')
sys.setrecursionlimit(5000)
for line in sys.stdin:
    x = json.loads(line)
    try:
${body
  .split('\n')
  .map((line) => `        ${line}`)
  .join('\n')}
        print(json.dumps({'value': y}))
    except Exception as e:
        print(json.dumps({'error': type(e).__name__}))
`
  const input = inputs.map((one) => `${JSON.stringify(one)}\n`).join('')
  const run = spawnSync(findPython() ?? 'python3', ['-c', script], {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, PYTHONIOENCODING: 'utf-8' },
  })
  if (run.status !== 0) throw new Error(`python failed: ${run.stderr}`)
  const lines = run.stdout.trimEnd().split('\n')
  if (lines.length !== inputs.length) throw new Error(`python gave ${lines.length} results of ${inputs.length}`)
  return lines.map((line) => JSON.parse(line) as unknown)
}
