import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Expression, Kysely, type RawBuilder, type SqlBool, SqliteDialect, sql } from 'kysely'
import { findableForms } from '#domain/values/text.ts'
import { FixableError } from '../domain-error.ts'
import type { Database, EngineDialect, Extent, PatternPart } from './database.ts'
import type { WorkerLimits } from './fair-queue.ts'
import { type Begin, openConnection, sqliteStatements } from './sqlite-connection.ts'
import { sqliteMaintenance } from './sqlite-maintenance.ts'
import { SqliteReadWorkers } from './sqlite-read-workers.ts'
import type { Tables } from './tables.ts'
import { whenFree } from './when-free.ts'
import { WriteTurns } from './write-turns.ts'

const sqlitePath = (dataDirectory: string) => join(dataDirectory, 'poa.sqlite')

export const hasSqliteDatabase = (dataDirectory: string) => existsSync(sqlitePath(dataDirectory))

export async function openSqlite(
  dataDirectory: string,
  limits: WorkerLimits,
): Promise<Omit<Database, 'checkRoom'>> {
  requireSafeSqlite()
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 })
  const path = sqlitePath(dataDirectory)
  restrictToOwner(path)
  const connection = await whenFree(() => openConnection(path, false))
  const write = kyselyOver(connection, 'begin immediate')
  const read = kyselyOver(openConnection(path, true), 'begin')
  const workers = new SqliteReadWorkers(path, limits)
  const turns = new WriteTurns()
  return {
    engine: 'sqlite',
    read,
    readInWorker: (client, work) => workers.read(client, work),
    readJoined: (readInWorker, work) => work(readInWorker),
    async readSnapshot(work) {
      const connection = kyselyOver(openConnection(path, true), 'begin')
      try {
        return await connection.transaction().execute(async (snapshot) => {
          await sql`select count(*) from sqlite_schema`.execute(snapshot)
          return work(snapshot)
        })
      } finally {
        await connection.destroy()
      }
    },
    write(work) {
      let hasBegun = false
      const attempt = () =>
        write.transaction().execute((transaction) => {
          hasBegun = true
          return work(transaction)
        })
      return turns.take(() => whenFree(attempt, () => hasBegun))
    },
    withStage: stageOver(write),
    replica: null,
    dialect: sqliteDialect,
    maintenance: sqliteMaintenance({ write, connection, path }),
    async close() {
      await read.destroy()
      await workers.close()
      await write.destroy()
    },
  }
}

/** Personal data: readable only by the program's user. SQLite copies the mode to the files beside it. */
function restrictToOwner(path: string) {
  // Opening an existing file would release this process's locks when it is closed.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const { mode = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {}
    if ((mode & 0o077) !== 0) tighten(file)
  }
}

function tighten(file: string) {
  try {
    chmodSync(file, 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}

function kyselyOver(connection: ReturnType<typeof openConnection>, begin: Begin): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqliteStatements(connection, begin) }) })
}

const sqliteDialect: EngineDialect = {
  intersects: (mapId, extent) =>
    isIn(extent, sql`select feature_key from ${boxesOf(mapId, extent, lastLayer)}`),
  joinFeaturesAt: (mapId, lng, lat) => {
    const first = firstLayerOf(mapId)
    return sql`cross join feature_extents on feature_extents.east >= ${lng} and feature_extents.west <= ${lng}
        and feature_extents.north >= ${lat} and feature_extents.south <= ${lat}
        and first_layer >= ${first} and first_layer <= ${first} + ${sql.lit(lastLayer)}
      cross join features on features.feature_key = feature_extents.feature_key
        and features.east >= ${lng} and features.west <= ${lng} and features.north >= ${lat} and features.south <= ${lat}`
  },
  meets: (mapId, extent, geometry) => sql`(
    ${sqliteDialect.intersects(mapId, extent)} and meets_geometry(features.geometry, ${JSON.stringify(geometry)})
  )`,
  fieldValue(keys, type) {
    const value = sql`json_extract(features.fields, ${pathOf(keys)})`
    const kind = sql`json_type(features.fields, ${pathOf(keys)})`
    switch (type) {
      case 'text':
        return sql`case when ${kind} = 'text' then ${value} end`
      case 'number':
        return sql`case when ${kind} in ('integer', 'real') then cast(${value} as double precision) end`
      case 'flag':
        return sql`case ${kind} when 'true' then true when 'false' then false end`
      case 'instant':
        return sql`case when ${kind} = 'text' then round(unixepoch(${value}, 'subsec') * 1000) end`
    }
  },
  hasField: (keys, table = 'features') =>
    sql`coalesce(json_type(${sql.ref(`${table}.fields`)}, ${pathOf(keys)}), 'null') <> 'null'`,
  foldCase: (text) => sql`fold_case(${text})`,
  // LIKE ignores case.
  isLike: (text, pattern) => sql`(${text} glob ${pattern.map(toGlob).join('')})`,
  unindexed: (column) => sql`+${sql.ref(column)}`,
  goesOn: sql`goes_on(features.feature_key)`,
  touching: (mapId, extent, zoom, most) => [isIn(extent, keysTouching(mapId, extent, zoom, most))],
  async isCrowded(read, mapId, { extent, zoom }, most) {
    const keys = sql`select count(*) as count from (${keysTouching(mapId, extent, zoom, most)}) as keys`
    const { rows } = await (keys as RawBuilder<{ count: number }>).execute(read)
    return rows[0]?.count === most
  },
  matchesWords: (mapId, words, sight = 'open') =>
    sql`features.feature_key in (select rowid from feature_words where feature_words match ${words
      .map((word) =>
        findableForms(word, sight)
          .map((form) => `"${mapId}~${form}"*`)
          .join(' OR '),
      )
      .map((forms) => `(${forms})`)
      .join(' AND ')})`,
  unnest: (numbers) => sql`(select value from json_each(${JSON.stringify(numbers)}))`,
  elements: (column, alias) => sql`json_each(${column}) as ${sql.ref(alias)}`,
  lockForUpdate: (query) => query,
}

const pathOf = (keys: readonly string[]) => sql.lit(`$${keys.map((key) => `."${key}"`).join('')}`)

function toGlob(part: PatternPart): string {
  if (part.is === 'text') return part.text.replace(/[*?[]/g, '[$&]')
  return part.is === 'one' ? '?' : '*'
}

/** The R*Tree has 32 layers per map; the last has features that are points at every zoom. */
const lastLayer = 31

const firstLayerOf = (mapId: string) =>
  sql`(select map_number from map_numbers where map_id = ${mapId}) * ${sql.lit(lastLayer + 1)}`

function boxesOf(mapId: string, { west, south, east, north }: Extent, last: number) {
  const first = firstLayerOf(mapId)
  return sql`feature_extents
    where east >= ${west} and west <= ${east} and north >= ${south} and south <= ${north}
      and first_layer >= ${first} and first_layer <= ${first} + ${last}`
}

function keysTouching(mapId: string, extent: Extent, zoom: number, most: number | null) {
  const order = most === null ? sql`` : sql`order by first_layer, feature_key limit ${most}`
  return sql`select feature_key from ${boxesOf(mapId, extent, zoom)} ${order}`
}

/** The R*Tree stores 32-bit floats rounded outward, so the exact columns decide. */
function isIn({ west, south, east, north }: Extent, keys: Expression<unknown>) {
  return sql<SqlBool>`(
    features.feature_key in (${keys})
    and features.east >= ${west} and features.west <= ${east}
    and features.north >= ${south} and features.south <= ${north}
  )`
}

/** Each applies to its own minor version. */
const fixedIn = [
  [3, 51, 3],
  [3, 50, 7],
  [3, 44, 6],
] as const

/**
 * Throws a FixableError for an SQLite that can corrupt our database: up to 3.51.2, resetting the write-ahead
 * log while another connection commits can lose a commit (https://sqlite.org/wal.html#walresetbug). Checks
 * SQLite's own version, because some builds of Node link the system's library.
 */
export function requireSafeSqlite(version = process.versions.sqlite ?? '0'): void {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const [newest] = fixedIn
  const isNewer = major > newest[0] || (major === newest[0] && minor > newest[1])
  const isFixed = fixedIn.some(([ofMajor, ofMinor, least]) => {
    return major === ofMajor && minor === ofMinor && patch >= least
  })
  if (isNewer || isFixed) return
  throw new FixableError(
    `This Node has SQLite ${version}, which can corrupt the database when several connections use it at once. ` +
      'Use a Node with SQLite 3.51.3 or newer (or 3.50.7, or 3.44.6). The Node that npm start installs has one.',
  )
}

/**
 * Stages rows in a temporary table of this connection, which needs no log and no disk sync. It hides the
 * table of the schema, which has the same columns and stays empty. Imports of this process take turns.
 */
function stageOver(write: Kysely<Tables>): Database['withStage'] {
  let last: Promise<unknown> = Promise.resolve()
  const take = async <Result>(work: () => Promise<Result>) => {
    await write.connection().execute(openStage)
    try {
      return await work()
    } finally {
      await dropStage(write).catch(() => {})
    }
  }
  return (work) => {
    const taken = last.then(() => take(work))
    last = taken.catch(() => {})
    return taken
  }
}

const dropStage = (connection: Kysely<Tables>) =>
  sql`drop table if exists temp.staged_features`.execute(connection)

async function openStage(connection: Kysely<Tables>) {
  await dropStage(connection)
  const { rows } = await sql<{ name: string; type: string }>`
    select name, type from pragma_table_info('staged_features')`.execute(connection)
  // Uses the row number as the key, because lookups are in another order.
  const columns = rows.map(({ name, type }) =>
    name === 'row_number' ? 'row_number integer primary key' : `${name} ${type}`,
  )
  await sql`create temp table staged_features (${sql.raw(columns.join())})`.execute(connection)
  await sql`pragma temp.cache_size = -16384`.execute(connection)
}
