import type { FeatureKind, FeatureShape } from '#domain/definition/kinds.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'

/** Shared by features with the same attributes. */
export type Attributes = Readonly<{
  kind: FeatureKind
  shape: FeatureShape
  type: string | null
  status: string | null
  severity: string | null
}>

/**
 * `shape` is that of a feature shown as a point; `mark` is 'dot' instead of a pin. From the zoom of pins on,
 * `pin_order` orders pins (`domain/features/pin-order.ts`), and `count` is the number of features of its kind
 * and shape at the same place at every zoom, if more than one.
 */
export const tileTags = ['shape', 'type', 'status', 'severity', 'mark', 'pin_order', 'count'] as const
export type TagValues = Readonly<Partial<Record<(typeof tileTags)[number], string | null>>>

/** Returns the same object for the same attributes. */
export function derivedTags(
  derive: (attributes: Attributes) => TagValues,
): (attributes: Attributes) => TagValues {
  const derived = new Map<Attributes, TagValues>()
  return (attributes) => {
    const cached = derived.get(attributes)
    if (cached) return cached
    const made = derive(attributes)
    derived.set(attributes, made)
    return made
  }
}

/** `zoom` is the first at which it represents its cell, `geometryZoom` the first that draws its geometry. */
export type Standing = Readonly<{ attributes: Attributes; zoom: number; geometryZoom: number }>

/** `date` in epoch milliseconds. */
export type TileRepresentative = {
  id: string
  lng: number
  lat: number
  date: number | null
  standing: Standing
}

export type PlacedRepresentative = { representative: TileRepresentative; x: number; y: number }

export type TileGeometry = {
  id: string
  size: number
  size_zoom: number
  morton: number
  geometry: string | Geometry
  attributes: Attributes
}

export function largestFirst(geometries: readonly TileGeometry[], limit: number): TileGeometry[] {
  const larger = (one: TileGeometry, other: TileGeometry) =>
    other.size - one.size || (one.id < other.id ? -1 : 1)
  return [...geometries]
    .sort((one, other) => one.size_zoom - other.size_zoom || larger(one, other))
    .slice(0, limit)
    .sort(larger)
}
