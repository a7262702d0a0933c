import { type Field, withArticle } from '#domain/definition/definition.ts'
import { kindLabels } from '#domain/definition/kinds.ts'
import { allColumnFields, columnFieldsOf, maxColumnFields } from '#domain/features/column-fields.ts'
import type { DefinedKind } from '#domain/features/definitions.ts'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import type { FeatureSortColumn } from '#domain/features/feature-sort.ts'

// The columns of the table of features: what every feature has, and any field of the definitions.

export type TableColumn = {
  /** A field's is its path. */
  id: string
  label: string
  /** Pixels, until somebody says otherwise. */
  width: number
  /** Undefined: the table is not sorted by it. */
  sort?: FeatureSortColumn
  /** Undefined: what every list says of a feature. */
  field?: Field
}

/** Pixels. */
export const narrowestColumn = 64
export const widestColumn = 640

/** These stay where they are, and in view: which record a row is. */
export const firstColumns: readonly TableColumn[] = [
  { id: 'kind', label: 'Kind', width: 84, sort: 'kind' },
  { id: 'name', label: 'Name', width: 180, sort: 'name' },
]

const listed: readonly TableColumn[] = [
  { id: 'type', label: 'Type', width: 118, sort: 'type' },
  { id: 'severity', label: 'Severity', width: 96, sort: 'severity' },
  { id: 'status', label: 'Status', width: 156, sort: 'status' },
  { id: 'date', label: 'Date', width: 100, sort: 'date' },
  { id: 'parcel', label: 'Parcel', width: 100, sort: 'parcel' },
]
export const standardColumns: readonly string[] = listed.map(({ id }) => id)

/** Fields that the columns of every list show already. */
const isListed = (path: string, { column }: Field) =>
  path === 'parcelId' || (column !== undefined && column !== 'description')

/** All that somebody can choose from. */
export const choosableColumns: readonly TableColumn[] = [
  ...listed,
  ...[...allColumnFields()].flatMap(([path, field]) =>
    isListed(path, field) ? [] : [{ id: path, label: field.label, width: widthOf(field), field }],
  ),
]

function widthOf({ value }: Field): number {
  return value.type === 'prose' ? 220 : 128
}

/** What somebody has made of the columns: which there are, in their order, and how wide those are that they have sized. */
export type ColumnChoice = { ids: readonly string[]; widths: Readonly<Record<string, number>> }

export const standardChoice: ColumnChoice = { ids: standardColumns, widths: {} }

export const isStandard = ({ ids, widths }: ColumnChoice) =>
  Object.keys(widths).length === 0 && ids.join() === standardColumns.join()

/** Whatever was remembered, by this version of the program or another: what is not understood is left out. */
export function readColumnChoice(text: string | null): ColumnChoice {
  try {
    const { ids, widths } = JSON.parse(text ?? '') as Partial<Record<keyof ColumnChoice, unknown>>
    if (!Array.isArray(ids)) return standardChoice
    const known = new Set([...firstColumns, ...choosableColumns].map(({ id }) => id))
    const sized = Object.entries(widths ?? {}).flatMap(([id, width]) =>
      known.has(id) && Number.isFinite(width) ? [[id, withinWidths(Number(width))] as const] : [],
    )
    const chosen = choosableColumns.map(({ id }) => id).filter((id) => ids.includes(id))
    return {
      ids: chosen.toSorted((one, other) => ids.indexOf(one) - ids.indexOf(other)),
      widths: Object.fromEntries(sized),
    }
  } catch {
    return standardChoice
  }
}

export const withinWidths = (width: number) =>
  Math.round(Math.min(widestColumn, Math.max(narrowestColumn, width)))

/** The columns of a choice, each as wide as it is by now. */
export function columnsOf({ ids, widths }: ColumnChoice): TableColumn[] {
  const chosen = ids.flatMap((id) => choosableColumns.find((column) => column.id === id) ?? [])
  return [...firstColumns, ...chosen].map((column) => ({
    ...column,
    width: widths[column.id] ?? column.width,
  }))
}

/** The paths to ask for; undefined where the lists say all that is shown. */
export function fieldsToAsk({ ids }: ColumnChoice): string | undefined {
  const paths = choosableColumns.filter(({ id, field }) => field && ids.includes(id)).map(({ id }) => id)
  return paths.length === 0 ? undefined : paths.slice(0, maxColumnFields).join(',')
}

/** Whether one more column would be more than the server tells of. */
export const isFull = ({ ids }: ColumnChoice) =>
  choosableColumns.filter(({ id, field }) => field && ids.includes(id)).length >= maxColumnFields

/** A column in the place of another one. */
export function moveColumn(choice: ColumnChoice, id: string, to: number): ColumnChoice {
  const others = choice.ids.filter((other) => other !== id)
  const place = Math.max(0, Math.min(others.length, to))
  return { ...choice, ids: others.toSpliced(place, 0, id) }
}

/** The field that a record of this kind has in a column; undefined where it has none. */
export function fieldInColumn(
  kind: DefinedKind,
  column: Pick<TableColumn, 'id' | 'field'>,
): { path: string; field: Field } | undefined {
  const isMeant = (path: string, field: Field) =>
    column.field
      ? path === column.id
      : column.id === 'parcel'
        ? path === 'parcelId'
        : field.column === column.id
  const found = columnFieldsOf(kind).find(([path, field]) => isMeant(path, field))
  return found && { path: found[0], field: found[1] }
}

/** Why a cell cannot be edited; null where it can. */
export function whyFixed(feature: FeatureSummary, column: TableColumn): string | null {
  const { kind } = feature
  const found = fieldInColumn(kind, column)
  if (!found) return `${capitalized(withArticle(kindLabels[kind].one))} has no ${column.label.toLowerCase()}.`
  const { label, followsFrom, shownIf } = found.field
  if (followsFrom) return `${label} follows from ${followsFrom}.`
  if (shownIf === 'resolved' && feature.status !== 'resolved')
    return `${label} can be said once the status is resolved.`
  return null
}

const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
