import { sql } from 'kysely'
import type { LandChange, Lineage, LineageStep } from '#domain/features/land-change.schema.ts'
import type { ReadDatabase, WriteTransaction } from '../../database/database.ts'
import type { LandChangesTable, LandOriginsTable } from '../../database/tables.ts'

type InsertedLandChange = LandChange & {
  mapId: string
  changeId: string
  at: number
  actor: string
  /** Of all features before or after the change. */
  names: ReadonlyMap<string, string>
}

export async function insertLandChange(
  transaction: WriteTransaction,
  { mapId, changeId, at, actor, record, origins, names }: InsertedLandChange,
) {
  await transaction
    .insertInto('land_changes')
    .values({
      map_id: mapId,
      change_id: changeId,
      at,
      actor,
      record_type: record?.type ?? null,
      record_number: record?.number ?? null,
      record_date: record?.date ?? null,
      record_file_id: record?.fileId ?? null,
      is_undone: 0,
    })
    .execute()
  const rows = origins.flatMap(({ id, from }) =>
    from.map(
      (originId): LandOriginsTable => ({
        map_id: mapId,
        change_id: changeId,
        feature_id: id,
        name: names.get(id) ?? '',
        origin_id: originId,
        origin_name: names.get(originId) ?? '',
      }),
    ),
  )
  const rowsPerInsert = 500
  for (let start = 0; start < rows.length; start += rowsPerInsert)
    await transaction
      .insertInto('land_origins')
      .values(rows.slice(start, start + rowsPerInsert))
      .execute()
}

export async function markLandChange(
  transaction: WriteTransaction,
  mapId: string,
  { changeId, isUndone }: { changeId: string; isUndone: boolean },
) {
  await transaction
    .updateTable('land_changes')
    .set({ is_undone: isUndone ? 1 : 0 })
    .where('map_id', '=', mapId)
    .where('change_id', '=', changeId)
    .execute()
}

/** Features of all steps together. */
const maxRows = 5_000

const changeColumns = [
  'land_changes.change_id',
  'land_changes.at',
  'land_changes.actor',
  'land_changes.record_type',
  'land_changes.record_number',
  'land_changes.record_date',
  sql<string | null>`(
    select files.id from files
    where files.map_id = land_changes.map_id and files.id = land_changes.record_file_id
      and files.removed_at is null
  )`.as('record_file_id'),
] as const

export async function readLineage(read: ReadDatabase, mapId: string, id: string): Promise<Lineage> {
  const rows = (column: 'feature_id' | 'origin_id') =>
    read
      .selectFrom('land_origins')
      .innerJoin('land_changes', (join) =>
        join
          .onRef('land_changes.map_id', '=', 'land_origins.map_id')
          .onRef('land_changes.change_id', '=', 'land_origins.change_id'),
      )
      .where('land_origins.map_id', '=', mapId)
      .where(`land_origins.${column}`, '=', id)
      .where('land_changes.is_undone', '=', 0)
      .select([
        ...changeColumns,
        'land_origins.feature_id',
        'land_origins.name',
        'land_origins.origin_id',
        'land_origins.origin_name',
      ])
      .orderBy('land_changes.at', 'desc')
      .orderBy('land_origins.feature_id')
      .orderBy('land_origins.origin_id')
      .limit(maxRows)
      .execute()
  const recorded = await read
    .selectFrom('feature_history')
    .innerJoin('land_changes', (join) =>
      join
        .onRef('land_changes.map_id', '=', 'feature_history.map_id')
        .onRef('land_changes.change_id', '=', 'feature_history.change_id'),
    )
    .where('feature_history.map_id', '=', mapId)
    .where('feature_history.feature_id', '=', id)
    .where('land_changes.record_type', 'is not', null)
    .where('land_changes.is_undone', '=', 0)
    .select(changeColumns)
    .orderBy('land_changes.at', 'desc')
    .limit(maxRows)
    .execute()
  const cameFrom = toSteps(await rows('feature_id'), (row) => ({ id: row.origin_id, name: row.origin_name }))
  const became = toSteps(await rows('origin_id'), (row) => ({ id: row.feature_id, name: row.name }))
  const shown = new Set([...cameFrom, ...became].map(({ changeId }) => changeId))
  const records = recorded
    .filter(({ change_id }) => !shown.has(change_id))
    .map((row) => ({ ...stepOf(row), features: [] }))
  return { cameFrom, became, records }
}

type Change = Omit<LandChangesTable, 'map_id' | 'is_undone'>
type Row = Change & Omit<LandOriginsTable, 'map_id' | 'change_id'>

function toSteps(rows: readonly Row[], featureOf: (row: Row) => { id: string; name: string }): LineageStep[] {
  return [...Map.groupBy(rows, ({ change_id }) => change_id).values()].flatMap((ofChange) => {
    const [first] = ofChange
    return first ? [{ ...stepOf(first), features: ofChange.map(featureOf) }] : []
  })
}

function stepOf({ change_id: changeId, at, actor, ...row }: Change): Omit<LineageStep, 'features'> {
  const { record_type: type, record_number: number, record_date: date, record_file_id: fileId } = row
  return {
    changeId,
    at: new Date(Number(at)).toISOString(),
    actor,
    record: type === null || number === null ? null : { type, number, date, fileId },
  }
}
