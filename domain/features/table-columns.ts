import type { Field, Fields } from '../definition/definition.ts'
import type { FeatureKind } from '../definition/kinds.ts'
import { allColumnFields, type ColumnFields, columnFields } from './column-fields.ts'
import type { CustomFields } from './custom-fields.ts'
import type { DefinedKind } from './definitions.ts'
import type { FeatureSortColumn } from './feature-sort.ts'
import { kindTraits } from './kind-traits.ts'

// Columns of the table, and of exports for reading: common values, and any field of the definitions and of the client.

export type TableColumn = {
  id: string
  label: string
  width: number
  sort?: FeatureSortColumn
  isRequested: boolean
  fields: ReadonlyMap<DefinedKind, FieldInColumn>
}
export type FieldInColumn = { path: string; field: Field }

type ListedColumn = Omit<TableColumn, 'isRequested' | 'fields'>

/** Fixed and always in view: they identify the row. */
const first: readonly ListedColumn[] = [
  { id: 'kind', label: 'Kind', width: 66, sort: 'kind' },
  { id: 'name', label: 'Name', width: 180, sort: 'name' },
]

const listed: readonly ListedColumn[] = [
  { id: 'status', label: 'Status', width: 158, sort: 'status' },
  { id: 'severity', label: 'Severity', width: 108, sort: 'severity' },
  { id: 'type', label: 'Type', width: 118, sort: 'type' },
  { id: 'date', label: 'Date', width: 100, sort: 'date' },
  { id: 'parcel', label: 'Parcel', width: 170, sort: 'parcel' },
]

/** Of a list of this kind alone, or of all kinds. None is empty for all records of the list. */
export const standardColumns = (kind: FeatureKind | undefined): readonly string[] =>
  kind ? kindTraits[kind].tableColumns : listed.map(({ id }) => id)

const isListed = (path: string, { column }: Field) =>
  path === 'parcelId' || (column !== undefined && column !== 'description')

export type AvailableColumns = { first: readonly TableColumn[]; choosable: readonly TableColumn[] }

/** `see` selects the fields of a kind that the viewer sees. */
export function knownColumns(customFields: CustomFields, see?: (fields: Fields) => Fields): AvailableColumns {
  const available = columnFields(customFields, see)
  const toTableColumn = (column: ListedColumn): TableColumn => ({
    ...column,
    isRequested: false,
    fields: fieldsWhere(available, (path, field) =>
      column.id === 'parcel' ? path === 'parcelId' : field.column === column.id,
    ),
  })
  const requested = [...allColumnFields(available)].flatMap(([id, field]): TableColumn[] =>
    isListed(id, field)
      ? []
      : [
          {
            id,
            label: field.label,
            width: widthOf(field),
            isRequested: true,
            fields: fieldsWhere(available, (path) => path === id),
          },
        ],
  )
  return { first: first.map(toTableColumn), choosable: [...listed.map(toTableColumn), ...requested] }
}

function fieldsWhere(available: ColumnFields, isWanted: (path: string, field: Field) => boolean) {
  const kinds = Object.entries(available).flatMap(([kind, fields]) => {
    const found = [...fields].find(([path, field]) => isWanted(path, field))
    return found ? [[kind as DefinedKind, { path: found[0], field: found[1] }] as const] : []
  })
  return new Map(kinds)
}

const textWidths: Partial<Record<Field['value']['type'], number>> = { prose: 220, line: 220 }

const widthOf = ({ value }: Field) => textWidths[value.type] ?? 128
