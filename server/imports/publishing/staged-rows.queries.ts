import { sql } from 'kysely'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import type {
  Condition,
  EngineDialect,
  Extent,
  ReadDatabase,
  WriteTransaction,
} from '../../database/database.ts'
import type { FeatureColumns } from '../../database/tables.ts'
import { readRowsOf } from '../../features/rows/feature-rows.queries.ts'
import { ImportError } from '../import-error.ts'
import type { ReportedRow } from '../import-watch.ts'
import { missingPlace, type RowBatch } from '../reading/read-rows.ts'
import { contentColumns } from './feature-columns.ts'
import type { ImportKey } from './imports.queries.ts'
import type { StagedRow } from './row-rule.ts'

export type StagedRange = ImportKey & { first: number; last: number }

export const inRange = ({ mapId, importId, first, last }: StagedRange) => sql<boolean>`
  staged_features.map_id = ${mapId} and staged_features.import_id = ${importId}
  and staged_features.row_number between ${first} and ${last}`

export async function countStaged(transaction: WriteTransaction, key: ImportKey): Promise<number> {
  const { count } = await transaction
    .selectFrom('staged_features')
    .select((builder) => builder.fn.countAll<number>().as('count'))
    .where('map_id', '=', key.mapId)
    .where('import_id', '=', key.importId)
    .executeTakeFirstOrThrow()
  return count
}

export const replacesFeature: Condition = sql`features.id is not null`
export const replacesEditedFeature: Condition = sql`exists (
  select 1 from feature_history
  where feature_history.map_id = staged_features.map_id and feature_history.feature_id = staged_features.id
    and feature_history.action = 'changed'
)`
export const replacesOwnValues = ({ hasField }: EngineDialect) => hasField(['own'], 'features')
export const hasMaintenance = ({ hasField }: EngineDialect): Condition => sql`(
  staged_features.kind = 'asset' and staged_features.is_general = 0 and (
    ${hasField(['lastMaintenance'], 'staged_features')} or ${hasField(['maintenancePlan'], 'staged_features')}
    or features.kind = 'asset' and features.is_general = 0
      and (${hasField(['lastMaintenance'])} or ${hasField(['maintenancePlan'])})
  )
)`

/** Rows without a parcel, whose feature has one or that are within the box of one. */
export function mayBeOnParcel(
  { hasField, joinFeaturesAt }: EngineDialect,
  mapId: string,
  kinds: readonly FeatureKind[],
): Condition {
  const parcelsAt = joinFeaturesAt(mapId, sql`staged_features.lng`, sql`staged_features.lat`)
  return sql`(
    staged_features.kind in (${sql.join(kinds)}) and staged_features.is_general = 0
    and not (${hasField(['parcelId'], 'staged_features')})
    and (features.parcel_id is not null or exists (
      select 1 from (select 1 as one) as row_of_one ${parcelsAt}
      where features.kind = 'parcel' and features.is_general = 0
    ))
  )`
}

const besideCurrent = sql`
  staged_features
  left join features on features.map_id = staged_features.map_id and features.id = staged_features.id`

/** The query joins two large tables, so that it returns many numbers at once. */
const numbersPerPage = 50_000
const rowsPerPage = 500

export async function* pagesOfStaged(
  transaction: WriteTransaction,
  range: StagedRange,
  conditions: readonly Condition[],
): AsyncGenerator<StagedRow[]> {
  if (conditions.length === 0) return
  for (let { first } = range; ; ) {
    const { rows } = await sql<{ row_number: number }>`
      select staged_features.row_number from ${besideCurrent}
      where ${inRange({ ...range, first })} and (${sql.join(conditions, sql` or `)})
      order by staged_features.row_number limit ${numbersPerPage}`.execute(transaction)
    const numbers = rows.map(({ row_number }) => row_number)
    for (let start = 0; start < numbers.length; start += rowsPerPage)
      yield await readStaged(transaction, range, numbers.slice(start, start + rowsPerPage))
    const last = numbers.at(-1)
    if (last === undefined) return
    first = last + 1
  }
}

export async function readStaged(
  transaction: WriteTransaction,
  range: StagedRange,
  rowNumbers: readonly number[],
): Promise<StagedRow[]> {
  if (rowNumbers.length === 0) return []
  const rows = await transaction
    .selectFrom('staged_features')
    .selectAll()
    .where(inRange(range))
    .where('row_number', 'in', rowNumbers)
    .orderBy('row_number')
    .execute()
  const ids = rows.map(({ id }) => id)
  const current = await readRowsOf(transaction, range.mapId, ids)
  return rows.map(({ row_number: rowNumber, ...staged }) => ({
    rowNumber,
    staged,
    current: current.get(staged.id),
  }))
}

export async function updateStaged(
  transaction: WriteTransaction,
  { mapId, importId }: ImportKey,
  { rowNumber, staged }: StagedRow,
  changed: FeatureColumns,
) {
  const before: Readonly<Record<string, unknown>> = staged
  const columns = Object.fromEntries(
    Object.entries(changed).filter(([column, value]) => value !== before[column]),
  )
  if (Object.keys(columns).length === 0) return
  await transaction
    .updateTable('staged_features')
    .set(columns)
    .where('map_id', '=', mapId)
    .where('import_id', '=', importId)
    .where('row_number', '=', rowNumber)
    .execute()
}

const isUnchanged = sql.join(
  contentColumns.map(
    (column) => sql`staged_features.${sql.ref(column)} is not distinct from features.${sql.ref(column)}`,
  ),
  sql` and `,
)

export async function deleteUnchanged(transaction: WriteTransaction, range: StagedRange) {
  await sql`
    delete from staged_features
    where ${inRange(range)} and exists (
      select 1 from features
      where features.map_id = staged_features.map_id and features.id = staged_features.id and ${isUnchanged}
    )`.execute(transaction)
}

/** A preview does not draw longer shapes, only their places. */
const longestShape = 20_000

type ComparedRow = Extent & {
  row_number: number
  id: string
  name: string
  type: string | null
  lng: number
  lat: number
  geometry: string | null
  is_new: number
  is_same: number
}

export async function compareStaged(transaction: WriteTransaction, range: StagedRange) {
  const columns = ['row_number', 'id', 'name', 'type', 'lng', 'lat', 'west', 'south', 'east', 'north']
  const { rows } = await sql<ComparedRow>`
    select ${sql.join(columns.map((column) => sql.ref(`staged_features.${column}`)))},
      case when length(staged_features.geometry) <= ${longestShape} then staged_features.geometry end as geometry,
      case when features.id is null then 1 else 0 end as is_new,
      case when ${isUnchanged} then 1 else 0 end as is_same
    from ${besideCurrent}
    where ${inRange(range)}
    order by staged_features.row_number`.execute(transaction)
  return rows
}

// Rows of our own export without a place keep the place of their feature.

export async function takeOutPlaceless(
  read: ReadDatabase,
  mapId: string,
  batch: Pick<RowBatch, 'columns' | 'values' | 'placeless'>,
): Promise<ReportedRow[]> {
  const { columns, values, placeless } = batch
  if (placeless.length === 0) return []
  const ids = placeless.map(({ featureId = '' }) => featureId)
  const found = await read
    .selectFrom('features')
    .select('id')
    .where('map_id', '=', mapId)
    .where('id', 'in', ids)
    .execute()
  const onMap = new Set(found.map(({ id }) => id))
  const refused = placeless.filter(({ featureId = '' }) => !onMap.has(featureId))
  if (refused.length === 0) return []
  const numbers = new Set<unknown>(refused.map(({ rowNumber }) => rowNumber))
  const [width, numberAt] = [columns.length, columns.indexOf('row_number')]
  batch.values = values.filter(
    (_, index) => !numbers.has(values[Math.floor(index / width) * width + numberAt]),
  )
  return refused
}

export async function requirePlaces(transaction: WriteTransaction, range: StagedRange) {
  const row = await transaction
    .selectFrom('staged_features')
    .select('id')
    .where(inRange(range))
    .where('geometry', '=', missingPlace)
    .limit(1)
    .executeTakeFirst()
  if (row) throw new ImportError(`${row.id} was removed during the import. Import the file again.`)
}

/** An id of a report whose incident neither is nor was on the map. */
export async function readStagedReport(
  transaction: WriteTransaction,
  { mapId, importId }: Pick<StagedRange, 'mapId' | 'importId'>,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select reports.id from reports
    join staged_features as staged on staged.map_id = reports.map_id and staged.id = reports.id
    where reports.map_id = ${mapId} and staged.import_id = ${importId}
      and not exists (
        select 1 from features where features.map_id = reports.map_id and features.id = reports.id
      )
      and not exists (
        select 1 from removed_features as removed
        where removed.map_id = reports.map_id and removed.id = reports.id
      )
    limit 1`.execute(transaction)
  return rows[0]?.id
}
