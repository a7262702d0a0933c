import { setImmediate } from 'node:timers/promises'
import { covers } from '#domain/geometry/covers.ts'
import type { Geometry, LatLng } from '#domain/geometry/geometry.schema.ts'
import type { Database, Extent, ReadDatabase } from '../database/database.ts'

type Parcel = { id: string; name: string; geometry: string }

/** The parcels of a map whose extent touches a box, the smallest first. */
export function readParcelsIn(
  { dialect }: Pick<Database, 'dialect'>,
  read: ReadDatabase,
  mapId: string,
  box: Extent,
): Promise<Parcel[]> {
  return read
    .selectFrom('features')
    .select(['id', 'name', 'geometry'])
    .where('map_id', '=', mapId)
    .where('kind', '=', 'parcel')
    .where('is_general', '=', 0)
    .where(dialect.intersects(mapId, box))
    .orderBy('size')
    .orderBy('id')
    .execute()
}

/** How many parcels `readParcelsIn` reads, and how long their geometries are. */
export async function measureParcelsIn(
  { dialect }: Pick<Database, 'dialect'>,
  read: ReadDatabase,
  mapId: string,
  box: Extent,
): Promise<{ count: number; characters: number }> {
  const { count, characters } = await read
    .selectFrom('features')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.sum<number | null>(fn<number>('length', ['geometry'])).as('characters'),
    ])
    .where('map_id', '=', mapId)
    .where('kind', '=', 'parcel')
    .where('is_general', '=', 0)
    .where(dialect.intersects(mapId, box))
    .executeTakeFirstOrThrow()
  return { count: Number(count), characters: Number(characters ?? 0) }
}

/** Finds the parcel on which a place lies, of several the smallest; null on none. */
export type FindParcel = (place: LatLng) => Promise<{ id: string; name: string } | null>

/** Reading a geometry costs about as much as this many passes over its text. */
const passesToRead = 8
/** Bytes of geometry that are passed over in all: under a second. Real land needs a hundredth of that. */
const mostPassed = 300_000_000
/** About 10 ms. */
const passedBetweenPauses = 5_000_000

/**
 * A FindParcel for one transaction: each parcel is read once. It pauses for other requests, and has a limit: places that
 * come after it are on no parcel.
 */
export function parcelFinder(
  { dialect }: Pick<Database, 'dialect'>,
  read: ReadDatabase,
  mapId: string,
): FindParcel {
  const shapes = new Map<string, Geometry>()
  let passed = 0
  let pausedAt = 0

  async function spend(bytes: number) {
    passed += bytes
    if (passed - pausedAt < passedBetweenPauses) return
    pausedAt = passed
    await setImmediate()
  }

  async function readShape(id: string, bytes: number): Promise<Geometry> {
    const { geometry } = await read
      .selectFrom('features')
      .select('geometry')
      .where('map_id', '=', mapId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await spend(bytes * passesToRead)
    const shape: Geometry = JSON.parse(geometry)
    shapes.set(id, shape)
    return shape
  }

  return async ({ lat, lng }) => {
    const around = await read
      .selectFrom('features')
      .select(({ fn }) => ['id', 'name', fn<number>('octet_length', ['geometry']).as('bytes')])
      .where('map_id', '=', mapId)
      .where('kind', '=', 'parcel')
      .where('is_general', '=', 0)
      .where(dialect.intersects(mapId, { west: lng, east: lng, south: lat, north: lat }))
      .orderBy('size')
      .orderBy('id')
      .execute()
    for (const { id, name, bytes } of around) {
      if (passed + bytes > mostPassed) return null
      const shape = shapes.get(id) ?? (await readShape(id, bytes))
      await spend(bytes)
      if (covers(shape, [lng, lat])) return { id, name }
    }
    return null
  }
}

/** Incidents and assets whose extent touches a box, at most so many. */
export function readPlacedIn(
  { dialect }: Pick<Database, 'dialect'>,
  read: ReadDatabase,
  mapId: string,
  box: Extent,
  limit: number,
) {
  return read
    .selectFrom('features')
    .selectAll()
    .where('map_id', '=', mapId)
    .where('kind', 'in', ['incident', 'asset'])
    .where('is_general', '=', 0)
    .where(dialect.intersects(mapId, box))
    .orderBy('id')
    .limit(limit)
    .execute()
}
