import { sql } from 'kysely'
import type { Database, Extent, WriteTransaction } from '../../database/database.ts'
import type { ImportKey } from './imports.queries.ts'
import type { ImportSource } from './publishing-options.ts'
import { inRange, type StagedRange } from './staged-rows.queries.ts'

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

export async function readWhenReplaced(
  transaction: WriteTransaction,
  mapId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map()
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

/** If not, `deleteRemovedHere` is not needed. */
export async function mayBeRemoved(
  transaction: WriteTransaction,
  { mapId, source, kind }: ImportSource,
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

/** The cross join makes SQLite begin with the imports, which are few. */
const changesOf = ({ mapId, source, kind }: ImportSource) => sql`
  imports cross join import_changes
  where imports.map_id = ${mapId} and imports.source = ${source} and imports.kind = ${kind}
    and imports.state = 'done'
    and import_changes.map_id = imports.map_id and import_changes.import_id = imports.id`

const isRemovedLater = sql`exists (
  select 1 from imports as later cross join import_changes as removal
  where later.map_id = imports.map_id and later.state = 'done' and later.finished_at > imports.finished_at
    and removal.map_id = later.map_id and removal.import_id = later.id
    and removal.id = import_changes.id and removal.deed = 'removal'
)`

const isRemovedByImport = sql`exists (
  select 1 from imports as remover
  where remover.map_id = removed_features.map_id and remover.id = removed_features.change_id
)`

/** Removed features are listed for 30 days; after that the changes of earlier imports show that the feature existed. */
export async function deleteRemovedHere(
  transaction: WriteTransaction,
  range: StagedRange,
  source: ImportSource,
) {
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
            and not ${isRemovedByImport}
        )
        or not exists (
          select 1 from removed_features
          where removed_features.map_id = ${range.mapId} and removed_features.id = staged_features.id
        ) and exists (
          select 1 from ${changesOf(source)} and import_changes.id = staged_features.id
            and import_changes.deed <> 'removal' and not ${isRemovedLater}
        )
      )
    returning row_number, id, name, lng, lat`.execute(transaction)
  return rows
}

export type MissingFeature = Extent & { id: string; name: string; lng: number; lat: number }

/** In the order of their ids. Needs all rows of the file staged. */
export async function readNotStaged(
  transaction: WriteTransaction,
  engine: Database['engine'],
  { importId }: ImportKey,
  source: ImportSource,
): Promise<MissingFeature[]> {
  const { mapId } = source
  const staged = sql`
    select staged_features.id from staged_features
    where staged_features.map_id = ${mapId} and staged_features.import_id = ${importId}`
  // The stage is in another order: each engine goes through it once with one of the two forms only.
  const isNotStaged =
    engine === 'postgres'
      ? sql`not exists (${staged} and staged_features.id = features.id)`
      : sql`features.id not in (${staged})`
  const { rows } = await sql<MissingFeature>`
    select id, name, lng, lat, west, south, east, north from features
    where map_id = ${mapId}
      and id in (select import_changes.id from ${changesOf(source)})
      and ${isNotStaged}
    order by id`.execute(transaction)
  return rows
}

/** Permanent, so that a later file can add the features again. */
export async function recordRemovals(
  transaction: WriteTransaction,
  { mapId: map_id, importId: import_id }: ImportKey,
  ids: readonly string[],
) {
  if (ids.length === 0) return
  const rows = ids.map((id) => ({ map_id, import_id, id, previous: null, deed: 'removal' as const }))
  await transaction.insertInto('import_changes').values(rows).execute()
}
