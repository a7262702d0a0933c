import { searchedOwnTexts } from '#domain/definition/custom-field.ts'
import type { Field, FieldColumn, OwnValues } from '#domain/definition/definition.ts'
import { type CustomFields, mapKinds, noCustomFields } from '#domain/features/custom-fields.ts'
import { definitions } from '#domain/features/definitions.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { extentOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { placementOf } from '#domain/tiles/placement.ts'
import { foldText, markWord, searchWords, type WordSight, wordSights } from '#domain/values/text.ts'
import type { DataColumns, DerivedColumns } from '../../database/tables.ts'
// Computes all derived columns, for single writes and for rebuilding.

/** `geometry` is the parsed geometry of the row; `customFields` are those of its map. */
export function deriveColumns(
  row: DataColumns,
  geometry: Geometry,
  customFields: CustomFields,
): DerivedColumns {
  const { sizeZoom, ...placement } = placementOf(geometry)
  return {
    ...placement,
    size_zoom: sizeZoom,
    ...extentOfGeometry(geometry),
    name_order: nameOrder(row.name),
    search_text: searchText(row, customFields),
  }
}

export function kindOfRow({
  kind,
  is_general,
}: Pick<DataColumns, 'kind' | 'is_general'>): FeatureDetail['kind'] {
  return is_general === 1 ? 'feature' : kind
}

export function searchText(row: DataColumns, customFields: CustomFields): string {
  const wordsOf = (sight: WordSight) => {
    const texts = searchedTexts(row, customFields, sight).join(' ')
    return searchWords(texts).map((word) => markWord(word, sight))
  }
  return wordSights.flatMap(wordsOf).join(' ')
}

function searchedTexts(row: DataColumns, customFields: CustomFields, sight: WordSight): unknown[] {
  const kind = kindOfRow(row)
  const own = customFields[kind]
  const searched = searchedFields[kind].filter((field) => field.sight === sight)
  // Usually the searched fields have columns: avoids parsing the others.
  const isInColumns = own.length === 0 && searched.every(({ column }) => column !== undefined)
  const others = isInColumns ? {} : JSON.parse(row.fields)
  const texts = searched.map(({ key, column }) => (column ? row[column] : others[key]))
  return [
    ...texts.filter((text) => text !== null),
    ...(sight === 'personal' ? [] : searchedOwnTexts(own, (others.own ?? {}) as OwnValues, ownSights[sight])),
  ]
}

const ownSights = { open: 'everyone', staff: 'staff' } as const

type SearchedField = { key: string; column: FieldColumn | undefined; sight: WordSight }

/** Cached for imports of a million rows. */
const searchedFields = mapKinds(noCustomFields, (_, kind): SearchedField[] =>
  Object.entries<Field>(definitions[kind].fields)
    .filter(([, { isSearched }]) => isSearched)
    .map(([key, { column, isPersonal, isForStaff }]) => ({
      key,
      column,
      sight: isForStaff ? 'staff' : isPersonal ? 'personal' : 'open',
    })),
)

/** Text whose byte order is natural order: 'Lot 2' before 'Lot 10'. */
function nameOrder(name: string): string {
  return foldText(name)
    .replace(/\d+/g, (digits) => digits.padStart(10, '0'))
    .slice(0, 200)
    .toWellFormed()
}
