import { sql } from 'kysely'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import type { WriteTransaction } from '../../database/database.ts'
import { inRange, type StagedRange } from './publish.queries.ts'

// What people did here to features that an import makes or replaces.

/** So many are read at once, with their shapes. */
const rowsPerPage = 500

/** Whether anybody ever changed a feature of the map. */
export async function hasEdits(transaction: WriteTransaction, mapId: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('feature_history')
    .select('feature_id')
    .where('map_id', '=', mapId)
    .where('action', '=', 'changed')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Staged rows of features that somebody has changed, in order; a page of them. */
export function readEdited(transaction: WriteTransaction, range: StagedRange) {
  return transaction
    .selectFrom('staged_features')
    .selectAll()
    .where(sql<boolean>`${inRange(range)}`)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('feature_history')
          .select('change_id')
          .whereRef('feature_history.map_id', '=', 'staged_features.map_id')
          .whereRef('feature_history.feature_id', '=', 'staged_features.id')
          .where('feature_history.action', '=', 'changed'),
      ),
    )
    .orderBy('row_number')
    .limit(rowsPerPage)
    .execute()
}

/** When an import last put what people had changed in features aside, by the features' ids. */
export async function readWhenReplaced(
  transaction: WriteTransaction,
  mapId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await transaction
    .selectFrom('import_changes as change')
    .innerJoin('imports as import', (join) =>
      join.onRef('import.map_id', '=', 'change.map_id').onRef('import.id', '=', 'change.import_id'),
    )
    .select(({ fn }) => ['change.id', fn.max('import.finished_at').as('at')])
    .where('change.map_id', '=', mapId)
    .where('change.id', 'in', ids)
    .where('import.state', '=', 'done')
    .where('import.replaces_edits', '=', 1)
    .where('change.deed', '=', 'row')
    .groupBy('change.id')
    .execute()
  return new Map(rows.map(({ id, at }) => [id, Number(at)]))
}

/** Whose features an import makes or replaces. */
export type Source = { mapId: string; source: string; kind: FeatureKind }

/** Whether features may have been removed here that the source has: only then is it looked for them row by row. */
export async function mayBeRemoved(
  transaction: WriteTransaction,
  { mapId, source, kind }: Source,
): Promise<boolean> {
  const imported = transaction
    .selectFrom('imports')
    .select('id')
    .where('map_id', '=', mapId)
    .where('source', '=', source)
    .where('kind', '=', kind)
    .where('state', '=', 'done')
  const removed = transaction.selectFrom('removed_features').select('id').where('map_id', '=', mapId)
  const found = await imported.unionAll(removed).limit(1).executeTakeFirst()
  return found !== undefined
}

/** What imports of a source have changed, and stand: first the imports, of which there are few, as a cross join tells SQLite. */
export const changesOf = ({ mapId, source, kind }: Source) => sql`
  imports cross join import_changes
  where imports.map_id = ${mapId} and imports.source = ${source} and imports.kind = ${kind}
    and imports.state = 'done'
    and import_changes.map_id = imports.map_id and import_changes.import_id = imports.id`

/** Its file did not have it any more, later than this import had it. */
const isRemovedLater = sql`exists (
  select 1 from imports as later cross join import_changes as removal
  where later.map_id = imports.map_id and later.state = 'done' and later.finished_at > imports.finished_at
    and removal.map_id = later.map_id and removal.import_id = later.id
    and removal.id = import_changes.id and removal.deed = 'removal'
)`

/** An import has removed it, as its file did not have it any more. */
const isByImport = sql`exists (
  select 1 from imports as remover
  where remover.map_id = removed_features.map_id and remover.id = removed_features.change_id
)`

/**
 * Rows of features that were removed here leave the stage, and are returned. A removed feature is known for 30 days by itself,
 * and for good by the import that made it.
 */
export async function leaveOutRemoved(transaction: WriteTransaction, range: StagedRange, of: Source) {
  const { rows } = await sql<{ row_number: number; id: string; name: string; lng: number; lat: number }>`
    delete from staged_features
    where ${inRange(range)}
      and not exists (
        select 1 from features where features.map_id = ${range.mapId} and features.id = staged_features.id
      )
      and (
        exists (
          select 1 from removed_features
          where removed_features.map_id = ${range.mapId} and removed_features.id = staged_features.id
            and not ${isByImport}
        )
        or not exists (
          select 1 from removed_features
          where removed_features.map_id = ${range.mapId} and removed_features.id = staged_features.id
        ) and exists (
          select 1 from ${changesOf(of)} and import_changes.id = staged_features.id
            and import_changes.deed <> 'removal' and not ${isRemovedLater}
        )
      )
    returning row_number, id, name, lng, lat`.execute(transaction)
  return rows
}
