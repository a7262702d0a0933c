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

/** `undoes` is a change, or the undo of one, which is then redone. `undone` is the change that the undo undid. */
export async function markLandChange(
  transaction: WriteTransaction,
  mapId: string,
  { undoes, undone }: { undoes: string; undone: string | null },
) {
  await transaction
    .updateTable('land_changes')
    .set({ is_undone: undone === null ? 1 : 0 })
    .where('map_id', '=', mapId)
    .where('change_id', '=', undone ?? undoes)
    .execute()
}

const maxSteps = 100

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
        'land_changes.change_id',
        'land_changes.at',
        'land_changes.actor',
        'land_changes.record_type',
        'land_changes.record_number',
        'land_changes.record_date',
        'land_origins.feature_id',
        'land_origins.name',
        'land_origins.origin_id',
        'land_origins.origin_name',
      ])
      .orderBy('land_changes.at', 'desc')
      .orderBy('land_origins.feature_id')
      .orderBy('land_origins.origin_id')
      .limit(maxSteps)
      .execute()
  return {
    cameFrom: toSteps(await rows('feature_id'), (row) => ({ id: row.origin_id, name: row.origin_name })),
    became: toSteps(await rows('origin_id'), (row) => ({ id: row.feature_id, name: row.name })),
  }
}

type Row = Omit<LandChangesTable, 'map_id' | 'is_undone'> & Omit<LandOriginsTable, 'map_id' | 'change_id'>

function toSteps(rows: readonly Row[], featureOf: (row: Row) => { id: string; name: string }): LineageStep[] {
  return [...Map.groupBy(rows, ({ change_id }) => change_id).values()].flatMap((ofChange) => {
    const [first] = ofChange
    if (!first) return []
    const {
      change_id: changeId,
      at,
      actor,
      record_type: type,
      record_number: number,
      record_date: date,
    } = first
    return [
      {
        changeId,
        at: new Date(Number(at)).toISOString(),
        actor,
        record: type === null || number === null ? null : { type, number, date },
        features: ofChange.map(featureOf),
      },
    ]
  })
}
