import type { Fields, OwnValues } from '#domain/definition/definition.ts'
import { searchedOwnTexts } from '#domain/definition/own-field.ts'
import { definitions } from '#domain/features/definitions.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { OwnFields } from '#domain/features/own-fields.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { extentOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { placementOf } from '#domain/tiles/placement.ts'
import { foldText, personalMark, searchWords } from '#domain/values/text.ts'
import type { DerivedColumns, SaidColumns } from '../database/tables.ts'
// All derived columns are computed here: for a single write, and when all of them are rebuilt.

/** `geometry` is that of the row, which has it as text; `ownFields` are those of its map. */
export function deriveColumns(said: SaidColumns, geometry: Geometry, ownFields: OwnFields): DerivedColumns {
  const { sizeZoom, ...placement } = placementOf(geometry)
  return {
    ...placement,
    size_zoom: sizeZoom,
    ...extentOfGeometry(geometry),
    name_order: nameOrder(said.name),
    search_text: searchText(said, ownFields),
  }
}

/** The kind of a row, by its definition. */
export function kindOfRow({
  kind,
  is_general,
}: Pick<SaidColumns, 'kind' | 'is_general'>): FeatureDetail['kind'] {
  return is_general === 1 ? 'feature' : kind
}

/** The words that a search finds a feature by. */
export function searchText(said: SaidColumns, ownFields: OwnFields): string {
  const texts = (ofPersonal: boolean) => searchedTexts(said, ownFields, ofPersonal).join(' ')
  const open = searchWords(`${texts(false)} ${said.id}`)
  const personal = searchWords(texts(true)).map((word) => personalMark + word)
  return [...open, ...personal].join(' ')
}

function searchedTexts(said: SaidColumns, ownFields: OwnFields, ofPersonal: boolean): unknown[] {
  const kind = kindOfRow(said)
  const { fields }: { fields: Fields } = definitions[kind]
  const texts = Object.entries(fields).flatMap(([key, { isSearched, isPersonal = false, column }]) => {
    if (!isSearched || isPersonal !== ofPersonal) return []
    return [column ? said[column] : JSON.parse(said.fields)[key]]
  })
  const own = ownFields[kind].length > 0 ? (JSON.parse(said.fields).own as OwnValues | undefined) : undefined
  return [
    ...texts.filter((text) => text !== null),
    ...searchedOwnTexts(ownFields[kind], own ?? {}, ofPersonal),
  ]
}

/** Text whose byte order is that of names as people count: 'Lot 2' before 'Lot 10'. */
function nameOrder(name: string): string {
  return foldText(name)
    .replace(/\d+/g, (digits) => digits.padStart(10, '0'))
    .slice(0, 200)
    .toWellFormed()
}
