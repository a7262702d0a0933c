import type { Attributes, Standing } from '#domain/tiles/tile-features.ts'
import type { FeatureColumns } from '../database/tables.ts'

// Five texts a row take twice as long to read as one: a query puts the attributes of a row into one text.

/** The columns of the attributes. */
export const attributeColumns = [
  'kind',
  'shape',
  'type',
  'status',
  'severity',
] as const satisfies readonly (keyof FeatureColumns & keyof Attributes)[]
export const partsParting = '/'

/** As many entries as there are combinations of column values: few. */
const knownAttributes = new Map<string, Attributes>()

export function attributesOf(text: string): Attributes {
  const known = knownAttributes.get(text)
  if (known) return known
  const values = text.split(partsParting).map((value) => (value === '' ? null : value))
  const attributes = Object.fromEntries(
    attributeColumns.map((column, index) => [column, values[index]]),
  ) as unknown as Attributes
  knownAttributes.set(text, attributes)
  return attributes
}

/** All attributes with every two zooms. */
const standings = new Map<string, Standing>()

/** Of the text of the attributes, and the two zooms behind it. */
export function standingOf(text: string): Standing {
  const known = standings.get(text)
  if (known) return known
  const values = text.split(partsParting)
  const [zoom, geometryZoom] = values.slice(attributeColumns.length).map(Number) as [number, number]
  const attributes = attributesOf(values.slice(0, attributeColumns.length).join(partsParting))
  const standing = { attributes, zoom, geometryZoom }
  standings.set(text, standing)
  return standing
}
