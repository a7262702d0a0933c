/** What an ImportError is known by where it has come from a thread, and is no such object any more. */
export const importErrorCode = 'IMPORT'

/** A problem that the person who imports can do something about: shown as its message alone. */
export class ImportError extends Error {
  readonly code = importErrorCode
}
