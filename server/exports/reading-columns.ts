import { type Field, valueAt } from '#domain/definition/definition.ts'
import { featureKinds, kindLabels } from '#domain/definition/kinds.ts'
import type { DefinedKind } from '#domain/features/definitions.ts'
import { type AvailableColumns, knownColumns, type TableColumn } from '#domain/features/table-columns.ts'
import { valueInWords } from '#domain/features/value-in-words.ts'
import { localTime } from '#domain/values/time-zones.ts'
import { kindOfRow } from '../features/rows/derive-columns.ts'
import { fieldSightOf } from '../features/rows/sight.ts'
import { seenFields } from '../features/rows/stored-fields.ts'
import {
  type ColumnQuery,
  type ColumnType,
  type Exporter,
  readValues,
  seenFieldsByKind,
  titleOf,
  typeOf,
} from './export-columns.ts'
import type { ExportedRow } from './export-rows.queries.ts'

/** The columns of the table, in its order and its words. Times are local times of `timeZone`. */
export function readingExporterFor(
  { kinds, names, customFields, sight }: ColumnQuery,
  timeZone: string,
): Exporter {
  const fieldSight = fieldSightOf(sight)
  const exportedKinds: readonly DefinedKind[] = [...(kinds?.length ? kinds : featureKinds), 'feature']
  const available = knownColumns(customFields, (fields) => seenFields(fields, fieldSight))
  const onlyKind = kinds?.length === 1 ? kinds[0] : undefined
  // Without `names`, one kind alone has no columns that only general features have: they are usually empty.
  const hasKind = ({ fields }: TableColumn) => onlyKind === undefined || fields.has(onlyKind)
  const chosen = names ? chosenColumns(available, names) : available.choosable.filter(hasKind)
  const columns = [...available.first, ...chosen].filter(({ id, fields }) =>
    id === 'kind' ? onlyKind === undefined : exportedKinds.some((kind) => fields.has(kind)),
  )
  const fieldsByKind = seenFieldsByKind(exportedKinds, customFields, fieldSight)
  return {
    title: titleOf(kinds),
    columns: columns.map((column) => ({ name: headingOf(column), type: typeIn(column) })),
    valuesOf(row) {
      const values = readValues(row, fieldsByKind, fieldSight)
      return columns.map((column) => valueIn(column, row, values, timeZone))
    },
  }
}

/** Names are ids of columns, or paths of fields in them. */
function chosenColumns({ choosable }: AvailableColumns, names: readonly string[]): TableColumn[] {
  const found = names.flatMap(
    (name) =>
      choosable.find(({ id }) => id === name) ??
      choosable.find(({ fields }) => [...fields.values()].some(({ path }) => path === name)) ??
      [],
  )
  return [...new Set(found)]
}

const firstField = ({ fields }: TableColumn): Field | undefined => [...fields.values()][0]?.field

const units = { acres: 'acres', dollars: 'USD' } as const

function headingOf(column: TableColumn): string {
  const value = firstField(column)?.value
  return value?.type === 'number' && value.unit ? `${column.label} (${units[value.unit]})` : column.label
}

function typeIn(column: TableColumn): ColumnType {
  const field = firstField(column)
  const type = field ? typeOf(field) : 'text'
  if (type === 'instant') return 'local'
  return type === 'flag' ? 'text' : type
}

function valueIn(
  { id, fields }: TableColumn,
  row: ExportedRow,
  values: Readonly<Record<string, unknown>>,
  timeZone: string,
): unknown {
  if (id === 'kind') return kindLabels[row.kind].one
  if (id === 'parcel') return row.parcelName
  const found = fields.get(kindOfRow(row))
  if (!found) return null
  const value = valueInWords(found.field, valueAt(values, found.path))
  if (found.field.value.type === 'instant' && value !== null)
    return localTime(Date.parse(String(value)), timeZone)
  return value
}
