import { StoreError } from './store-error.js'

const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * A path below a root in one spelling: forward slashes, no empty or `.` parts.
 * @throws {StoreError} `outside` for absolute paths, drive letters, `..`, NUL and control characters, names that a
 *   file system would read as something else (`nul`, trailing dots or blanks; a colon is left to the caller, for Maildir has it), and over-long paths.
 */
export function cleanPath(path: string): string {
  const shown = JSON.stringify(path.slice(0, 80))
  const refuse = (why: string): never => {
    throw new StoreError(
      'outside',
      path.slice(0, 80),
      `The path ${shown} is not allowed: ${why}. Use a path inside the folder, such as notes/today.txt.`,
    )
  }
  if (path.length > 1000) refuse('it is too long')
  if (/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/.test(path)) refuse('it has control characters')
  const slashed = path.replaceAll('\\', '/')
  if (slashed.startsWith('/') || /^[a-z]:/i.test(slashed) || slashed.startsWith('~')) refuse('it is absolute')
  const parts = slashed.split('/').filter((p) => p !== '' && p !== '.')
  for (const part of parts) {
    if (part === '..') refuse('it leads outside')
    if (RESERVED.test(part)) refuse('a name in it is reserved')
    if (/[. ]$/.test(part)) refuse('a name in it ends in a dot or a blank')
    if (part.length > 200 || new TextEncoder().encode(part).length > 250) refuse('a name in it is too long')
  }
  return parts.join('/')
}
