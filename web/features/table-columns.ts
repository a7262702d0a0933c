import { withArticle } from '#domain/definition/definition.ts'
import { type FeatureKind, kindLabels } from '#domain/definition/kinds.ts'
import { maxColumnFields } from '#domain/features/column-fields.ts'
import type { DefinedKind } from '#domain/features/definitions.ts'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import { type AvailableColumns, standardColumns, type TableColumn } from '#domain/features/table-columns.ts'
import { capitalized } from '#domain/values/wording.ts'

export const narrowestColumn = 64
export const widestColumn = 640

/** Cards have no head, and two lines. */
export type TableLayout = 'table' | 'cards'

/** Pixels. */
const narrowestTable = 460
const cardValueWidth = 100

export const layoutFor = (width: number): TableLayout => (width < narrowestTable ? 'cards' : 'table')

const firstOnCards = ['type', 'name']

/** Icon, name, and as many of type and first columns as fit into `width` pixels beside the status. */
export function cardColumns(columns: readonly TableColumn[], width: number): readonly TableColumn[] {
  const fixed = ['kind', 'status']
  const free = columns.reduce((left, { id, width }) => (fixed.includes(id) ? left - width : left), width)
  const others = columns
    .filter(({ id }) => !fixed.includes(id))
    .toSorted((one, other) => firstOnCards.indexOf(other.id) - firstOnCards.indexOf(one.id))
  const shown = others.slice(0, 1 + Math.max(0, Math.floor(free / cardValueWidth)))
  return columns.filter((column) => fixed.includes(column.id) || shown.includes(column))
}

export function exportedColumns(
  columns: readonly TableColumn[],
  kind: FeatureKind | undefined,
): readonly string[] {
  const isWanted = (one: DefinedKind) => kind === undefined || one === kind || one === 'feature'
  const names = columns.flatMap(({ id, fields }) => {
    if (id === 'parcel') return [id]
    return [...fields].flatMap(([one, { path }]) => (isWanted(one) ? [path] : []))
  })
  return [...new Set(names)]
}

export type ColumnChoice = { ids: readonly string[]; widths: Readonly<Record<string, number>> }

export const standardChoice = (kind: FeatureKind | undefined): ColumnChoice => ({
  ids: standardColumns(kind),
  widths: {},
})

export const isStandard = ({ ids, widths }: ColumnChoice, kind: FeatureKind | undefined) =>
  Object.keys(widths).length === 0 && ids.join() === standardColumns(kind).join()

/** Reads a stored choice of any version; ignores unknown parts. */
export function readColumnChoice(text: string | null, kind: FeatureKind | undefined): ColumnChoice {
  try {
    const { ids, widths } = JSON.parse(text ?? '') as Partial<Record<keyof ColumnChoice, unknown>>
    if (!Array.isArray(ids)) return standardChoice(kind)
    const sized = Object.entries(widths ?? {}).flatMap(([id, width]) =>
      Number.isFinite(width) ? [[id, withinWidths(Number(width))] as const] : [],
    )
    return {
      ids: [...new Set(ids)].filter((id) => typeof id === 'string'),
      widths: Object.fromEntries(sized),
    }
  } catch {
    return standardChoice(kind)
  }
}

export function validChoice(
  { ids, widths }: ColumnChoice,
  { first, choosable }: AvailableColumns,
): ColumnChoice {
  const available = new Set([...first, ...choosable].map(({ id }) => id))
  return {
    ids: choosable
      .map(({ id }) => id)
      .filter((id) => ids.includes(id))
      .toSorted((one, other) => ids.indexOf(one) - ids.indexOf(other)),
    widths: Object.fromEntries(Object.entries(widths).filter(([id]) => available.has(id))),
  }
}

export const withinWidths = (width: number) =>
  Math.round(Math.min(widestColumn, Math.max(narrowestColumn, width)))

export function columnsOf(
  { ids, widths }: ColumnChoice,
  { first, choosable }: AvailableColumns,
): TableColumn[] {
  const chosen = ids.flatMap((id) => choosable.find((column) => column.id === id) ?? [])
  return [...first, ...chosen].map((column) => ({ ...column, width: widths[column.id] ?? column.width }))
}

export function fieldsToAsk(columns: readonly TableColumn[]): string | undefined {
  const paths = columns.filter(({ isRequested }) => isRequested).map(({ id }) => id)
  return paths.length === 0 ? undefined : paths.slice(0, maxColumnFields).sort().join(',')
}

export const isFull = (columns: readonly TableColumn[]) =>
  columns.filter(({ isRequested }) => isRequested).length >= maxColumnFields

export function moveColumn(choice: ColumnChoice, id: string, to: number): ColumnChoice {
  const others = choice.ids.filter((other) => other !== id)
  const place = Math.max(0, Math.min(others.length, to))
  return { ...choice, ids: others.toSpliced(place, 0, id) }
}

export function whyFixed(feature: FeatureSummary, column: TableColumn): string | null {
  const { kind } = feature
  const found = column.fields.get(kind)
  if (!found) return `${capitalized(withArticle(kindLabels[kind].one))} has no ${column.label.toLowerCase()}.`
  const { label, followsFrom, shownIf } = found.field
  if (followsFrom) return `${label} is set by ${followsFrom}.`
  if (shownIf === 'resolved' && feature.status !== 'resolved')
    return `${label} can be set once the status is resolved.`
  return null
}
