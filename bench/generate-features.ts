import { assetTypes } from '#domain/assets/asset-types.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { incidentTypes, severities } from '#domain/incidents/incident-types.ts'
import { MapRanking } from '#domain/thinning/rank-features.ts'
import { insertClient } from '#server/clients/store-clients.queries.ts'
import type { Database, Extent } from '#server/database/database.ts'
import { toFeatureRow } from '#server/features/rows/feature-row.ts'
import { joinExtents } from '#server/geometry/extents.ts'
import { CountSums } from '#server/thinning/keep-counts.queries.ts'
import { widenExtent } from '#server/thinning/keep-extents.queries.ts'
import { TableOrder } from '#server/thinning/table-order.ts'
import { rowsPerInsert } from '#server/thinning/write-features.queries.ts'

// Deterministic features like those of a county: two thirds in towns, dense in their centers, the rest scattered; a
// third each points, lines and polygons; all types; dates over three years.

export const generatedMap = 'large'
const towns = 40
/** Degrees. */
export const land = { west: -114, south: 31.5, width: 5, height: 5 }
const firstDay = Date.UTC(2024, 0, 1)
const days = 3 * 365
const rowsPerTransaction = 10_000

type Random = () => number

function randomOf(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const pick = <Value>(random: Random, values: readonly Value[]) =>
  values[Math.floor(random() * values.length)] as Value

export const centers = Array.from({ length: towns }, (_, town) => {
  const random = randomOf(town + 1)
  return {
    lng: land.west + random() * land.width,
    lat: land.south + random() * land.height,
    radius: 0.02 + random() * 0.1,
  }
})

export function generateFeature(index: number): NewFeature {
  const random = randomOf(index * 2_654_435_761 + 17)
  const place = placeOf(random)
  const shape = pick(random, ['point', 'line', 'polygon'] as const)
  const geometry = geometryOf(random, shape, place)
  const common = {
    id: `feature-${index.toString(36).padStart(8, '0')}`,
    mapId: generatedMap,
    geometry,
    metadata: [],
    description: 'What there is to be seen here, and since when.',
  }
  const share = random()
  if (shape === 'polygon' && share < 0.7) return { ...parcelFields(random, index), ...common }
  if (shape === 'point' && share < 0.5) return { ...incidentFields(random, index), ...common }
  return { ...assetFields(random, index), ...common }
}

function placeOf(random: Random): Position {
  if (random() < 1 / 3) return [land.west + random() * land.width, land.south + random() * land.height]
  const { lng, lat, radius } = pick(random, centers)
  const [distance, angle] = [radius * random() ** 2, random() * 2 * Math.PI]
  return [lng + distance * Math.cos(angle), lat + distance * Math.sin(angle)]
}

function geometryOf(random: Random, shape: 'point' | 'line' | 'polygon', [lng, lat]: Position): Geometry {
  if (shape === 'point') return { type: 'Point', coordinates: [lng as number, lat as number] }
  // Mostly tens of meters, sometimes kilometers.
  const size = 0.0003 * 40 ** (random() ** 4)
  const corners = shape === 'line' ? 2 + Math.floor(random() * 6) : 4 + Math.floor(random() * 5)
  if (shape === 'line') {
    const heading = random() * 2 * Math.PI
    const coordinates = Array.from({ length: corners }, (_, corner): Position => {
      const along = (corner / (corners - 1) - 0.5) * size * 2
      const turn = heading + (random() - 0.5) * 0.4
      return [(lng as number) + along * Math.cos(turn), (lat as number) + along * Math.sin(turn)]
    })
    return { type: 'LineString', coordinates }
  }
  const ring = Array.from({ length: corners }, (_, corner): Position => {
    const angle = (corner / corners) * 2 * Math.PI
    const radius = size * (0.6 + random() * 0.4)
    return [(lng as number) + radius * Math.cos(angle), (lat as number) + radius * Math.sin(angle)]
  })
  return { type: 'Polygon', coordinates: [[...ring, ring[0] as Position]] }
}

function incidentFields(random: Random, index: number) {
  const instant = firstDay + Math.floor(random() * days * 86_400_000)
  return {
    kind: 'incident' as const,
    title: `Report ${index}`,
    type: random() < 0.05 ? null : pick(random, incidentTypes),
    severity: pick(random, [...severities, null]),
    date: random() < 0.02 ? null : new Date(instant).toISOString(),
    parcelId: null,
    reportedBy: null,
    resolved: random() < 0.6,
    resolvedDate: null,
  }
}

function assetFields(random: Random, index: number) {
  return {
    kind: 'asset' as const,
    name: `Asset ${index}`,
    type: random() < 0.05 ? null : pick(random, assetTypes),
    status: pick(random, ['operational', 'operational', 'maintenance', 'offline'] as const),
    parcelId: null,
    installDate: null,
    lastMaintenance: null,
    maintenanceHistory: [],
  }
}

function parcelFields(random: Random, index: number) {
  return {
    kind: 'parcel' as const,
    name: `Lot ${index}`,
    owner: null,
    area: Math.round(random() * 1_000) / 100,
    buildings: null,
    purchaseDate: null,
    zoning: null,
    taxInfo: null,
  }
}

export type Filling = { rankMs: number; ranking: MapRanking }

/** Fills a map like an import, but faster: ranks are assigned before the first row is written. */
export async function storeGenerated(
  database: Database,
  count: number,
  mapId = generatedMap,
): Promise<Filling> {
  const ranking = new MapRanking()
  const rowOf = (index: number) => toFeatureRow({ ...generateFeature(index), mapId }, { now: 0 })
  const tableOrder = new TableOrder(count)
  for (let index = 0; index < count; index++) {
    const row = rowOf(index)
    ranking.add(row, null)
    tableOrder.add(index, row)
  }
  const order = tableOrder.sorted()
  const start = performance.now()
  ranking.rank()
  const rankMs = performance.now() - start
  await database.write(async (transaction) => {
    const name = `${count.toLocaleString('en-US')} features`
    await insertClient(transaction, { id: mapId, name, location: '', thumbnail: null }, 0)
  })
  const counts = new CountSums()
  let extent: Extent | null = null
  let next = 0
  const insertRest = async () => {
    while (next < count) {
      const numbers = order.subarray(next, next + rowsPerTransaction)
      next += rowsPerTransaction
      await database.write(async (transaction) => {
        for (let from = 0; from < numbers.length; from += rowsPerInsert) {
          const some = [...numbers.subarray(from, from + rowsPerInsert)]
          const rows = some.map(rowOf)
          counts.add(rows, 1)
          extent = joinExtents([extent, ...rows])
          const ranked = rows.map((row, offset) => ({ ...row, ...ranking.ranksOf(some[offset] as number) }))
          await transaction.insertInto('features').values(ranked).execute()
        }
      })
    }
  }
  // One generates rows while PostgreSQL writes those of the other. On SQLite they take turns.
  await Promise.all([insertRest(), insertRest()])
  await database.write(async (transaction) => {
    await counts.store(transaction, mapId)
    if (extent) await widenExtent(transaction, mapId, extent)
  })
  await database.maintenance.tidyUp(['features', 'feature_counts'])
  return { rankMs, ranking }
}
