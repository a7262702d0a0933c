import { MendableError } from '../mendable-error.ts'

/** What an ImportError is known by where it has come from a thread, and is no such object any more. */
export const importErrorCode = 'IMPORT'

/** A problem that the person who imports can do something about: shown as its message alone. */
export class ImportError extends MendableError {
  readonly code = importErrorCode
}
