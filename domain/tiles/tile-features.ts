import type { FeatureKind, FeatureShape } from '#domain/definition/kinds.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'

// What tiles are made of.

/** What many features have in common. Features with the same attributes share one object. */
export type Attributes = Readonly<{
  kind: FeatureKind
  shape: FeatureShape
  type: string | null
  status: string | null
  severity: string | null
}>

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

/**
 * A representative's attributes, the zoom from which on it represents its cell, and the one from which on its geometry
 * is drawn.
 */
export type Standing = Readonly<{ attributes: Attributes; zoom: number; geometryZoom: number }>

/** A representative. Its zoom is its rank among the features that are asked for; `date` in milliseconds since 1970. */
export type TileRepresentative = {
  id: string
  lng: number
  lat: number
  date: number | null
  standing: Standing
}

/** A representative with its place on the tile, in the tile's units. */
export type PlacedRepresentative = { representative: TileRepresentative; x: number; y: number }

/** A line or a polygon; a database has its geometry as text. */
export type TileGeometry = {
  id: string
  size: number
  /** The first zoom at which it is drawn. */
  size_zoom: number
  morton: number
  geometry: string | Geometry
  attributes: Attributes
}

/** So many of those that come in at the earliest zooms, the larger ones first. */
export function largestFirst(geometries: readonly TileGeometry[], limit: number): TileGeometry[] {
  const larger = (one: TileGeometry, other: TileGeometry) =>
    other.size - one.size || (one.id < other.id ? -1 : 1)
  return [...geometries]
    .sort((one, other) => one.size_zoom - other.size_zoom || larger(one, other))
    .slice(0, limit)
    .sort(larger)
}
