import { recordActivity } from '../activity/activity.queries.ts'
import { insertClient, insertMap } from '../clients/store-clients.queries.ts'
import type { Database } from '../database/database.ts'
import { createListedEntries } from '../features/maintenance/maintenance-entries.queries.ts'
import { toFeatureRow } from '../features/rows/feature-row.ts'
import { joinExtents } from '../geometry/extents.ts'
import { insertConfiguration } from '../map-configuration/map-configuration.queries.ts'
import { insertFeatures } from '../thinning/write-features.queries.ts'
import { hasSampleData, lockSampleData } from './sample-data.queries.ts'
import { readSampleMaps } from './sample-maps.ts'

/** Runs once per database: returns false if sample data exist. Concurrent processes wait for each other. */
export async function seedSampleData(database: Database, now: Date): Promise<boolean> {
  if (await hasSampleData(database.read)) return false
  const at = now.getTime()
  const maps = (await readSampleMaps(now)).map((map) => ({
    ...map,
    rows: map.features.map((feature) => toFeatureRow(feature, { now: at })),
  }))
  return database.write(async (transaction) => {
    await lockSampleData(transaction, database.engine)
    if (await hasSampleData(transaction)) return false
    for (const { mapId, client, rows, configuration } of maps) {
      if (client) await insertClient(transaction, client, at)
      else await insertMap(transaction, mapId, at)
      await insertFeatures(transaction, database.engine, rows)
      await createListedEntries(transaction, rows)
      const first = { mapId, version: 1, configuration, appliedBy: null, restoredFrom: null }
      await insertConfiguration(transaction, first, at)
    }
    for (const { mapId, rows } of maps) {
      const details = { features: rows.length }
      await recordActivity(
        transaction,
        { mapId, action: 'sample.created', details, extent: joinExtents(rows) },
        at,
      )
    }
    return true
  })
}
