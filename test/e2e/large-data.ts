import type { NewFeature } from '#domain/features/feature.schema.ts'
import { insertClient } from '#server/clients/store-clients.queries.ts'
import type { Database } from '#server/database/database.ts'
import { toFeatureRow } from '#server/features/rows/feature-row.ts'
import { insertFeatures } from '#server/thinning/write-features.queries.ts'
import { asset, pointAt } from './test-map.ts'

/** Inserts 'Tank 1' to 'Tank {count}' in batches of 300, 20 m apart. */
export async function fillMap(database: Database, mapId: string, count: number): Promise<void> {
  const now = Date.now()
  const rows = Array.from({ length: count }, (_, index) => {
    const feature = asset({
      id: `tank-${index + 1}`,
      name: `Tank ${index + 1}`,
      geometry: pointAt((index % 300) * 20, Math.floor(index / 300) * 20),
    })
    return toFeatureRow({ ...feature, mapId } as NewFeature, { now })
  })
  await database.write((transaction) => insertFeatures(transaction, database.engine, rows))
}

export async function addClients(database: Database, count: number): Promise<void> {
  const now = Date.now()
  await database.write(async (transaction) => {
    for (let number = 1; number <= count; number++) {
      const client = {
        id: `crowd-${number}`,
        name: `Crowd ${number}`,
        location: 'Everywhere',
        thumbnail: null,
      }
      await insertClient(transaction, client, now)
    }
  })
}
