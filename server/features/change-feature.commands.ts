import type { Person } from '#domain/access/session.schema.ts'
import type { ActivityAction } from '#domain/activity/activity.schema.ts'
import { recordActivity } from '../activity/activity.queries.ts'
import type { Database } from '../database/database.ts'
import type { FeatureColumns } from '../database/tables.ts'
import { type Expectation, expectVersion, NotFoundError } from '../domain-error.ts'
import { requireOpenMapIn } from '../maps/maps.queries.ts'
import { updateFeature } from '../thinning/write-features.queries.ts'
import { holdFeature } from './features.queries.ts'

type Request = { mapId: string; id: string; person: Person; isExpected: Expectation }

/**
 * The new values of a row, and the activity of the change. Columns that are left out stay as they are. None of these
 * columns decides about ranks, so `lockRanks` is not called.
 */
export type FeatureEdit = {
  columns: Partial<Pick<FeatureColumns, 'status' | 'fields'>>
  action: ActivityAction
  details: Record<string, unknown>
}

/** Changes one feature as `decide` says; null means no change. Returns the row afterwards. */
export function changeFeature(
  database: Database,
  { mapId, id, person, isExpected }: Request,
  decide: (row: FeatureColumns, now: number) => FeatureEdit | null,
): Promise<FeatureColumns> {
  return database.write(async (transaction) => {
    await requireOpenMapIn(transaction, mapId)
    // First the feature, then (with the activity) its map: in the order in which imports take them.
    const row = await holdFeature(database, transaction, mapId, id)
    if (!row) throw new NotFoundError(`Map ${mapId} has no feature ${id}.`)
    expectVersion(isExpected, row.version, `Feature ${id}`)
    const now = Date.now()
    const edit = decide(row, now)
    if (!edit) return row
    const change = { ...edit.columns, version: row.version + 1, updated_at: now }
    await updateFeature(transaction, row, change)
    const { action, details } = edit
    const { west, south, east, north } = row
    const extent = { west, south, east, north }
    await recordActivity(transaction, { mapId, action, actor: person, subject: id, details, extent }, now)
    return { ...row, ...change }
  })
}
