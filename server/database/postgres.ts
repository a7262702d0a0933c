import { type Expression, Kysely, PostgresDialect, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import { findableForms } from '#domain/values/text.ts'
import { NotAnsweredError } from '../domain-error.ts'
import type { Database, EngineDialect, Extent, PatternPart, ReadDatabase } from './database.ts'
import { FairQueue, type QueueClient, type WorkerLimits } from './fair-queue.ts'
import { outageOf } from './outage.ts'
import { postgresMaintenance } from './postgres-maintenance.ts'
import { ReplicaChoice } from './read-replica.ts'
import type { Tables } from './tables.ts'

const int8 = 20

/** Counts and epoch milliseconds stay far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) =>
    id === int8 && format !== 'binary' ? Number : pg.types.getTypeParser(id, format),
}

type Addresses = { url: string; readUrl?: string | undefined }

export function openPostgres(
  { url, readUrl }: Addresses,
  limits: WorkerLimits,
  onError: (error: Error) => void = () => {},
): Omit<Database, 'checkRoom'> {
  const primary = openServer(url, limits, onError)
  const second = readUrl === undefined ? undefined : openServer(readUrl, limits, onError)
  const replica = second === undefined ? null : new ReplicaChoice(primary.pool, second.pool)
  const write = kyselyOver(primary.pool)
  const read = replica === null ? write : kyselyOver({ connect: () => replica.connect() })
  return {
    engine: 'postgres',
    read,
    async readInWorker(client, work) {
      const isOnReplica = second !== undefined && (await replica?.isChosen()) === true
      return (isOnReplica ? second : primary).workers.read(client, work)
    },
    // Without statistics the planner assumes that a new map is empty, and would use nested loops.
    async readJoined(readInWorker, work) {
      await sql`set local enable_nestloop = off`.execute(readInWorker)
      const result = await work(readInWorker)
      await sql`set local enable_nestloop = on`.execute(readInWorker)
      return result
    },
    readSnapshot: (work) =>
      read
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (snapshot) => {
          // The first query starts the snapshot.
          await sql`select 1`.execute(snapshot)
          return work(snapshot)
        }),
    write(work) {
      replica?.stayOnPrimary()
      return write.transaction().execute(work)
    },
    withStage: (work) => work(),
    replica,
    dialect: postgresDialect,
    maintenance: postgresMaintenance(write, url),
    async close() {
      await Promise.all([primary.close(), second?.close()])
    },
  }
}

const queryTimeoutMs = 60_000

function openServer(url: string, limits: WorkerLimits, onError: (error: Error) => void) {
  const openPool = (max: number) => {
    const pool = new pg.Pool({
      connectionString: url,
      max,
      types,
      connectionTimeoutMillis: 2_000,
      query_timeout: queryTimeoutMs,
      application_name: 'poa-land-management',
      // JIT compilation takes longer than our queries. Abandoned statements would otherwise go on. A pooler needs the
      // same in its own settings.
      onConnect: (client) => client.query(`set jit = off; set statement_timeout = ${queryTimeoutMs}`),
    })
    pool.on('error', onError)
    pool.on('connect', (client) => client.on('error', onError))
    return pool
  }
  const pool = openPool(10)
  const workers = new PostgresReadWorkers(openPool(limits.atOnce), pool, limits)
  return {
    pool,
    workers,
    async close() {
      await workers.close()
      await pool.end()
    },
  }
}

function kyselyOver(pool: { connect(): Promise<PostgresPoolClient> }): Kysely<Tables> {
  // Closing is left to the owner of the pool.
  const shared = { connect: () => pool.connect(), end: async () => {}, options: {} }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: shared }) })
}

const postgresDialect: EngineDialect = {
  intersects: (mapId, extent) => sql`(features.map_id = ${mapId} and ${isIn(extent)})`,
  joinFeaturesAt: (mapId, lng, lat) =>
    sql`join features on features.map_id = ${mapId} and ${isIn({ west: lng, east: lng, south: lat, north: lat })}`,
  meets: (mapId, extent, geometry) => sql`(
    features.map_id = ${mapId} and ${isIn(extent)}
    and ST_Intersects(ST_GeomFromGeoJSON(features.geometry), ST_GeomFromGeoJSON(cast(${JSON.stringify(geometry)} as text)))
  )`,
  fieldValue(keys, type) {
    const value = valueAt(keys)
    const kind = sql`json_typeof(${value})`
    const text = sql`(${value} #>> '{}')`
    switch (type) {
      case 'text':
        return sql`((case when ${kind} = 'string' then ${text} end) collate "C")`
      case 'number':
        return sql`(case when ${kind} = 'number' then cast(${text} as double precision) end)`
      case 'flag':
        return sql`(case when ${kind} = 'boolean' then cast(${text} as boolean) end)`
      case 'instant':
        return sql`(case when ${kind} = 'string'
          then cast(floor(extract(epoch from cast(${text} as timestamptz)) * 1000) as double precision) end)`
    }
  },
  hasField: (keys, table) => sql`(coalesce(json_typeof(${valueAt(keys, table)}), 'null') <> 'null')`,
  // Independent of the locale of the database.
  foldCase: (text) =>
    sql`(replace(lower(upper(cast(${text} as text) collate "und-x-icu")), 'ς', 'σ') collate "C")`,
  isLike: (text, pattern) => sql`(${text} like cast(${pattern.map(toLike).join('')} as text))`,
  unindexed: (column) => sql`${sql.ref(column)} || ''`,
  goesOn: sql`true`,
  touching: (mapId, extent, zoom) =>
    Array.from(
      { length: zoom + 1 },
      (_, first) => sql`(size_zoom = ${sql.lit(first)} and ${isIn(extent)} and features.map_id = ${mapId})`,
    ),
  isCrowded: async () => false,
  matchesWords: (mapId, words, sight = 'open') => sql`(
    features.map_id = ${mapId}
    and features.words @@ cast(${words
      .map((word) =>
        findableForms(word, sight)
          .map((form) => `'${form}':*`)
          .join(' | '),
      )
      .map((forms) => `(${forms})`)
      .join(' & ')} as tsquery)
  )`,
  unnest: (numbers) => sql`(select unnest(cast(${`{${numbers.join()}}`} as bigint[])) as value)`,
  elements: (column, alias) => sql`json_array_elements(cast(${column} as json)) as ${sql.ref(alias)} (value)`,
  lockForUpdate: (query) => query.forNoKeyUpdate(),
}

const valueAt = (keys: readonly string[], table: 'features' | 'staged_features' = 'features') =>
  sql`(cast(${sql.ref(`${table}.fields`)} as json) #> ${sql.lit(`{${keys.join()}}`)})`

function toLike(part: PatternPart): string {
  if (part.is === 'text') return part.text.replace(/[\\%_]/g, '\\$&')
  return part.is === 'one' ? '_' : '%'
}

/** && compares boxes of 32-bit floats rounded outwards, so the exact columns decide. */
function isIn({ west, south, east, north }: Record<keyof Extent, number | Expression<number>>) {
  return sql`
    features.extent && ST_MakeEnvelope(${west}, ${south}, ${east}, ${north}, 4326)
    and features.east >= ${west} and features.west <= ${east}
    and features.north >= ${south} and features.south <= ${north}`
}

const canceled = '57014'

/**
 * Every read is a transaction: a pooler such as PgBouncer gives each transaction another backend, and settings of a
 * session would stay with a backend that others use next.
 */
class PostgresReadWorkers {
  private readonly pool: pg.Pool
  private readonly others: pg.Pool
  private readonly turns: FairQueue
  private readonly begin: string

  constructor(pool: pg.Pool, others: pg.Pool, limits: WorkerLimits) {
    this.pool = pool
    this.others = others
    this.turns = new FairQueue(limits)
    this.begin = `begin read only; set local jit = off; set local statement_timeout = ${limits.timeLimitMs}`
  }

  read<Result>(client: QueueClient, work: (read: ReadDatabase) => Promise<Result>): Promise<Result> {
    return this.turns.take(client, async (signal) => {
      const client = await this.pool.connect()
      let isCanceled: Promise<unknown> | undefined
      let isLost = false
      let cancel = () => {}
      try {
        const processId = await this.beginOn(client)
        cancel = () => {
          isCanceled = this.cancel(processId)
        }
        signal.addEventListener('abort', cancel)
        signal.throwIfAborted()
        return await work(kyselyOn(client))
      } catch (error) {
        isLost = outageOf(error) === 'away'
        throw isEnded(error) ? new NotAnsweredError('too long') : error
      } finally {
        signal.removeEventListener('abort', cancel)
        client.release(isLost || !(await canGoOn(client, isCanceled)))
      }
    })
  }

  private async cancel(processId: number) {
    await this.others.query('select pg_cancel_backend($1)', [processId]).catch(() => {})
  }

  /** Returns the backend's process id, read by SQL because a pooler reports another one. */
  private async beginOn(client: pg.PoolClient): Promise<number> {
    // Several statements in one text have several results.
    const results = await client.query(`${this.begin}; select pg_backend_pid() as id`)
    return (results as unknown as pg.QueryResult<{ id: number }>[]).at(-1)?.rows[0]?.id ?? 0
  }

  async close() {
    this.turns.close()
    await this.pool.end()
  }
}

const isEnded = (error: unknown) => (error as { code?: unknown }).code === canceled

/** Ends the transaction, after a late cancellation, which must not end a query of another client. */
async function canGoOn(client: pg.PoolClient, isCanceled?: Promise<unknown>): Promise<boolean> {
  if (isCanceled !== undefined) {
    await isCanceled
    await client.query('select 1').catch(() => {})
  }
  return client.query('rollback').then(
    () => true,
    () => false,
  )
}

function kyselyOn(client: pg.PoolClient): Kysely<Tables> {
  const connection = { query: client.query.bind(client), release: () => {} }
  return kyselyOver({ connect: async () => connection })
}
