import type { Position } from '#domain/geometry/geometry.schema.ts'
import type { SuggestedProjection } from '#domain/imports/import-draft.schema.ts'
import type { Extent } from '../../database/database.ts'
import { kilometersTo, middleOf, reachOf } from '../../geometry/distances.ts'
import type { Gdal } from '../../geometry/gdal.ts'
import { transformToDegrees } from './find-projection.ts'
import { type NamedProjection, projectionsAt } from './projection-register.ts'

type Question = {
  /** Some positions as the file says them. */
  positions: readonly Position[]
  /** Where they should be. */
  land: Extent
}

/** More would be nothing to choose from. */
const mostSuggested = 5
/** Two that bring a place so close together are one and the same to who looks at a map; feet and survey feet are meters apart. */
const sameWithinKm = 0.0015
/** So many positions tell. */
const mostTried = 25

/** Milliseconds. Each projection takes about 50 ms. */
const usualLimitMs = 3_000

/**
 * Projections in which the coordinates of a file would lie on or near the land, the likeliest first. Tries the projections
 * made for this land, common ones first, until the time is up. The middle of the file is compared with the land.
 */
export async function suggestProjections(
  gdal: Gdal,
  { positions, land }: Question,
  limitMs = usualLimitMs,
): Promise<SuggestedProjection[]> {
  const tried = evenly(positions.filter(isOnEarth), mostTried)
  if (tried.length === 0) return []
  const deadline = performance.now() + limitMs
  const placed: (NamedProjection & { lng: number; lat: number; kilometersOff: number })[] = []
  for (const projection of [webMercator, ...inOrder(await projectionsAt(gdal, land))]) {
    if (projection !== webMercator && performance.now() > deadline) break
    const places = await placesOf(gdal, projection.code, tried)
    if (!places) continue
    const middle = middleOf(places.map(([lng, lat]) => ({ lng, lat })))
    const kilometersOff = kilometersTo(land, middle)
    if (kilometersOff <= reachOf(land)) placed.push({ ...projection, ...middle, kilometersOff })
    // Its numbers mean another part of the world in any other projection.
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
    if (different.every((known) => kilometersTo(here, known) > sameWithinKm)) different.push(one)
  }
  return different.slice(0, mostSuggested).map(({ code, name, kilometersOff }) => ({
    projection: code,
    name,
    kilometersOff: Math.round(kilometersOff),
  }))
}

const webMercator: NamedProjection = { code: 'EPSG:3857', name: 'WGS 84 / Pseudo-Mercator' }

/** Feet around the equator, and more. PROJ turns larger numbers around the world until they fit, which may take forever. */
const mostOnEarth = 1e9
const isOnEarth = (position: Position) => position.every((number) => Math.abs(number) < mostOnEarth)

/** State planes and UTM zones of current datums first, then those of older ones, then all others. */
function inOrder(projections: readonly NamedProjection[]): NamedProjection[] {
  const orderOf = ({ name }: NamedProjection) => rankOf(name) + (isOfZone(name) ? 0 : datums.length + 2)
  return projections
    .filter(({ code }) => code !== webMercator.code)
    .toSorted((one, other) => orderOf(one) - orderOf(other))
}

/** `NAD83 / Massachusetts Mainland (ftUS)` and `NAD83 / UTM zone 19N`, but not `NAD83 / Conus Albers`. */
const isOfZone = (name: string) =>
  !/Albers|Equal|LCC|Lambert Conformal|Atlas|Equidistant|Mercator|Polar|Statistics/i.test(name)

/** What counties and surveyors give away today comes first; what nobody has used for decades last. */
const datums = ['NAD83 /', 'WGS 84 /', 'NAD83(2011)', 'NAD83(HARN)', 'NAD83(NSRS2007)']
const oldDatums = ['NAD27', 'WGS 72']

function rankOf(name: string): number {
  const known = datums.findIndex((datum) => name.startsWith(datum))
  if (known >= 0) return known
  return oldDatums.some((datum) => name.startsWith(datum)) ? datums.length + 1 : datums.length
}

/** Places of most positions; undefined where the projection does not have them. A stray row does not count. */
async function placesOf(
  gdal: Gdal,
  code: string,
  positions: readonly Position[],
): Promise<Position[] | undefined> {
  try {
    const places = await transformToDegrees(gdal, code, positions)
    const some = places.filter(([lng, lat]) => Math.abs(lng) <= 180 && Math.abs(lat) <= 90)
    return some.length * 2 > positions.length ? some : undefined
  } catch {
    return undefined
  }
}

function evenly<Item>(items: readonly Item[], most: number): Item[] {
  const step = Math.max(1, items.length / most)
  return Array.from(
    { length: Math.min(most, items.length) },
    (_, index) => items[Math.floor(index * step)] as Item,
  )
}
