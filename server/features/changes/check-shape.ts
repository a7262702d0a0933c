import type { FarPlace, ShapeCheck, ShapeToCheck } from '#domain/features/shape-check.schema.ts'
import { countPositions } from '#domain/geometry/find-geometry-fault.ts'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import { extentOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { placementOf } from '#domain/tiles/placement.ts'
import type { Database, ReadDatabase } from '../../database/database.ts'
import type { QueueClient } from '../../database/fair-queue.ts'
import { findSlip, kilometersTo, reachOf } from '../../geometry/distances.ts'
import { examineShapes } from '../../geometry/examine-shapes.ts'
import { ShapeTimeError, workOnShapes } from '../../geometry/shape-threads.ts'
import { readLand } from '../../thinning/read-land.queries.ts'
import { measureParcelsIn, parcelFinder, readParcelsIn } from './parcel-at.queries.ts'

const maxMs = 2_000
const maxCorners = 10_000
const maxAround = { count: 5_000, characters: 8_000_000 }

export async function checkShape(
  database: Database,
  caller: QueueClient,
  { kind, id, geometry }: ShapeToCheck,
): Promise<ShapeCheck> {
  const { mapId } = caller
  const none = { acres: null, parcel: null, neighbors: [], overlaps: [], farFromLand: null, notChecked: null }
  const examine = await examineShapes(mapId, [geometry])
  const { fault, acres } = examine(geometry)
  if (fault) return { ...none, fault: { message: fault.message, ...(fault.at ? { at: fault.at } : {}) } }
  const farFromLand = await findFarPlace(database.read, mapId, id, placementOf(geometry))
  const found = { ...none, fault: null, acres, farFromLand }
  if (kind !== 'parcel') {
    const parcel = await parcelFinder(database, database.read, mapId).find(placementOf(geometry))
    return parcel === 'not examined'
      ? { ...found, notChecked: 'too many parcels around it' }
      : { ...found, parcel }
  }
  if (countPositions(geometry) > maxCorners) return { ...found, notChecked: 'shape is too large' }
  const box = extentOfGeometry(geometry)
  const others = await database.readInWorker(caller, async (read) => {
    const { count, characters } = await measureParcelsIn(database, read, mapId, box)
    if (count > maxAround.count || characters > maxAround.characters) return null
    return readParcelsIn(database, read, mapId, box)
  })
  if (!others) return { ...found, notChecked: 'too many parcels around it' }
  const input = { geometry: JSON.stringify(geometry), others: others.filter((other) => other.id !== id) }
  try {
    return { ...found, ...(await workOnShapes(caller, 'compare', input, maxMs)) }
  } catch (error) {
    if (error instanceof ShapeTimeError) return { ...found, notChecked: 'shape is too large' }
    throw error
  }
}

async function findFarPlace(
  read: ReadDatabase,
  mapId: string,
  id: string | null,
  place: LatLng,
): Promise<FarPlace | null> {
  const land = await readLand(read, mapId, id)
  if (!land) return null
  const reach = reachOf(land)
  const kilometers = Math.round(kilometersTo(land, place))
  if (kilometers <= reach) return null
  return { kilometers, instead: findSlip(land, place)?.place ?? null }
}
