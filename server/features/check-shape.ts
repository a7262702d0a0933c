import { setImmediate } from 'node:timers/promises'
import { faultOfShape } from '#domain/features/change-feature.ts'
import { mostNamed, type ShapeCheck, type ShapeToCheck } from '#domain/features/shape-check.schema.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import { extentOfGeometry, partsOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { overlapAcres } from '#domain/geometry/overlap.ts'
import { placementOf } from '#domain/tiles/placement.ts'
import type { Database } from '../database/database.ts'
import { readParcelAt, readParcelsIn } from './parcel-at.queries.ts'

/** So long nobody else is answered. */
const workMs = 20

/** Files round their corners differently: less than half a square meter is no overlap. */
const leastAcres = 1e-4

/** What there is to know of a shape before it is saved: its fault, its size, and the land around it. */
export async function checkShape(
  database: Database,
  mapId: string,
  { kind, id, geometry }: ShapeToCheck,
  signal: AbortSignal,
): Promise<ShapeCheck> {
  const none = { acres: null, parcel: null, neighbors: [], overlaps: [] }
  const fault = faultOfShape(geometry)
  if (fault) return { ...none, fault: { message: fault.message, ...(fault.at ? { at: fault.at } : {}) } }
  const found = { ...none, fault: null, acres: measureAcres(geometry) }
  if (kind !== 'parcel') {
    const parcel = await readParcelAt(database, database.read, mapId, placementOf(geometry))
    return { ...found, parcel: parcel && { id: parcel.id, name: parcel.name } }
  }
  const around = await readParcelsIn(database, database.read, mapId, extentOfGeometry(geometry))
  const others = around
    .filter((other) => other.id !== id)
    .map(({ geometry: text, ...named }) => ({ named, shape: JSON.parse(text) as Geometry }))
  const corners = cornersOf(geometry)
  return {
    ...found,
    neighbors: others
      .filter(({ shape }) => [...cornersOf(shape)].some((corner) => corners.has(corner)))
      .map(({ named }) => named)
      .slice(0, mostNamed),
    overlaps: (await overlapsOf(geometry, others, signal))
      .toSorted((one, other) => other.acres - one.acres)
      .slice(0, mostNamed),
  }
}

type Other = { named: { id: string; name: string }; shape: Geometry }

/** A street has thousands of neighbors, which takes seconds: others are answered in between, and nobody waits in vain. */
async function overlapsOf(geometry: Geometry, others: readonly Other[], signal: AbortSignal) {
  const overlaps: ShapeCheck['overlaps'] = []
  let pausedAt = performance.now()
  for (const { named, shape } of others) {
    const acres = overlapAcres(geometry, shape)
    if (acres > leastAcres) overlaps.push({ ...named, acres })
    if (performance.now() - pausedAt < workMs) continue
    await setImmediate()
    if (signal.aborted) break
    pausedAt = performance.now()
  }
  return overlaps
}

const cornersOf = (geometry: Geometry): Set<string> =>
  new Set(
    partsOfGeometry(geometry)
      .flat()
      .map(([lng, lat]) => `${lng} ${lat}`),
  )
