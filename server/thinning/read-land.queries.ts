import { type Box, wrapped } from '#domain/geometry/box.ts'
import type { ReadDatabase } from '../database/database.ts'

/** Features at each end of the order of ids that are looked at. Ids of imports are hashes: they are a fair sample. */
const sampledAtEachEnd = 500

/** Places farther from the middle than this many times the median distance are strays. */
const strayFactor = 10
/** Degrees: the features of a small place may lie side by side. */
const leastReach = 0.5

/**
 * The box in which most of a map's features lie; undefined while it is empty. A few stray features, such as one with
 * swapped coordinates, do not widen it, unlike the stored extent. West is greater than east across the date line. `exceptId`
 * is a feature that is about to move.
 */
export async function readLand(
  read: ReadDatabase,
  mapId: string,
  exceptId: string | null = null,
): Promise<Box | undefined> {
  const sampled = (direction: 'asc' | 'desc') =>
    read
      .selectFrom('features')
      .select(['lng', 'lat'])
      .where('map_id', '=', mapId)
      .$if(exceptId !== null, (query) => query.where('id', '<>', exceptId))
      .orderBy('id', direction)
      .limit(sampledAtEachEnd)
      .execute()
  return landAround([...(await sampled('asc')), ...(await sampled('desc'))])
}

export function landAround(places: readonly { lng: number; lat: number }[]): Box | undefined {
  if (places.length === 0) return undefined
  const middle = { lng: medianOf(places.map(({ lng }) => lng)), lat: medianOf(places.map(({ lat }) => lat)) }
  const shrink = Math.cos((middle.lat * Math.PI) / 180)
  const offsets = places.map(({ lng, lat }) => {
    // The shorter way around the world.
    const east = ((((lng - middle.lng + 180) % 360) + 360) % 360) - 180
    return { east, north: lat - middle.lat, distance: Math.hypot(east * shrink, lat - middle.lat) }
  })
  const reach = Math.max(leastReach, strayFactor * medianOf(offsets.map(({ distance }) => distance)))
  const near = offsets.filter(({ distance }) => distance <= reach)
  const [easts, norths] = [near.map(({ east }) => east), near.map(({ north }) => north)]
  return wrapped({
    west: middle.lng + Math.min(...easts),
    east: middle.lng + Math.max(...easts),
    south: middle.lat + Math.min(...norths),
    north: middle.lat + Math.max(...norths),
  })
}

/** Of an even number the upper one: of two places, neither is a stray. */
function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}
