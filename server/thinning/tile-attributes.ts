import type { FeatureColumns } from '../database/tables.ts'

const parts = ['kind', 'shape', 'type', 'status', 'severity'] as const

/** What many features have in common. Features with the same attributes share one object. */
export type Attributes = Readonly<Pick<FeatureColumns, (typeof parts)[number]>>

/**
 * What a tile says of a feature besides its id; what it does not have is left out. `shape` tells what it is where a
 * point stands for it; `mark` is 'dot' where there are so many that pins would cover each other. From the zoom of pins
 * on, `pin_order` is that of a pin among others (`domain/features/pin-order.ts`), and `count` how many features of its
 * kind and shape lie at the same place at every zoom, if it is not alone.
 */
export const tileTags = ['shape', 'type', 'status', 'severity', 'mark', 'pin_order', 'count'] as const
export type TagValues = Readonly<Partial<Record<(typeof tileTags)[number], string | null>>>

/** Tags made of attributes, the same object each time. */
export function derivedTags(
  derive: (attributes: Attributes) => TagValues,
): (attributes: Attributes) => TagValues {
  const derived = new Map<Attributes, TagValues>()
  return (attributes) => {
    const known = derived.get(attributes)
    if (known) return known
    const made = derive(attributes)
    derived.set(attributes, made)
    return made
  }
}

/** The columns of the attributes, for a query that reads them as one text: five texts a row take twice as long. */
export const attributeColumns: readonly (keyof FeatureColumns)[] = parts
export const partsParting = '/'

/** As many entries as there are combinations of column values: few. */
const knownAttributes = new Map<string, Attributes>()

export function attributesOf(text: string): Attributes {
  const known = knownAttributes.get(text)
  if (known) return known
  const values = text.split(partsParting).map((value) => (value === '' ? null : value))
  const attributes = Object.fromEntries(parts.map((part, index) => [part, values[index]])) as Attributes
  knownAttributes.set(text, attributes)
  return attributes
}

/**
 * A representative's attributes, the zoom from which on it represents its cell, and the one from which on its geometry
 * is drawn.
 */
export type Standing = Readonly<{ attributes: Attributes; zoom: number; geometryZoom: number }>

/** All attributes with every two zooms. */
const standings = new Map<string, Standing>()

/** Of the text of the attributes, and the two zooms behind it. */
export function standingOf(text: string): Standing {
  const known = standings.get(text)
  if (known) return known
  const values = text.split(partsParting)
  const [zoom, geometryZoom] = values.slice(parts.length).map(Number) as [number, number]
  const attributes = attributesOf(values.slice(0, parts.length).join(partsParting))
  const standing = { attributes, zoom, geometryZoom }
  standings.set(text, standing)
  return standing
}

/** A representative. Its zoom is its rank among the features that the filter asks for. */
export type TileRepresentative = Pick<FeatureColumns, 'id' | 'lng' | 'lat' | 'date'> & { standing: Standing }

/** A representative with its place on the tile, in the tile's units. */
export type PlacedRepresentative = { representative: TileRepresentative; x: number; y: number }

export type TileGeometry = Pick<FeatureColumns, 'id' | 'size_zoom' | 'size' | 'morton' | 'geometry'> & {
  attributes: Attributes
}
