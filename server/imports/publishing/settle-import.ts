import type { Database } from '../../database/database.ts'
import type { Advice } from '../import-error.ts'

/** Fewer leave nothing behind that is worth the time. */
const manyChanges = 1_000

/** Tidies up behind a large import, or its undoing. It is done already: what fails here is told. */
export async function settleImport(
  { maintenance }: Database,
  changes: number,
  onNotice: ((notice: Advice) => void) | undefined,
) {
  if (changes < manyChanges) return
  try {
    await maintenance.settle(['features', 'import_changes'])
  } catch (error) {
    const message = `The database could not be tidied up: ${(error as Error).message}.`
    onNotice?.({ message, remedy: { remedy: 'compact' } })
  }
}
