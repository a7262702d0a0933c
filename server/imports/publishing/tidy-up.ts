import type { Database } from '../../database/database.ts'
import type { Advice } from '../import-error.ts'

const manyChanges = 1_000

/** Runs after the commit of a large import or undo: a failure is only a notice. */
export async function tidyUpAfterImport(
  { maintenance }: Database,
  changes: number,
  onNotice: ((notice: Advice) => void) | undefined,
) {
  if (changes < manyChanges) return
  try {
    await maintenance.tidyUp(['features', 'import_changes'])
  } catch (error) {
    const message = `Could not optimize the database: ${(error as Error).message}.`
    onNotice?.({ message, remedy: { remedy: 'compact' } })
  }
}
