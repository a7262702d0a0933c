import {
  defaultMapConfiguration,
  type MapConfiguration,
  type MapConfigurationAnswer,
} from '#domain/map-configuration/map-configuration.schema.ts'
import type { Database, ReadDatabase, WriteTransaction } from '../database/database.ts'
import { readStoredConfiguration } from './stored-configuration.ts'

export type AppliedConfiguration = MapConfigurationAnswer & { isReadable: boolean }

/** The applied configuration, or the default where nobody applied one yet, or it cannot be read. */
export function readConfigurationOfMap({ read }: Database, mapId: string): Promise<AppliedConfiguration> {
  return readNewestConfiguration(read, mapId)
}

export async function readNewestConfiguration(
  database: ReadDatabase,
  mapId: string,
): Promise<AppliedConfiguration> {
  const row = await database
    .selectFrom('map_configurations')
    .select(['version', 'configuration'])
    .where('map_id', '=', mapId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row)
    return { mapId, isApplied: false, version: 0, configuration: defaultMapConfiguration, isReadable: true }
  const { configuration, isReadable } = readStoredConfiguration(row.configuration)
  return { mapId, isApplied: isReadable, version: row.version, configuration, isReadable }
}

type NewVersion = {
  mapId: string
  version: number
  configuration: MapConfiguration
  /** Null is the program itself. */
  appliedBy: string | null
  restoredFrom: number | null
}

export async function insertConfiguration(
  transaction: WriteTransaction,
  { mapId, version, configuration, appliedBy, restoredFrom }: NewVersion,
  now: number,
) {
  await transaction
    .insertInto('map_configurations')
    .values({
      map_id: mapId,
      version,
      configuration: JSON.stringify(configuration),
      applied_at: now,
      applied_by: appliedBy,
      restored_from: restoredFrom,
    })
    .execute()
}
