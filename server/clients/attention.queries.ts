import { sql } from 'kysely'
import type { Attention } from '#domain/clients/client.schema.ts'
import type { ReadDatabase } from '../database/database.ts'

/** Must be literally the condition of the partial index. */
const needsAttention = sql<boolean>`status in ('unresolved', 'offline', 'maintenance')`

export const noAttention = (): Attention => ({
  incidents: { high: 0, medium: 0, low: 0, unknown: 0 },
  offline: 0,
  maintenance: 0,
})

export async function readAttention(
  database: ReadDatabase,
  mapIds: readonly string[],
): Promise<ReadonlyMap<string, Attention>> {
  const attention = new Map<string, Attention>()
  if (mapIds.length === 0) return attention
  const rows = await database
    .selectFrom('features')
    .select(['map_id', 'kind', 'status', 'severity', ({ fn }) => fn.countAll<number>().as('count')])
    .where(needsAttention)
    .where('map_id', 'in', mapIds)
    .groupBy(['map_id', 'kind', 'status', 'severity'])
    .execute()
  for (const { map_id, kind, status, severity, count } of rows) {
    const counts = attention.get(map_id) ?? noAttention()
    attention.set(map_id, counts)
    if (kind === 'incident' && status === 'unresolved')
      counts.incidents[(severity ?? 'unknown') as keyof Attention['incidents']] += count
    if (kind === 'asset' && (status === 'offline' || status === 'maintenance')) counts[status] += count
  }
  return attention
}

export function addAttention(one: Attention, other: Attention): Attention {
  const { high, medium, low, unknown } = other.incidents
  return {
    incidents: {
      high: one.incidents.high + high,
      medium: one.incidents.medium + medium,
      low: one.incidents.low + low,
      unknown: one.incidents.unknown + unknown,
    },
    offline: one.offline + other.offline,
    maintenance: one.maintenance + other.maintenance,
  }
}

export function openIncidentsByMap(database: ReadDatabase) {
  return database
    .selectFrom('features')
    .select(['map_id', ({ fn }) => fn.countAll<number>().as('number')])
    .where(needsAttention)
    .where('kind', '=', 'incident')
    .where('status', '=', 'unresolved')
    .groupBy('map_id')
}
