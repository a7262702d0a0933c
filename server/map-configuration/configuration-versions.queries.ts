import type { ConfigurationVersion } from '#domain/map-configuration/map-configuration.schema.ts'
import type { Database } from '../database/database.ts'
import { readStoredConfiguration } from './stored-configuration.ts'

export async function listConfigurationVersions(
  { read }: Database,
  mapId: string,
  page: { limit: number; before: number | undefined },
): Promise<{ items: ConfigurationVersion[]; last: number | null }> {
  const { limit, before } = page
  // One extra row: the configuration that the last one replaced, and whether there is another page.
  const rows = await read
    .selectFrom('map_configurations')
    .selectAll()
    .where('map_id', '=', mapId)
    .$if(before !== undefined, (query) => query.where('version', '<', before ?? 0))
    .orderBy('version', 'desc')
    .limit(limit + 1)
    .execute()
  const configurations = rows.map((row) => readStoredConfiguration(row.configuration).configuration)
  const items = rows.slice(0, limit).map((row, index) => ({
    version: row.version,
    appliedAt: new Date(row.applied_at).toISOString(),
    appliedBy: row.applied_by,
    restoredFrom: row.restored_from,
    configuration: configurations[index] ?? null,
    previous: configurations[index + 1] ?? null,
  }))
  return { items, last: rows.length > limit ? (items.at(-1)?.version ?? null) : null }
}
