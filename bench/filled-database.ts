import { sql } from 'kysely'
import type { Database } from '#server/database/database.ts'
import { migrate } from '#server/database/migrate.ts'
import { type DatabaseLocation, openDatabase } from '#server/database/open-database.ts'
import { type PostgresCluster, startPostgres } from '#test/databases/postgres-cluster.ts'
import { findPostgres } from '../scripts/find-tools.mjs'
import { startProgram } from './commands.ts'
import { storeGenerated } from './generate-features.ts'
import { countText, largeCount, smallCount, tenthCount, usualCounts } from './scale.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

// Each engine's database is filled once per run, as filling takes longer than most measurements.

type Engine = Database['engine']
type Filled = { location: DatabaseLocation; discard(): Promise<void> }

export const maps = {
  large: 'large',
  million: 'million',
  tenth: 'tenth',
  tenThousand: 'ten-thousand',
  thousand: 'thousand',
  small: 'fifty',
} as const

const filled = new Map<Engine, Promise<Filled>>()

export async function filledDatabase(engine: Engine): Promise<DatabaseLocation> {
  let database = filled.get(engine)
  if (!database) {
    database = fill(engine, [
      [maps.large, largeCount],
      [maps.tenth, tenthCount],
      [maps.tenThousand, usualCounts.tenThousand],
      [maps.thousand, usualCounts.thousand],
      [maps.small, smallCount],
    ])
    filled.set(engine, database)
  }
  return (await database).location
}

export async function discardFilledDatabases() {
  for (const database of filled.values()) await database.then(({ discard }) => discard()).catch(() => {})
  filled.clear()
}

export async function fill(engine: Engine, counts: readonly (readonly [string, number])[]): Promise<Filled> {
  const start = performance.now()
  const { folder, remove } = makeTemporaryFolder()
  let cluster: PostgresCluster | undefined
  const discard = async () => {
    await cluster?.stop()
    remove()
  }
  try {
    if (engine === 'postgres') {
      const binaries = findPostgres()
      if (!binaries) throw new Error('there is no PostgreSQL with PostGIS here')
      cluster = await startPostgres(binaries)
    }
    const location = { dataDirectory: folder, databaseUrl: cluster?.url('postgres') }
    const database = await openDatabase(location)
    await migrate(database)
    for (const [mapId, count] of counts) await storeGenerated(database, count, mapId)
    // PostgreSQL does this within a minute; autovacuum is off here.
    if (cluster) await sql`vacuum analyze`.execute(database.read)
    await database.close()
    const seconds = ((performance.now() - start) / 1000).toFixed(0)
    console.log(`  ${countText(counts[0]?.[1] ?? 0)} features into ${engine}: ${seconds} s`)
    return { location, discard }
  } catch (error) {
    await discard()
    throw error
  }
}

export type BenchServer = { address: string; pid: number }

/** Runs `work` with a server that has empty caches, no rate limits and no base map. */
export async function withServer<Result>(
  { dataDirectory, databaseUrl }: DatabaseLocation,
  work: (server: BenchServer) => Promise<Result>,
  settings: Record<string, string> = {},
): Promise<Result> {
  const env = {
    ...process.env,
    PORT: '0',
    DATA_DIR: dataDirectory,
    DATABASE_URL: databaseUrl ?? '',
    RATE_LIMIT_PER_MINUTE: '100000000',
    BASE_MAP_STREET_URL: 'off',
    SAMPLE_DATA: 'off',
    ...settings,
  }
  const server = startProgram(env)
  try {
    const [, address = ''] = await server.waitFor(/ready: (http\S+)/)
    return await work({ address, pid: server.pid })
  } finally {
    await server.stop()
  }
}
