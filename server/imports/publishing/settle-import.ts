import type { Database } from '../../database/database.ts'

/** Fewer leave nothing behind that is worth the time. */
const manyChanges = 1_000

/** Tidies up behind a large import, or its undoing. It is done already: what fails here is told. */
export async function settleImport(
  { maintenance }: Database,
  changes: number,
  onNotice: ((notice: string) => void) | undefined,
) {
  if (changes < manyChanges) return
  try {
    await maintenance.settle(['features', 'import_changes'])
  } catch (error) {
    onNotice?.(
      `The database could not be tidied up (npm run compact does it, too): ${(error as Error).message}`,
    )
  }
}
