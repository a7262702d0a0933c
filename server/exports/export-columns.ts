import { type Field, type Fields, singleFields, valueAt } from '#domain/definition/definition.ts'
import { type FeatureKind, featureKinds, kindLabels } from '#domain/definition/kinds.ts'
import { identityColumns } from '#domain/exports/export-format.ts'
import { type CustomFields, fieldsOf } from '#domain/features/custom-fields.ts'
import { type DefinedKind, hasField } from '#domain/features/definitions.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { kindOfRow } from '../features/rows/derive-columns.ts'
import { seenMaintenance, seenMetadata } from '../features/rows/feature-detail.ts'
import { readNextDue } from '../features/rows/feature-row.ts'
import { fieldSightOf, type Sight } from '../features/rows/sight.ts'
import { type FieldSight, readFields, seenFields } from '../features/rows/stored-fields.ts'
import type { ExportedRow } from './export-rows.queries.ts'

/** Lists are JSON. A `local` value is a date and time without a zone, 'YYYY-MM-DD HH:mm'. */
export type ColumnType = 'text' | 'number' | 'flag' | 'day' | 'instant' | 'local' | 'json'

/** A column is named by the path of its field ('zoning.type'), so that imports recognize it. */
export type ExportColumn = { name: string; type: ColumnType }

/** `geometry` is GeoJSON. */
export type ExportItem = Pick<ExportedRow, 'id' | 'name' | 'description' | 'shape' | 'geometry'>

export type Exporter<Item extends ExportItem = ExportedRow> = {
  /** Name of the sheet. */
  title: string
  columns: readonly ExportColumn[]
  valuesOf(item: Item): unknown[]
}

export type ColumnQuery = {
  /** Undefined or empty: all kinds. */
  kinds: readonly FeatureKind[] | undefined
  names: readonly string[] | undefined
  customFields: CustomFields
  sight: Sight
}

const identity: readonly ExportColumn[] = identityColumns.map((name) => ({ name, type: 'text' }))

export function exporterFor({ kinds, names, customFields, sight }: ColumnQuery): Exporter {
  const fieldSight = fieldSightOf(sight)
  const isStaff = sight === 'everything'
  const exportedKinds: readonly DefinedKind[] = [
    ...(kinds && kinds.length > 0 ? kinds : featureKinds),
    'feature',
  ]
  const fieldsByKind = seenFieldsByKind(exportedKinds, customFields, fieldSight)

  const types = new Map<string, ColumnType>()
  for (const fields of fieldsByKind.values()) {
    const single = singleFields(fields)
    const lists = Object.entries(fields).filter(([, { value }]) => value.type === 'list')
    for (const [path, field] of [...single, ...lists]) if (!types.has(path)) types.set(path, typeOf(field))
  }
  if (exportedKinds.some((kind) => hasField({ kind }, 'parcelId'))) types.set('parcel', 'text')
  if (isStaff && exportedKinds.some((kind) => hasField({ kind }, 'maintenancePlan')))
    types.set('nextDue', 'day')
  if (isStaff || sight.publicMetadata.length > 0) types.set('metadata', 'json')
  const chosen = (names ?? [...types.keys()]).filter((name) => types.has(name))
  const columns = [...identity, ...chosen.map((name) => ({ name, type: types.get(name) ?? 'text' }))]

  function valuesOf(row: ExportedRow): unknown[] {
    const values = readValues(row, fieldsByKind, fieldSight)
    return columns.map(({ name }) =>
      orNull(name === 'metadata' ? metadataOf(row, sight) : valueAt(values, name)),
    )
  }
  return { title: titleOf(kinds), columns, valuesOf }
}

export const titleOf = (kinds: ColumnQuery['kinds']) =>
  kinds?.length === 1 && kinds[0] ? kindLabels[kinds[0]].many : 'Features'

type FieldsByKind = ReadonlyMap<DefinedKind, Fields>

export const seenFieldsByKind = (
  kinds: readonly DefinedKind[],
  customFields: CustomFields,
  sight: FieldSight,
): FieldsByKind => new Map(kinds.map((kind) => [kind, seenFields(fieldsOf(kind, customFields), sight)]))

/** By the paths of fields, and the names of derived columns. */
export function readValues(
  row: ExportedRow,
  fieldsByKind: FieldsByKind,
  sight: FieldSight,
): Readonly<Record<string, unknown>> {
  const kind = kindOfRow(row)
  const read: Record<string, unknown> = readFields(fieldsByKind.get(kind) ?? {}, row, sight)
  return {
    ...('maintenanceHistory' in read ? seenMaintenance(read as Maintained, sight.isStaff) : read),
    id: row.id,
    kind,
    mapId: row.map_id,
    parcel: row.parcelName,
    nextDue: readNextDue(row),
  }
}

type Maintained = { maintenanceHistory: readonly unknown[] }

const metadataOf = ({ metadata }: ExportedRow, sight: Sight) => seenMetadata(JSON.parse(metadata), sight)

const orNull = (value: unknown) => (Array.isArray(value) && value.length === 0 ? null : value)

export function typeOf({ value }: Field): ColumnType {
  switch (value.type) {
    case 'number':
    case 'count':
      return 'number'
    case 'flag':
    case 'day':
    case 'instant':
      return value.type
    case 'list':
    case 'group':
    case 'own':
      return 'json'
    case 'line':
    case 'prose':
    case 'choice':
    case 'link':
    case 'reference':
      return 'text'
  }
}

export function exportedNames(customFields: CustomFields, sight: Sight): ReadonlySet<string> {
  const { columns } = exporterFor({ kinds: undefined, names: undefined, customFields, sight })
  return new Set(columns.map(({ name }) => name))
}

/** For tables, which have no geometry. */
export const withLocation = <Item extends ExportItem>(exporter: Exporter<Item>): Exporter<Item> => ({
  title: exporter.title,
  columns: [...exporter.columns, ...locationColumns],
  valuesOf: (item) => [...exporter.valuesOf(item), ...locationOf(item)],
})

const locationColumns: readonly ExportColumn[] = [
  { name: 'latitude', type: 'number' },
  { name: 'longitude', type: 'number' },
  { name: 'wkt', type: 'text' },
]

type Location = readonly [latitude: number | null, longitude: number | null, wkt: string | null]

function locationOf(row: ExportItem): Location {
  const geometry = JSON.parse(row.geometry) as Geometry
  if (geometry.type === 'Point') {
    const [lng = 0, lat = 0] = geometry.coordinates
    if (lng !== 0 || lat !== 0) return [lat, lng, null]
  }
  return [null, null, toWkt(geometry)]
}

type Nested = readonly number[] | readonly Nested[]

/** Well-known text (OGC Simple Features 7.2) with all digits and without elevations. */
export function toWkt({ type, coordinates }: Geometry): string {
  const text = writeCoordinates(coordinates as Nested)
  return type === 'Point' ? `POINT (${text})` : `${type.toUpperCase()} ${text}`
}

function writeCoordinates(coordinates: Nested): string {
  if (typeof coordinates[0] === 'number') {
    const [lng, lat] = coordinates as readonly number[]
    return `${lng} ${lat}`
  }
  return `(${(coordinates as readonly Nested[]).map(writeCoordinates).join(', ')})`
}
