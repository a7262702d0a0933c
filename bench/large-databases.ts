import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { buildApp } from '#server/app.ts'
import { openDiskStore } from '#server/blob-stores/blob-store.ts'
import type { Database } from '#server/database/database.ts'
import { migrate } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { startPhotoMaker } from '#server/files/photo-maker.ts'
import { startChangeFeed } from '#server/live-updates/change-feed.ts'
import { readConfiguration } from '#server/settings/configuration.ts'
import { startTilePool } from '#server/tiles/tile-pool.ts'
import { startPostgres } from '#test/databases/postgres-cluster.ts'
import { findPostgres } from '../scripts/find-tools.mjs'
import { median, type Row } from './row.ts'

/** Median milliseconds of a request that is answered with 200; of five, unless stated. */
export type Ask = (url: string, times?: number) => Promise<number>

type Measurement = {
  fill(database: Database): Promise<void>
  measure(ask: Ask, engine: Database['engine']): Promise<Row[]>
}

const repetitions = 5

export async function onLargeDatabases({ fill, measure }: Measurement): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'poa-bench-'))
  const binaries = findPostgres()
  const cluster = binaries ? await startPostgres(binaries) : undefined
  const urls = [undefined, ...(cluster ? [cluster.url('postgres')] : [])]
  const rows: Row[] = []
  try {
    for (const databaseUrl of urls) {
      const location = { dataDirectory: folder, databaseUrl }
      const database = await openDatabase(location)
      await migrate(database)
      await fill(database)
      // PostgreSQL does this within a minute; autovacuum is off here.
      if (databaseUrl) await sql`vacuum analyze`.execute(database.read)
      const app = await startApp(database, location)
      try {
        rows.push(...(await measure((url, times) => time(app, url, times), database.engine)))
      } finally {
        await app.close()
        await database.close()
      }
    }
  } finally {
    await cluster?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return rows
}

type App = Awaited<ReturnType<typeof buildApp>>

async function startApp(database: Database, location: Parameters<typeof startTilePool>[0]): Promise<App> {
  const configuration = readConfiguration({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '1000000' })
  const changes = startChangeFeed(database, () => {})
  const tilePool = startTilePool(location, 1)
  const app = await buildApp({
    configuration,
    database,
    changes,
    tilePool,
    store: openDiskStore(join(location.dataDirectory, 'files')),
    photos: startPhotoMaker(),
    pageDirectory: null,
  })
  app.addHook('onClose', async () => {
    await changes.close()
    await tilePool.close()
  })
  return app
}

async function time(app: App, url: string, count = repetitions): Promise<number> {
  const times: number[] = []
  for (let repetition = 0; repetition < count; repetition++) {
    const start = performance.now()
    const answer = await app.inject(url)
    times.push(performance.now() - start)
    if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.body}`)
  }
  return median(times)
}
