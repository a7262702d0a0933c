import { type FeatureKind, featureKinds } from '#domain/definition/kinds.ts'
import { hasField } from '#domain/features/definitions.ts'
import { covers } from '#domain/geometry/covers.ts'
import type { Geometry, LatLng } from '#domain/geometry/geometry.schema.ts'
import type { Database, Extent, ReadDatabase } from '../database/database.ts'
import { Pauses } from '../database/pauses.ts'

type Parcel = { id: string; name: string; geometry: string }

const parcels = ['parcel'] as const
const placed = featureKinds.filter((kind) => hasField({ kind }, 'parcelId'))

function featuresIn(
  { dialect }: Pick<Database, 'dialect'>,
  read: ReadDatabase,
  mapId: string,
  kinds: readonly FeatureKind[],
  box: Extent,
) {
  return read
    .selectFrom('features')
    .where('map_id', '=', mapId)
    .where('kind', 'in', kinds)
    .where('is_general', '=', 0)
    .where(dialect.intersects(mapId, box))
}

type InBox = [database: Pick<Database, 'dialect'>, read: ReadDatabase, mapId: string, box: Extent]

/** The parcels of a map whose extent touches a box, the smallest first. */
export function readParcelsIn(...[database, read, mapId, box]: InBox): Promise<Parcel[]> {
  return featuresIn(database, read, mapId, parcels, box)
    .select(['id', 'name', 'geometry'])
    .orderBy('size')
    .orderBy('id')
    .execute()
}

/** Features of the kinds that belong to parcels, whose extent touches a box. */
export function readPlacedIn(...[database, read, mapId, box]: InBox) {
  return featuresIn(database, read, mapId, placed, box).selectAll().orderBy('id').execute()
}

type Amount = { count: number; characters: number }

/** How many parcels `readParcelsIn` reads, and how long their geometries are. */
export function measureParcelsIn(...[database, read, mapId, box]: InBox): Promise<Amount> {
  return measure(featuresIn(database, read, mapId, parcels, box))
}

/** The same of `readPlacedIn`. */
export function measurePlacedIn(...[database, read, mapId, box]: InBox): Promise<Amount> {
  return measure(featuresIn(database, read, mapId, placed, box))
}

async function measure(features: ReturnType<typeof featuresIn>): Promise<Amount> {
  const { count, characters } = await features
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.sum<number | null>(fn<number>('length', ['geometry'])).as('characters'),
    ])
    .executeTakeFirstOrThrow()
  return { count: Number(count), characters: Number(characters ?? 0) }
}

/**
 * Finds the parcel on which a place lies, of several the smallest; null on none. 'not examined' is a place on land with
 * too many or too large parcels.
 */
export type FindParcel = (place: LatLng) => Promise<{ id: string; name: string } | null | 'not examined'>

/** Edges to compare with places in all: about 0.4 s. 500 places on a parcel of 18,606 corners need 0.6 million. */
const mostSteps = 8_000_000
/** Bytes of geometry that are parsed in the time of a step. */
const bytesPerStep = 6
const stepsPerRow = 40
const mostAround = 2_000

/** A FindParcel for one transaction: each parcel is read once, and the steps of all places count together. */
export function parcelFinder(
  database: Pick<Database, 'dialect'>,
  read: ReadDatabase,
  mapId: string,
): FindParcel {
  const shapes = new Map<string, Geometry>()
  const effort = { steps: 0 }
  const pauses = new Pauses()

  async function readShape(id: string): Promise<Geometry> {
    const { geometry } = await read
      .selectFrom('features')
      .select('geometry')
      .where('map_id', '=', mapId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const shape: Geometry = JSON.parse(geometry)
    shapes.set(id, shape)
    return shape
  }

  return async ({ lat, lng }) => {
    if (effort.steps > mostSteps) return 'not examined'
    const box = { west: lng, east: lng, south: lat, north: lat }
    const around = await featuresIn(database, read, mapId, parcels, box)
      .select(({ fn }) => ['id', 'name', fn<number>('octet_length', ['geometry']).as('bytes')])
      .orderBy('size')
      .orderBy('id')
      .limit(mostAround)
      .execute()
    effort.steps += around.length * stepsPerRow
    for (const { id, name, bytes } of around) {
      await pauses.pause()
      if (!shapes.has(id)) effort.steps += Number(bytes) / bytesPerStep
      if (effort.steps > mostSteps) return 'not examined'
      if (covers(shapes.get(id) ?? (await readShape(id)), [lng, lat], effort)) return { id, name }
    }
    return around.length < mostAround ? null : 'not examined'
  }
}
