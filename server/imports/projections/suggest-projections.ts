import type { Position } from '#domain/geometry/geometry.schema.ts'
import type { SuggestedProjection } from '#domain/imports/import-draft.schema.ts'
import type { Extent } from '../../database/database.ts'
import { kilometersTo, middleOf, reachOf } from '../../geometry/distances.ts'
import type { Gdal } from '../../geometry/gdal.ts'
import { type NamedProjection, projectionsAt, transformToDegrees } from './find-projection.ts'

const maxSuggested = 5
/** Results this close look the same on a map; feet and survey feet are meters apart. */
const sameWithinKm = 0.0015
const maxTriedPositions = 25

/** Time of computing, so that a busy machine suggests the same. Each projection takes about 50 ms. */
const usualLimitMs = 3_000

/**
 * Projections in which the coordinates of a file would be on or near the land, the likeliest first. Tries projections
 * with an area of use on the land, common ones first, until the time is up, and compares the middle of the positions.
 */
export async function suggestProjections(
  gdal: Gdal,
  { positions, land }: { positions: readonly Position[]; land: Extent },
  limitMs = usualLimitMs,
): Promise<SuggestedProjection[]> {
  const tried = takeEvenly(positions.filter(isOnEarth), maxTriedPositions)
  if (tried.length === 0) return []
  const start = computedMs()
  const placed: (NamedProjection & { lng: number; lat: number; kilometersOff: number })[] = []
  for (const projection of [webMercator, ...inOrder(await projectionsAt(gdal, land))]) {
    if (projection !== webMercator && computedMs() - start > limitMs) break
    const places = await transformMajority(gdal, projection.code, tried)
    if (!places) continue
    const middle = middleOf(places.map(([lng, lat]) => ({ lng, lat })))
    const kilometersOff = kilometersTo(land, middle)
    if (kilometersOff <= reachOf(land)) placed.push({ ...projection, ...middle, kilometersOff })
    // In any other projection these numbers are in another part of the world.
    if (projection === webMercator && kilometersOff === 0) break
  }
  placed.sort(
    (one, other) =>
      Math.round(one.kilometersOff) - Math.round(other.kilometersOff) ||
      rankOf(one.name) - rankOf(other.name),
  )
  const different: typeof placed = []
  for (const one of placed) {
    const { lng, lat } = one
    const here = { west: lng, east: lng, south: lat, north: lat }
    if (different.every((other) => kilometersTo(here, other) > sameWithinKm)) different.push(one)
  }
  return different.slice(0, maxSuggested).map(({ code, name, kilometersOff }) => ({
    projection: code,
    name,
    kilometersOff: Math.round(kilometersOff),
  }))
}

function computedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

const webMercator: NamedProjection = { code: 'EPSG:3857', name: 'WGS 84 / Pseudo-Mercator' }

/** Longer than the equator in feet. PROJ wraps larger numbers around the world until they fit, which may never end. */
const isOnEarth = (position: Position) => position.every((number) => Math.abs(number) < 1e9)

/** State planes and UTM zones of current datums first, then those of older ones, then all others. */
function inOrder(projections: readonly NamedProjection[]): NamedProjection[] {
  const orderOf = ({ name }: NamedProjection) => rankOf(name) + (isZone(name) ? 0 : datums.length + 2)
  return projections
    .filter(({ code }) => code !== webMercator.code)
    .toSorted((one, other) => orderOf(one) - orderOf(other))
}

/** `NAD83 / Massachusetts Mainland (ftUS)` and `NAD83 / UTM zone 19N`, but not `NAD83 / Conus Albers`. */
const isZone = (name: string) =>
  !/Albers|Equal|LCC|Lambert Conformal|Atlas|Equidistant|Mercator|Polar|Statistics/i.test(name)

const datums = ['NAD83 /', 'WGS 84 /', 'NAD83(2011)', 'NAD83(HARN)', 'NAD83(NSRS2007)']

function rankOf(name: string): number {
  const index = datums.findIndex((datum) => name.startsWith(datum))
  if (index >= 0) return index
  return /^(NAD27|WGS 72)/.test(name) ? datums.length + 1 : datums.length
}

/** Ignores single positions outside of the projection; undefined if most are outside. */
async function transformMajority(
  gdal: Gdal,
  code: string,
  positions: readonly Position[],
): Promise<Position[] | undefined> {
  try {
    const all = await transformToDegrees(gdal, code, positions)
    const valid = all.filter(([lng, lat]) => Math.abs(lng) <= 180 && Math.abs(lat) <= 90)
    return valid.length * 2 > positions.length ? valid : undefined
  } catch {
    return undefined
  }
}

function takeEvenly<Item>(items: readonly Item[], count: number): readonly Item[] {
  const step = items.length / count
  return step <= 1 ? items : items.filter((_, index) => index % step < 1)
}
