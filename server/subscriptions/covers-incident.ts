import { placeOnEdge } from '#domain/geometry/borders/shape-graph.ts'
import { covers } from '#domain/geometry/covers.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { polygonsOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { metersBetween, scaleAt } from '#domain/geometry/scale.ts'
import type { FeatureColumns, SubscriptionsTable } from '../database/tables.ts'

type Incident = Pick<FeatureColumns, 'type' | 'lng' | 'lat'>

/** `incidentIds` are the incident and the duplicates that were merged into it. `shapes` are those of parcels on the map. */
export function coversIncident(
  { topic, feature_id, radius_meters, area, types }: SubscriptionsTable,
  { type, lng, lat }: Incident,
  incidentIds: readonly string[],
  shapes: ReadonlyMap<string, Geometry>,
): boolean {
  if (topic === 'incident') return incidentIds.includes(feature_id ?? '')
  const chosen = JSON.parse(types) as string[]
  if (chosen.length > 0 && !chosen.includes(type ?? '')) return false
  if (topic === 'map') return true
  if (topic === 'area') return covers(JSON.parse(area ?? 'null') as Geometry, [lng, lat])
  const parcel = shapes.get(feature_id ?? '')
  return parcel !== undefined && isWithin(parcel, [lng, lat], radius_meters ?? 0)
}

export function isWithin(area: Geometry, place: Position, radiusMeters: number): boolean {
  if (covers(area, place)) return true
  const scale = scaleAt(place[1])
  const squeeze = scale[0] / scale[1]
  return polygonsOfGeometry(area).some((rings) =>
    rings.some((ring) =>
      ring.some((to, index) => {
        const from = ring[index - 1] ?? to
        return metersBetween(placeOnEdge(place, { from, to }, squeeze), place, scale) <= radiusMeters
      }),
    ),
  )
}

/** The most specific subscription of each address that wants the news. */
export function chooseOnePerAddress(subscriptions: readonly SubscriptionsTable[]): SubscriptionsTable[] {
  const order = ['incident', 'parcel', 'area', 'map']
  const sorted = subscriptions.toSorted((one, other) => order.indexOf(one.topic) - order.indexOf(other.topic))
  return [...Map.groupBy(sorted, ({ email }) => email).values()].flatMap(([first]) => first ?? [])
}

export const wants = ({ news }: SubscriptionsTable, isNew: boolean) =>
  news === 'all' || news === (isNew ? 'new' : 'updates')
