import {
  defaultMapConfiguration,
  type MapConfigurationAnswer,
  readableMapConfiguration,
} from '#domain/map-configuration/map-configuration.schema.ts'
import type { Database } from '../database/database.ts'

/** The applied configuration, or the default where nobody applied one yet. */
export async function readConfigurationOfMap(
  { read }: Database,
  mapId: string,
): Promise<MapConfigurationAnswer> {
  const row = await read
    .selectFrom('map_configurations')
    .select(['version', 'configuration'])
    .where('map_id', '=', mapId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return { mapId, isApplied: false, version: 0, configuration: defaultMapConfiguration }
  const configuration = readableMapConfiguration.parse(JSON.parse(row.configuration))
  return { mapId, isApplied: true, version: row.version, configuration }
}
