import type { GeoJsonFeature } from '#domain/features/feature-collection.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import type { Bounds } from '#domain/geometry/geometry.schema.ts'
import { extentOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { firstZooms } from '#domain/thinning/rank-features.ts'
import { smallestCell } from '#domain/thinning/representatives.ts'
import type { TilePlace, TileSource } from './make-tile.ts'
import { rangesAround } from './morton-ranges.ts'
import { type Placement, placementOf } from './placement.ts'
import { extentOfTile, type TileAddress } from './tile-address.ts'
import { type Attributes, largestFirst, type TileGeometry, type TileRepresentative } from './tile-features.ts'

type PreparedFeature = {
  placement: Placement
  extent: Bounds
  representative: TileRepresentative
  geometry: TileGeometry
}

export function featuresAsTiles(features: readonly GeoJsonFeature[]): TileSource {
  const prepared = prepareAll(features)
  const counts = countPlaces(prepared)

  function standingOn(tile: TileAddress, zoom: number, reach: number): PreparedFeature[] {
    const ranges = rangesAround(tile, reach)
    return prepared.filter(
      ({ placement: { morton }, representative: { standing } }) =>
        standing.zoom <= zoom && ranges.some(({ first, end }) => morton >= first && morton < end),
    )
  }

  return {
    representatives: (tile) => standingOn(tile, tile.z, 0).map(({ representative }) => representative),
    incidents: (tile, reach) =>
      standingOn(tile, tile.z - 1, reach)
        .map(({ representative }) => representative)
        .filter(({ standing }) => kindTraits[standing.attributes.kind].hasSeverity),
    geometries(tile, { margin, limit }) {
      const box = extentOfTile(tile, margin)
      const touching = prepared.filter(
        ({ placement, extent }) => placement.sizeZoom <= tile.z && overlaps(extent, box),
      )
      return largestFirst(
        touching.map(({ geometry }) => geometry),
        limit,
      )
    },
    countsAt: () => (place) => counts.get(placeKey(place)) ?? 1,
  }
}

function prepareAll(features: readonly GeoJsonFeature[]): PreparedFeature[] {
  const attributesOf = sharedAttributes()
  const placed = features.map(({ id, geometry, properties: { date: day, ...words } }) => {
    const placement = placementOf(geometry)
    const attributes = attributesOf({ ...words, shape: placement.shape })
    return { id, geometry, placement, attributes, date: day === null ? null : Date.parse(day) }
  })
  const zooms = firstZooms(
    placed.map(({ id, date, attributes, placement }) => ({ id, date, ...attributes, ...placement })),
  )
  return placed.map(({ id, geometry, placement, attributes, date }, index) => {
    const { lng, lat, size, sizeZoom, morton } = placement
    const zoom = zooms[index] as number
    return {
      placement,
      extent: extentOfGeometry(geometry),
      representative: { id, lng, lat, date, standing: { attributes, zoom, geometryZoom: sizeZoom } },
      geometry: { id, size, size_zoom: sizeZoom, morton, geometry, attributes },
    }
  })
}

function sharedAttributes(): (words: Attributes) => Attributes {
  const sharedWords = new Map<string, Attributes>()
  return ({ kind, shape, type, status, severity }) => {
    const words = { kind, shape, type, status, severity }
    const key = Object.values(words).join()
    const shared = sharedWords.get(key) ?? words
    sharedWords.set(key, shared)
    return shared
  }
}

function countPlaces(prepared: readonly PreparedFeature[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { geometry } of prepared) {
    const key = placeKey({ ...geometry.attributes, morton: geometry.morton })
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

const placeKey = ({ kind, shape, morton }: TilePlace) =>
  `${kind} ${shape} ${Math.floor(morton / smallestCell.codes)}`

const overlaps = (one: Bounds, other: Bounds) =>
  one.west <= other.east && other.west <= one.east && one.south <= other.north && other.south <= one.north
