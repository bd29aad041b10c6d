/** Why a store could not do what it was asked; `message` says what to do. */
export type StoreErrorCode =
  | 'read-only'
  | 'disk-full'
  | 'no-access'
  | 'newer-schema'
  | 'damaged'
  | 'busy'
  | 'outside'
  | 'too-large'
  | 'missing'
  | 'kind'
  | 'exists'
  | 'io'

/** A store's failure, worded for the owner. Tools turn it into a result. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  constructor(
    readonly code: StoreErrorCode,
    /** Which file or folder, relative to the data folder where possible. */
    readonly where: string,
    message: string,
  ) {
    super(message)
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Turns an error of the file system or of SQLite into a {@link StoreError}; other errors stay as they are. */
export function asStoreError(error: unknown, where: string): unknown {
  if (error instanceof StoreError) return error
  const code = codeOf(error)
  if (code === 'lock-timeout')
    return new StoreError('busy', where, `Another process is using ${where}. Try again in a moment.`)
  if (code === 'EROFS' || code.startsWith('SQLITE_READONLY'))
    return new StoreError(
      'read-only',
      where,
      `${where} cannot be written, because it is read-only. Make it writable or choose another data folder.`,
    )
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL')
    return new StoreError(
      'disk-full',
      where,
      `The disk is full, so ${where} was not changed. Free some space and try again.`,
    )
  if (code === 'EACCES' || code === 'EPERM' || code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_PERM'))
    return new StoreError(
      'no-access',
      where,
      `There is no permission to use ${where}. Check the rights of the data folder.`,
    )
  if (code.startsWith('SQLITE_BUSY') || code === 'SQLITE_LOCKED')
    return new StoreError('busy', where, `Another process is using ${where}. Try again in a moment.`)
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB')
    return new StoreError(
      'damaged',
      where,
      `${where} is damaged and was left as it is. Restore it from a backup or move it away.`,
    )
  if (code === 'ENOENT') return new StoreError('missing', where, `${where} does not exist.`)
  if (code.startsWith('SQLITE_IOERR') || /^E[A-Z]+$/.test(code))
    return new StoreError('io', where, `${where} could not be used (${code}). Check the disk and try again.`)
  return error
}
