import type { Database } from '../../database/database.ts'
import { type Expectation, NotFoundError } from '../../domain-error.ts'
import { lockRanks } from '../../thinning/write-features.queries.ts'
import { type Change, changeFeaturesIn, type Outcome } from '../changes/change-features.commands.ts'
import { readFormerState } from './feature-history.ts'

/** A moment of a feature's history: after a change, or before it. */
export type Past = { changeId: string; isBefore: boolean }

/** Makes a feature what it was at a moment of its history, as a change of its own. */
export function restoreVersion(
  database: Database,
  change: Change,
  { id, isExpected, past }: { id: string; isExpected: Expectation; past: Past },
): Promise<Outcome> {
  const { mapId } = change
  return database.write(async (transaction) => {
    await lockRanks(transaction, database.engine, mapId)
    const feature = await readFormerState(transaction, mapId, id, past)
    if (!feature) throw new NotFoundError(`Feature ${id} has no such version.`)
    return changeFeaturesIn(database, transaction, change, [{ action: 'replace', id, isExpected, feature }])
  })
}
