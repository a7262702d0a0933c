import type {
  ConfigurationVersion,
  MapConfiguration,
  MapConfigurationAnswer,
} from '#domain/map-configuration/map-configuration.schema.ts'
import { proposedConfiguration } from '#domain/map-configuration/proposed-configuration.ts'
import type { Database, ReadDatabase, WriteTransaction } from '../database/database.ts'
import { withoutStrays } from '../thinning/read-land.queries.ts'
import { readExtent } from '../thinning/read-totals.queries.ts'
import { noneApplied, readStoredConfiguration } from './stored-configuration.ts'

export type AppliedConfiguration = MapConfigurationAnswer & { isReadable: boolean }

/** The applied configuration, or the proposed one if none is applied or it is unreadable. */
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
  const stored = row && readStoredConfiguration(row.configuration)
  const version = row?.version ?? 0
  if (stored?.isReadable && stored.configuration)
    return { mapId, isApplied: true, version, configuration: stored.configuration, isReadable: true }
  const extent = await readExtent(database, mapId)
  const land = extent ? await withoutStrays(database, mapId, extent) : null
  return {
    mapId,
    isApplied: false,
    version,
    configuration: proposedConfiguration(land),
    isReadable: stored?.isReadable ?? true,
  }
}

export async function readConfigurationVersion(database: ReadDatabase, mapId: string, version: number) {
  const row = await database
    .selectFrom('map_configurations')
    .select('configuration')
    .where('map_id', '=', mapId)
    .where('version', '=', version)
    .executeTakeFirst()
  return row && readStoredConfiguration(row.configuration)
}

type NewVersion = {
  mapId: string
  version: number
  configuration: MapConfiguration | null
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
      configuration: configuration ? JSON.stringify(configuration) : noneApplied,
      applied_at: now,
      applied_by: appliedBy,
      restored_from: restoredFrom,
    })
    .execute()
}

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
