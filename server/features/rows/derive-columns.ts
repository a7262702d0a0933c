import type { Field, FieldColumn, OwnValues } from '#domain/definition/definition.ts'
import { searchedOwnTexts } from '#domain/definition/own-field.ts'
import { definitions } from '#domain/features/definitions.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { mapKinds, noOwnFields, type OwnFields } from '#domain/features/own-fields.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { extentOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { placementOf } from '#domain/tiles/placement.ts'
import { foldText, markWord, searchWords, type WordSight, wordSights } from '#domain/values/text.ts'
import type { DataColumns, DerivedColumns } from '../../database/tables.ts'
// Computes all derived columns, for single writes and for rebuilding.

/** `geometry` is the parsed geometry of the row; `ownFields` are those of its map. */
export function deriveColumns(row: DataColumns, geometry: Geometry, ownFields: OwnFields): DerivedColumns {
  const { sizeZoom, ...placement } = placementOf(geometry)
  return {
    ...placement,
    size_zoom: sizeZoom,
    ...extentOfGeometry(geometry),
    name_order: nameOrder(row.name),
    search_text: searchText(row, ownFields),
  }
}

export function kindOfRow({
  kind,
  is_general,
}: Pick<DataColumns, 'kind' | 'is_general'>): FeatureDetail['kind'] {
  return is_general === 1 ? 'feature' : kind
}

export function searchText(row: DataColumns, ownFields: OwnFields): string {
  const wordsOf = (sight: WordSight) => {
    const texts = searchedTexts(row, ownFields, sight).join(' ')
    return searchWords(sight === 'open' ? `${texts} ${row.id}` : texts).map((word) => markWord(word, sight))
  }
  return wordSights.flatMap(wordsOf).join(' ')
}

function searchedTexts(row: DataColumns, ownFields: OwnFields, sight: WordSight): unknown[] {
  const kind = kindOfRow(row)
  const own = ownFields[kind]
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
const searchedFields = mapKinds(noOwnFields, (_, kind): SearchedField[] =>
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
