import { sql } from 'kysely'
import { type FeatureKind, featureKinds } from '#domain/definition/kinds.ts'
import { type DefinedKind, hasField } from '#domain/features/definitions.ts'
import { covers } from '#domain/geometry/covers.ts'
import type { Geometry, LatLng } from '#domain/geometry/geometry.schema.ts'
import type { Database, Extent, ReadDatabase } from '../../database/database.ts'
import { Pauses } from '../../database/pauses.ts'

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

export function readParcelsIn(...[database, read, mapId, box]: InBox): Promise<Parcel[]> {
  return featuresIn(database, read, mapId, parcels, box)
    .select(['id', 'name', 'geometry'])
    .orderBy('size')
    .orderBy('id')
    .execute()
}

export function readPlacedIn(...[database, read, mapId, box]: InBox) {
  return featuresIn(database, read, mapId, placed, box).selectAll().orderBy('id').execute()
}

type ShapesInBox = { mapId: string; kind: DefinedKind; box: Extent }

function shapesIn(
  { dialect }: Pick<Database, 'dialect'>,
  read: ReadDatabase,
  { mapId, kind, box }: ShapesInBox,
) {
  const shapes = read.selectFrom('features').where('map_id', '=', mapId).where(dialect.intersects(mapId, box))
  return kind === 'feature'
    ? shapes.where('is_general', '=', 1)
    : shapes.where('kind', '=', kind).where('is_general', '=', 0)
}

type ShapesQuery = [database: Pick<Database, 'dialect'>, read: ReadDatabase, where: ShapesInBox]

export const measureShapesIn = (...query: ShapesQuery) => measure(shapesIn(...query))

export const readShapesIn = (...query: ShapesQuery) =>
  shapesIn(...query)
    .select(['id', 'name', 'version', 'geometry', 'created_at'])
    .select(query[0].dialect.fieldValue(['area'], 'number').$castTo<number | null>().as('area'))
    .orderBy('id')
    .execute()

type Amount = { count: number; characters: number }

export function measureParcelsIn(...[database, read, mapId, box]: InBox): Promise<Amount> {
  return measure(featuresIn(database, read, mapId, parcels, box))
}

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

/** 'not examined' means that the land there has too many or too large parcels. */
type Found = { id: string; name: string } | null | 'not examined'

export type ParcelFinder = {
  find(place: LatLng): Promise<Found>
  /** Reads the candidates of many places at once, so that `find` needs no query for each. */
  prepare(places: readonly LatLng[]): Promise<void>
}

/** Limits comparisons of edges with places: about 0.4 s. 500 places on a parcel of 18,606 corners need 0.6 million. */
const maxSteps = 8_000_000
/** Bytes of geometry that are parsed in the time of a step. */
const bytesPerStep = 6
const stepsPerCandidate = 40
const maxAroundPlace = 2_000
const maxPrepared = 20_000
const maxPreparedBytes = 8_000_000
const idsPerQuery = 500

type Candidate = { at: number; id: string; name: string; bytes: number }

/** For one transaction: reads each parcel once, and limits the steps of all places together. */
export function parcelFinder(
  database: Pick<Database, 'dialect'>,
  read: ReadDatabase,
  mapId: string,
): ParcelFinder {
  const candidates = new Map<string, Candidate[]>()
  const texts = new Map<string, string>()
  const shapes = new Map<string, Geometry>()
  const effort = { steps: 0 }
  const pauses = new Pauses()

  async function readCandidates(places: readonly LatLng[], limit: number) {
    const { dialect } = database
    const degrees = (axis: 'lng' | 'lat') =>
      sql<number>`cast(place.value ->> ${sql.lit(axis)} as double precision)`
    const [lng, lat] = [degrees('lng'), degrees('lat')]
    const listed = JSON.stringify(places.map((place, at) => ({ at, lng: place.lng, lat: place.lat })))
    const at = sql`cast(place.value ->> 'at' as integer)`
    const { rows } = await sql<Candidate>`
      select ${at} as at, features.id, features.name, octet_length(features.geometry) as bytes
      from ${dialect.elements(sql`${listed}`, 'place')} ${dialect.joinFeaturesAt(mapId, lng, lat)}
      where features.kind = 'parcel' and features.is_general = 0
      order by ${at}, features.size, features.id limit ${limit}`.execute(read)
    return Map.groupBy(rows, (row) => row.at)
  }

  async function prepare(places: readonly LatLng[]) {
    const byKey = new Map(places.map((place) => [keyOf(place), place]))
    const missing = [...byKey].filter(([key]) => !candidates.has(key))
    if (missing.length < 2) return
    const around = await readCandidates(
      missing.map(([, place]) => place),
      maxPrepared,
    )
    const total = [...around.values()].reduce((sum, { length }) => sum + length, 0)
    // In a truncated list the last place may be incomplete, and the following ones were not read.
    const complete = total < maxPrepared ? missing.length : Math.max(...around.keys())
    for (const [at, [key]] of missing.slice(0, complete).entries()) candidates.set(key, around.get(at) ?? [])
    let bytes = 0
    const ids = new Set<string>()
    for (const [smallest] of around.values()) {
      bytes += Number(smallest?.bytes ?? 0)
      if (smallest && bytes <= maxPreparedBytes && !texts.has(smallest.id)) ids.add(smallest.id)
    }
    await readShapes([...ids])
  }

  async function readShapes(ids: readonly string[]) {
    for (let start = 0; start < ids.length; start += idsPerQuery) {
      const rows = await read
        .selectFrom('features')
        .select(['id', 'geometry'])
        .where('map_id', '=', mapId)
        .where('id', 'in', ids.slice(start, start + idsPerQuery))
        .execute()
      for (const { id, geometry } of rows) texts.set(id, geometry)
    }
  }

  async function readShape(id: string): Promise<Geometry> {
    if (!texts.has(id)) await readShapes([id])
    const shape: Geometry = JSON.parse(texts.get(id) ?? 'null')
    texts.delete(id)
    shapes.set(id, shape)
    return shape
  }

  async function find(place: LatLng): Promise<Found> {
    if (effort.steps > maxSteps) return 'not examined'
    const around =
      candidates.get(keyOf(place)) ?? (await readCandidates([place], maxAroundPlace)).get(0) ?? []
    candidates.set(keyOf(place), around)
    effort.steps += around.length * stepsPerCandidate
    for (const { id, name, bytes } of around.slice(0, maxAroundPlace)) {
      await pauses.pause()
      if (!shapes.has(id)) effort.steps += Number(bytes) / bytesPerStep
      if (effort.steps > maxSteps) return 'not examined'
      if (covers(shapes.get(id) ?? (await readShape(id)), [place.lng, place.lat], effort)) return { id, name }
    }
    return around.length < maxAroundPlace ? null : 'not examined'
  }

  return { find, prepare }
}

const keyOf = ({ lng, lat }: LatLng) => `${lng},${lat}`

export async function readParcelIds(
  read: ReadDatabase,
  mapId: string,
  ids: readonly string[],
): Promise<string[]> {
  const uniqueIds = [...new Set(ids)]
  if (uniqueIds.length === 0) return []
  const rows = await read
    .selectFrom('features')
    .select('id')
    .where('map_id', '=', mapId)
    .where('kind', '=', 'parcel')
    .where('id', 'in', uniqueIds)
    .execute()
  return rows.map(({ id }) => id)
}

export async function hasParcels(read: ReadDatabase, mapId: string): Promise<boolean> {
  const parcel = await read
    .selectFrom('features')
    .select('id')
    .where('map_id', '=', mapId)
    .where('kind', '=', 'parcel')
    .limit(1)
    .executeTakeFirst()
  return parcel !== undefined
}
