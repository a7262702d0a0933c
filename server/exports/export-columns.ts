import { type Field, type Fields, singleFields, valueAt } from '#domain/definition/definition.ts'
import { type FeatureKind, featureKinds } from '#domain/definition/kinds.ts'
import { identityColumns } from '#domain/exports/export-format.ts'
import type { DefinedKind } from '#domain/features/definitions.ts'
import { hasField } from '#domain/features/definitions.ts'
import { fieldsOf, type OwnFields } from '#domain/features/own-fields.ts'
import { kindOfRow } from '../features/rows/derive-columns.ts'
import { seenMaintenance, seenMetadata } from '../features/rows/feature-detail.ts'
import { readNextDue } from '../features/rows/feature-row.ts'
import { fieldSightOf, type Sight } from '../features/rows/sight.ts'
import { readFields, seenFields } from '../features/rows/stored-fields.ts'
import type { ExportedRow } from './export-rows.queries.ts'

/** What stands in a column: what programs take it for. Lists are JSON. */
export type ColumnType = 'text' | 'number' | 'flag' | 'day' | 'instant' | 'json'

/** A column is called like the path of its field ('zoning.type'), so that an import knows it again. */
export type ExportColumn = { name: string; type: ColumnType }

/** What every format needs of a row beside its columns; `geometry` is GeoJSON. */
export type ExportItem = Pick<ExportedRow, 'id' | 'name' | 'description' | 'shape' | 'geometry'>

export type Exporter<Item extends ExportItem = ExportedRow> = {
  columns: readonly ExportColumn[]
  /** What an item says in each of them; null where it says nothing, or its kind has no such field. */
  valuesOf(item: Item): unknown[]
}

type Wish = {
  /** Undefined or empty: any. */
  kinds: readonly FeatureKind[] | undefined
  /** Names of columns in their order; undefined: all. */
  asked: readonly string[] | undefined
  ownFields: OwnFields
  sight: Sight
}

const identity: readonly ExportColumn[] = identityColumns.map((name) => ({ name, type: 'text' }))

/** The exported columns that a caller may see. Without `asked`: all of them. */
export function exporterFor({ kinds, asked, ownFields, sight }: Wish): Exporter {
  const fieldSight = fieldSightOf(sight)
  const isStaff = sight === 'everything'
  const wanted: readonly DefinedKind[] = [...(kinds && kinds.length > 0 ? kinds : featureKinds), 'feature']
  const fieldsByKind = new Map<DefinedKind, Fields>(
    wanted.map((kind) => [kind, seenFields(fieldsOf(kind, ownFields), fieldSight)]),
  )

  const known = new Map<string, ColumnType>()
  for (const fields of fieldsByKind.values()) {
    const single = singleFields(fields)
    const lists = Object.entries(fields).filter(([, { value }]) => value.type === 'list')
    for (const [path, field] of [...single, ...lists]) if (!known.has(path)) known.set(path, typeOf(field))
  }
  if (wanted.some((kind) => hasField({ kind }, 'parcelId'))) known.set('parcel', 'text')
  if (isStaff && wanted.some((kind) => hasField({ kind }, 'maintenancePlan'))) known.set('nextDue', 'day')
  if (isStaff || sight.publicMetadata.length > 0) known.set('metadata', 'json')
  const names = (asked ?? [...known.keys()]).filter((name) => known.has(name))
  const columns = [...identity, ...names.map((name) => ({ name, type: known.get(name) ?? 'text' }))]

  function valuesOf(row: ExportedRow): unknown[] {
    const kind = kindOfRow(row)
    const read: Record<string, unknown> = readFields(fieldsByKind.get(kind) ?? {}, row, fieldSight)
    const values: Record<string, unknown> = {
      ...('maintenanceHistory' in read ? seenMaintenance(read as Maintained, isStaff) : read),
      id: row.id,
      kind,
      mapId: row.map_id,
      parcel: row.parcelName,
      nextDue: readNextDue(row),
    }
    return columns.map(({ name }) =>
      saidOf(name === 'metadata' ? metadataOf(row, sight) : valueAt(values, name)),
    )
  }
  return { columns, valuesOf }
}

type Maintained = { maintenanceHistory: readonly unknown[] }

/** Names and values in their order. */
const metadataOf = ({ metadata }: ExportedRow, sight: Sight) => seenMetadata(JSON.parse(metadata), sight)

/** A list of nothing is nothing. */
const saidOf = (value: unknown) => (Array.isArray(value) && value.length === 0 ? null : value)

function typeOf({ value }: Field): ColumnType {
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

/** The names of columns that a caller may ask for, of all kinds. */
export function exportedNames(ownFields: OwnFields, sight: Sight): ReadonlySet<string> {
  const { columns } = exporterFor({ kinds: undefined, asked: undefined, ownFields, sight })
  return new Set(columns.map(({ name }) => name))
}
