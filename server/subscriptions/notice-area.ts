import type { Database } from '../database/database.ts'
import type { QueueClient } from '../database/fair-queue.ts'
import type { SubscriptionsTable } from '../database/tables.ts'
import { RefusedError } from '../domain-error.ts'
import { workOnShapes } from '../geometry/shape-threads.ts'
import { readShapes } from './incident-news.queries.ts'
import { type AreaFeature, listParcelsAround, readAreaFeatures } from './notices.queries.ts'
import { listNoticeSubscribers } from './subscriptions.queries.ts'

const maxFeatures = 2_000
const maxParcels = 10_000
const maxMs = 8_000

type Area = { features: readonly AreaFeature[]; meters: number }
type Place = { id: string | null; geometry: string; meters: number }

export async function readArea(
  { read }: Database,
  mapId: string,
  { ids, meters }: { ids: readonly string[]; meters: number },
): Promise<Area> {
  if (ids.length > maxFeatures)
    throw new RefusedError(
      'ids',
      `select more than ${maxFeatures.toLocaleString('en')} features. Select fewer`,
    )
  return { features: await readAreaFeatures(read, mapId, ids), meters }
}

/** Parcels that are selected, or that meet another selected feature or come within the distance. */
export async function countParcels(database: Database, caller: QueueClient, area: Area): Promise<number> {
  const { features, meters } = area
  const selected = features.filter(({ kind }) => kind === 'parcel')
  if (meters === 0 && selected.length === features.length) return selected.length
  const around = await listParcelsAround(database, caller, area, maxParcels + 1)
  if (around.length > maxParcels)
    throw new RefusedError(
      'ids',
      `have more than ${maxParcels.toLocaleString('en')} parcels around them. Select fewer`,
    )
  const places = around.map((parcel) => ({ ...parcel, meters }))
  return (await areInArea(caller, area, places)).filter(Boolean).length
}

/** Ids of the subscriptions to notices that cover the area. */
export async function findSubscribers(
  database: Database,
  caller: QueueClient,
  area: Area,
): Promise<SubscriptionsTable[]> {
  if (area.features.length === 0) return []
  const rows = await listNoticeSubscribers(database.read, caller.mapId)
  const parcelIds = rows.flatMap(({ topic, feature_id }) => (topic === 'parcel' ? (feature_id ?? []) : []))
  const shapes = await readShapes(database.read, caller.mapId, parcelIds)
  const places = rows.map(({ topic, feature_id: id, area: drawn, radius_meters: radius }): Place | null => {
    if (topic === 'area') return { id: null, geometry: drawn ?? '', meters: area.meters }
    const shape = topic === 'parcel' ? shapes.get(id ?? '') : undefined
    return shape ? { id, geometry: JSON.stringify(shape), meters: area.meters + (radius ?? 0) } : null
  })
  const isIn = await areInArea(caller, area, places)
  return rows.filter(({ topic }, index) => topic === 'map' || isIn[index])
}

/** Without a distance, a parcel beside a selected parcel is not in the area. */
async function areInArea(
  caller: QueueClient,
  { features }: Area,
  places: readonly (Place | null)[],
): Promise<boolean[]> {
  const selected = new Set(features.map(({ id }) => id))
  const isSelected = (place: Place) => place.id !== null && selected.has(place.id)
  const isBeside = (place: Place) => place.id !== null && place.meters === 0
  const areNear = async (some: readonly Place[], areas: readonly AreaFeature[]) =>
    some.length === 0 || areas.length === 0
      ? []
      : workOnShapes(caller, 'near', { areas: areas.map(({ geometry }) => geometry), others: some }, maxMs)
  const open = places.filter((place) => place !== null && !isSelected(place)) as Place[]
  const [apart, beside] = [open.filter((place) => !isBeside(place)), open.filter(isBeside)]
  const answers = new Map<Place, boolean>()
  for (const [index, isNear] of (await areNear(apart, features)).entries())
    answers.set(apart[index] as Place, isNear)
  const others = features.filter(({ kind }) => kind !== 'parcel')
  for (const [index, isNear] of (await areNear(beside, others)).entries())
    answers.set(beside[index] as Place, isNear)
  return places.map((place) => place !== null && (isSelected(place) || answers.get(place) === true))
}
