import type { Attributes, Standing } from '#domain/tiles/tile-features.ts'
import type { FeatureColumns } from '../database/tables.ts'

// Queries concatenate the attributes of a row: reading five texts takes twice as long as one.

export const attributeColumns = [
  'kind',
  'shape',
  'type',
  'status',
  'severity',
] as const satisfies readonly (keyof FeatureColumns & keyof Attributes)[]
export const partsParting = '/'

const cachedAttributes = new Map<string, Attributes>()

export function attributesOf(text: string): Attributes {
  const cached = cachedAttributes.get(text)
  if (cached) return cached
  const values = text.split(partsParting).map((value) => (value === '' ? null : value))
  const attributes = Object.fromEntries(
    attributeColumns.map((column, index) => [column, values[index]]),
  ) as unknown as Attributes
  cachedAttributes.set(text, attributes)
  return attributes
}

const standings = new Map<string, Standing>()

export function standingOf(text: string): Standing {
  const cached = standings.get(text)
  if (cached) return cached
  const values = text.split(partsParting)
  const [zoom, geometryZoom] = values.slice(attributeColumns.length).map(Number) as [number, number]
  const attributes = attributesOf(values.slice(0, attributeColumns.length).join(partsParting))
  const standing = { attributes, zoom, geometryZoom }
  standings.set(text, standing)
  return standing
}
