import type { ToolResult } from '../../tools/contract.js'
import { asked, failed } from '../result.js'
import { findNamed, listWords } from '../words/match.js'
import type { Account } from './ledger.js'

/** The one account that a phrase names, or the question or failure that is left. Without a phrase the only one. */
export function pickAccount(
  accounts: readonly Account[],
  phrase: string | undefined,
  question: string,
): Account | ToolResult {
  const names = listWords(
    accounts.map((a) => a.data.name),
    'or',
  )
  if (accounts.length === 0) return failed('No account is entered. Add one first, with its name and balance.')
  if (phrase === undefined) {
    const only = accounts.length === 1 ? accounts[0] : undefined
    return only ?? asked(`${question} ${names}?`)
  }
  const { matches, near } = findNamed(phrase.replace(/\b(?:bank )?accounts?\b/gi, ' '), accounts, (a) => [
    a.data.name,
    a.id,
  ])
  if (matches.length > 1)
    return asked(
      `${question} ${listWords(
        matches.map((a) => a.data.name),
        'or',
      )}?`,
    )
  const [only] = matches
  if (only) return only
  const hint = near.length > 0 ? near.map((a) => a.data.name) : accounts.map((a) => a.data.name)
  return failed(`No account is called ${phrase}; did you mean ${listWords(hint, 'or')}?`)
}
