import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import type { ReadDatabase } from '../database/database.ts'
import { readParcelsSeenFirst } from '../thinning/read-tile.queries.ts'
import { drawLand } from './draw-land.ts'

/** More are indistinguishable at this size. */
const maxParcels = 1_500

type Picture = { isOf: number; svg: Promise<string | null> }

const maxCached = 2_000

export function createLandPictures() {
  const cached = new Map<string, Picture>()
  return async function landPicture(read: ReadDatabase, mapId: string): Promise<string | null> {
    const map = await read
      .selectFrom('maps')
      .leftJoin('clients', 'clients.map_id', 'maps.map_id')
      .select(['maps.updated_at', 'clients.archived_at'])
      .where('maps.map_id', '=', mapId)
      .executeTakeFirst()
    if (!map || map.archived_at !== null) return null
    const current = cached.get(mapId)
    const picture =
      current?.isOf === map.updated_at ? current : { isOf: map.updated_at, svg: draw(read, mapId) }
    cached.delete(mapId)
    cached.set(mapId, picture)
    const [first] = cached.keys()
    if (cached.size > maxCached && first !== undefined) cached.delete(first)
    picture.svg.catch(() => cached.get(mapId) === picture && cached.delete(mapId))
    return picture.svg
  }
}

async function draw(read: ReadDatabase, mapId: string): Promise<string | null> {
  const geometries = await readParcelsSeenFirst(read, mapId, maxParcels)
  return drawLand(geometries.map((geometry) => JSON.parse(geometry) as Geometry))
}
