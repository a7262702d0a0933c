import { insertClient } from '#server/clients/store-clients.queries.ts'
import type { Database } from '#server/database/database.ts'
import { toFeatureRow } from '#server/features/rows/feature-row.ts'
import { insertFeatures } from '#server/thinning/write-features.queries.ts'
import { aParcel } from '#test/databases/feature-builders.ts'
import { onLargeDatabases } from './large-databases.ts'
import type { Row } from './row.ts'

const clientCount = 2_000
const parcelsEach = 100
const limitMs = 50

export function measureClients(): Promise<Row[]> {
  return onLargeDatabases({
    fill,
    async measure(ask, engine) {
      const figures = {
        'a page of 2,000 clients': '/api/clients',
        'the longest page of 2,000 clients': '/api/clients?limit=500',
        'a search in 2,000 clients': '/api/clients?text=hills%2019',
      }
      const rows: Row[] = []
      for (const [figure, url] of Object.entries(figures))
        rows.push({
          figure: `${figure} (${engine})`,
          value: Math.round(await ask(url)),
          unit: 'ms',
          limit: limitMs,
        })
      return rows
    },
  })
}

async function fill(database: Database) {
  await database.write(async (transaction) => {
    for (let number = 0; number < clientCount; number++) {
      const mapId = `client-${number}`
      const client = { id: mapId, name: `Oak Hills ${number}`, location: 'Payson, Arizona', thumbnail: null }
      await insertClient(transaction, client, 0)
      const rows = Array.from({ length: parcelsEach }, (_, index) =>
        toFeatureRow(aParcel({ id: `lot-${index}`, mapId }), { now: 0 }),
      )
      await insertFeatures(transaction, database.engine, rows)
    }
  })
}
