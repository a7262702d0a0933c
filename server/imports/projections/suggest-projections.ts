import type { Position } from '#domain/geometry/geometry.schema.ts'
import type { SuggestedProjection } from '#domain/imports/import-draft.schema.ts'
import type { Extent } from '../../database/database.ts'
import type { Gdal } from '../../gdal.ts'
import { kilometersTo, middleOf, reachOf } from '../../geometry/distances.ts'
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

/**
 * In which projections the coordinates of a file would lie on or near the land, the likeliest first. Every projection that is
 * made for this land is tried, and it counts where the middle of the file comes to lie.
 */
export async function suggestProjections(
  gdal: Gdal,
  { positions, land }: Question,
): Promise<SuggestedProjection[]> {
  const tried = evenly(positions, mostTried)
  if (tried.length === 0) return []
  const placed: (NamedProjection & { lng: number; lat: number; kilometersOff: number })[] = []
  for (const projection of await projectionsAt(gdal, land)) {
    const places = await placesOf(gdal, projection.code, tried)
    if (!places) continue
    const middle = middleOf(places.map(([lng, lat]) => ({ lng, lat })))
    const kilometersOff = kilometersTo(land, middle)
    if (kilometersOff <= reachOf(land)) placed.push({ ...projection, ...middle, kilometersOff })
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

/** What counties and surveyors give away today comes first; what nobody has used for decades last. */
const datums = ['NAD83 /', 'WGS 84 /', 'NAD83(2011)', 'NAD83(HARN)', 'NAD83(NSRS2007)']
const oldDatums = ['NAD27', 'WGS 72']

function rankOf(name: string): number {
  const known = datums.findIndex((datum) => name.startsWith(datum))
  if (known >= 0) return known
  return oldDatums.some((datum) => name.startsWith(datum)) ? datums.length + 1 : datums.length
}

/** Undefined where the projection has no such places. */
async function placesOf(
  gdal: Gdal,
  code: string,
  positions: readonly Position[],
): Promise<Position[] | undefined> {
  try {
    const places = await transformToDegrees(gdal, code, positions)
    const isSomewhere = places.every(([lng, lat]) => Math.abs(lng) <= 180 && Math.abs(lat) <= 90)
    return isSomewhere && places.length > 0 ? places : undefined
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
