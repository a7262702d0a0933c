import { type Box, unwrapped, wrapped } from '#domain/geometry/box.ts'
import type { ReadDatabase } from '../database/database.ts'
import { isWithin } from '../geometry/extents.ts'

/** Sampled from both ends of the order of ids, which are hashes for imports. */
const sampledAtEachEnd = 500

/** Multiple of the median distance beyond which features are strays. */
const strayFactor = 10
/** Degrees: the features of a small map may be close together. */
const leastReach = 0.5

/** Share of the land added on each side, because large maps are sampled. */
const margin = 0.05

/**
 * The box of most features; undefined for an empty map. Unlike the stored extent, strays such as features
 * with swapped coordinates do not widen it. West is greater than east across the date line. `exceptId` is a
 * feature that is about to move.
 */
export async function readLand(
  read: ReadDatabase,
  mapId: string,
  exceptId: string | null = null,
): Promise<Box | undefined> {
  const land = await sampleLand(read, mapId, exceptId)
  return land && wrapped(land.box)
}

/** The box to show: `extent`, the box around all features, or only the land if strays are far from it. */
export async function withoutStrays(read: ReadDatabase, mapId: string, extent: Box): Promise<Box> {
  const { west, east } = unwrapped(extent)
  if (Math.max(east - west, extent.north - extent.south) <= leastReach) return extent
  const land = await sampleLand(read, mapId, null)
  if (!land) return extent
  const { box, reach } = land
  const offset = Math.round(((box.west + box.east) / 2 - (west + east) / 2) / 360) * 360
  const whole = { ...extent, west: west + offset, east: east + offset }
  if (isWithin(whole, reach)) return extent
  const [width, height] = [(box.east - box.west) * margin, (box.north - box.south) * margin]
  // An extent around the world is wrong for land across the date line.
  const sides = isWithin(box, whole) ? whole : box
  return wrapped({
    west: Math.max(box.west - width, sides.west),
    east: Math.min(box.east + width, sides.east),
    south: Math.max(box.south - height, extent.south),
    north: Math.min(box.north + height, extent.north),
  })
}

async function sampleLand(read: ReadDatabase, mapId: string, exceptId: string | null) {
  const sampled = (direction: 'asc' | 'desc') =>
    read
      .selectFrom('features')
      .select(['lng', 'lat', 'west', 'south', 'east', 'north'])
      .where('map_id', '=', mapId)
      .$if(exceptId !== null, (query) => query.where('id', '<>', exceptId))
      .orderBy('id', direction)
      .limit(sampledAtEachEnd)
      .execute()
  return landAround([...(await sampled('asc')), ...(await sampled('desc'))])
}

type Place = { lng: number; lat: number } & Partial<Box>

/** `reach` contains everything but strays. Both boxes are unwrapped. */
export function landAround(places: readonly Place[]): { box: Box; reach: Box } | undefined {
  if (places.length === 0) return undefined
  const middle = { lng: medianOf(places.map(({ lng }) => lng)), lat: medianOf(places.map(({ lat }) => lat)) }
  const shrink = Math.cos((middle.lat * Math.PI) / 180)
  const offsets = places.map((place) => {
    const { lng, lat } = place
    const east = ((((lng - middle.lng + 180) % 360) + 360) % 360) - 180
    return {
      distance: Math.hypot(east * shrink, lat - middle.lat),
      lng: middle.lng + east,
      lat,
      // A shape that is cut at the date line has an extent around the world.
      around: (place.east ?? lng) - (place.west ?? lng) > 180 ? { lng, lat } : place,
    }
  })
  const far = Math.max(leastReach, strayFactor * medianOf(offsets.map(({ distance }) => distance)))
  const near = offsets.filter(({ distance }) => distance <= far)
  const box = {
    west: Math.min(...near.map(({ lng, around }) => lng - around.lng + (around.west ?? around.lng))),
    east: Math.max(...near.map(({ lng, around }) => lng - around.lng + (around.east ?? around.lng))),
    south: Math.min(...near.map(({ lat, around }) => around.south ?? lat)),
    north: Math.max(...near.map(({ lat, around }) => around.north ?? lat)),
  }
  return {
    box,
    reach: {
      west: Math.min(box.west, middle.lng - far / shrink),
      east: Math.max(box.east, middle.lng + far / shrink),
      south: Math.min(box.south, middle.lat - far),
      north: Math.max(box.north, middle.lat + far),
    },
  }
}

/** The upper middle for even numbers: of two places, neither is a stray. */
function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}
