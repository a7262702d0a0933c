import { type Selectable, sql } from 'kysely'
import { valueAt } from '#domain/definition/definition.ts'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import { type ColumnFields, columnFields } from '#domain/features/column-fields.ts'
import { type CustomFields, fieldsOf } from '#domain/features/custom-fields.ts'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import { parcelDefinition } from '#domain/parcels/parcel.definition.ts'
import type { ReadDatabase } from '../../database/database.ts'
import type { FeaturesTable } from '../../database/tables.ts'
import { kindOfRow } from '../rows/derive-columns.ts'
import { readNextDue } from '../rows/feature-row.ts'
import { type FieldSight, readFields } from '../rows/stored-fields.ts'

const summaryDescriptionLength = 400

const columns = [
  'id',
  'kind',
  'shape',
  'name',
  'type',
  'status',
  'severity',
  'date',
  'lng',
  'lat',
  'version',
  'date_order',
  'name_order',
  'parcel_id',
  'is_general',
  'fields',
] as const
export const summaryColumns = [
  ...columns,
  sql<string>`substr(description, 1, ${sql.lit(summaryDescriptionLength)})`.as('description'),
] as const

export type SummaryRow = Pick<Selectable<FeaturesTable>, (typeof columns)[number] | 'description'>

export async function readSummaryRows(
  read: ReadDatabase,
  mapId: string,
  ids: readonly string[],
): Promise<SummaryRow[]> {
  if (ids.length === 0) return []
  const rows = await read
    .selectFrom('features')
    .select(summaryColumns)
    .where('map_id', '=', mapId)
    .where('id', 'in', ids)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export type SummaryFields = FieldSight & { fields: readonly string[]; customFields: CustomFields }

export async function toSummaries(
  read: ReadDatabase,
  mapId: string,
  rows: readonly SummaryRow[],
  extraFields: SummaryFields,
): Promise<FeatureSummary[]> {
  const parcels = await readNames(read, mapId, 'parcel', [
    ...new Set(rows.flatMap((row) => row.parcel_id ?? [])),
  ])
  const columns = columnFields(extraFields.customFields)
  return rows.map((row) => {
    const { id, kind, shape, name, description, version, parcel_id } = row
    const { area, owner } =
      kind === 'parcel' ? readFields(parcelDefinition.fields, row, extraFields) : noParcel
    const parcelName = parcel_id === null ? undefined : parcels.get(parcel_id)
    return {
      id,
      kind,
      shape,
      name,
      description,
      type: row.type as FeatureSummary['type'],
      status: row.status as FeatureSummary['status'],
      severity: row.severity as FeatureSummary['severity'],
      date: row.date === null ? null : new Date(row.date).toISOString(),
      location: { lat: row.lat, lng: row.lng },
      parcel: parcel_id === null || parcelName === undefined ? null : { id: parcel_id, name: parcelName },
      area,
      owner,
      version,
      ...(extraFields.fields.length > 0 && { values: valuesAt(row, extraFields, columns) }),
    }
  })
}

function valuesAt(
  row: SummaryRow,
  { fields, customFields, ...sight }: SummaryFields,
  columns: ColumnFields,
): FeatureSummary['values'] {
  const kind = kindOfRow(row)
  const values = {
    ...readFields(fieldsOf(kind, customFields), row, sight),
    nextDue: sight.isStaff ? readNextDue(row) : null,
  }
  const paths = fields.filter((path) => columns[kind].has(path))
  return Object.fromEntries(
    paths.map((path) => [path, valueAt(values, path) as string | number | boolean | null]),
  )
}

const noParcel = { area: null, owner: null }

export async function readNames(
  read: ReadDatabase,
  mapId: string,
  kind: FeatureKind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await read
    .selectFrom('features')
    .select(['id', 'name'])
    .where('map_id', '=', mapId)
    .where('id', 'in', ids)
    .where('kind', '=', kind)
    .execute()
  return new Map(rows.map((row) => [row.id, row.name]))
}
