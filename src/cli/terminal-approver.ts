import type { ApprovalAnswer, ApprovalRequest, Approver } from '../agent/approval.js'
import { lookAlikeWarning } from '../agent/look-alikes.js'
import { makeVisible } from '../agent/visible.js'
import { valueText } from './terminal-view.js'

/**
 * The approval as the owner reads it: what will run, every argument with where it came from, what leaves the device and
 * to whom, and why it asks. Hidden characters are visible and look-alike letters flagged.
 */
export function approvalText(request: ApprovalRequest): string {
  const lines = [`${request.tool}: ${request.description}`]
  if (request.preview) lines.push(request.preview)
  for (const [name, value] of Object.entries(request.arguments)) {
    const text = valueText(value)
    const origin = request.origins.get(name)?.label ?? 'unknown'
    const warning = request.warnings?.get(name) ?? lookAlikeWarning(text)
    lines.push(`  ${name}: ${text}   [from ${origin}]${warning === undefined ? '' : `  (!) ${warning}`}`)
  }
  if (request.egress) {
    lines.push(
      `  leaves this device: ${request.egress.what}, to ${request.egress.to.join(', ') || 'an unnamed recipient'}`,
    )
  }
  if (request.effect === 'irreversible') lines.push('  This cannot be undone.')
  lines.push(`  Asked because ${request.why}.`)
  return lines.map(makeVisible).join('\n')
}

/** Asks on the terminal. `nobody` when standard input or output is no terminal. */
export function terminalApprover(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Approver {
  const present = input.isTTY === true && output.isTTY === true
  const choose = async <T extends string>(
    message: string,
    options: { value: T; label: string }[],
    signal: AbortSignal | undefined,
  ): Promise<T | undefined> => {
    const { isCancel, select } = await import('@clack/prompts')
    const answer = await select<string>({
      message,
      options: options.map(({ value, label }) => ({ value: value as string, label })),
      initialValue: options[0]?.value ?? '',
      input,
      output,
      ...(signal ? { signal } : {}),
    })
    return isCancel(answer) ? undefined : (answer as T)
  }
  return {
    approve: async (request, signal): Promise<ApprovalAnswer> => {
      if (!present) return 'nobody'
      output.write(`\n${approvalText(request)}\n`)
      const answer = await choose(
        'Do it?',
        [
          { value: 'deny', label: 'No' },
          { value: 'allow', label: 'Yes, this once' },
        ],
        signal,
      )
      return answer === 'allow' ? 'allow' : 'deny'
    },
    settle: async (call, signal) => {
      if (!present) return 'nobody'
      const values = Object.entries(call.arguments).map(([name, value]) => `  ${name}: ${valueText(value)}`)
      output.write(
        `\n${makeVisible(`The program stopped while it did this, and nobody can tell whether it happened:\n${call.tool}: ${call.description}\n${values.join('\n')}`)}\n`,
      )
      const answer = await choose(
        'What now?',
        [
          { value: 'leave', label: 'Leave it; I will check' },
          { value: 'run', label: 'Do it (it may then happen twice)' },
        ],
        signal,
      )
      return answer === 'run' ? 'run' : 'leave'
    },
  }
}
