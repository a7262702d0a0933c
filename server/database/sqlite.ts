import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  Kysely,
  type RawBuilder,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
  sql,
} from 'kysely'
import type { Database, EngineDialect, Extent } from './database.ts'
import { sqliteMaintenance } from './sqlite-maintenance.ts'
import type { Tables } from './tables.ts'
import { busyTimeoutMs, whenFree } from './when-free.ts'

const sqlitePath = (dataDirectory: string) => join(dataDirectory, 'poa.sqlite')

export const hasSqliteDatabase = (dataDirectory: string) => existsSync(sqlitePath(dataDirectory))

export async function openSqlite(dataDirectory: string): Promise<Database> {
  mkdirSync(dataDirectory, { recursive: true })
  const path = sqlitePath(dataDirectory)
  const write = kyselyOver(await whenFree(() => openConnection(path, false)), 'begin immediate')
  const read = kyselyOver(openConnection(path, true), 'begin')
  return {
    engine: 'sqlite',
    read,
    async readSnapshot(work) {
      const connection = kyselyOver(openConnection(path, true), 'begin')
      try {
        return await connection.transaction().execute(async (snapshot) => {
          // What a transaction sees is settled when it first reads.
          await sql`select count(*) from sqlite_schema`.execute(snapshot)
          return work(snapshot)
        })
      } finally {
        await connection.destroy()
      }
    },
    readJoined: (work) => work(read),
    // One connection writes: Kysely lets transactions take turns on it.
    write(work) {
      let hasBegun = false
      return whenFree(
        () =>
          write.transaction().execute((transaction) => {
            hasBegun = true
            return work(transaction)
          }),
        () => hasBegun,
      )
    },
    withStage: stageOver(write),
    dialect: sqliteDialect,
    maintenance: sqliteMaintenance(write),
    async close() {
      await read.destroy()
      await write.destroy()
    },
  }
}

/**
 * WAL: readers and the writer do not wait for each other. FULL: what was acknowledged survives a power cut.
 * Readers are not opened read-only, because a WAL database needs its shared-memory file; they are told not to write.
 */
function openConnection(path: string, isReader: boolean): DatabaseSync {
  // Writers wait for each other without keeping their process from its other work; readers hardly ever wait.
  const connection = new DatabaseSync(path, { timeout: isReader ? busyTimeoutMs : 0 })
  try {
    prepare(connection, isReader)
  } catch (error) {
    connection.close()
    throw error
  }
  return connection
}

function prepare(connection: DatabaseSync, isReader: boolean) {
  connection.exec('pragma journal_mode = wal')
  connection.exec('pragma synchronous = full')
  connection.exec('pragma foreign_keys = on')
  connection.exec('pragma cache_size = -65536')
  // What a large change needs beside the database, to take a statement back or to stage an import, fits no memory.
  connection.exec(`pragma temp_store = ${isReader ? 'memory' : 'file'}`)
  connection.exec(`pragma query_only = ${isReader ? 'on' : 'off'}`)
}

/**
 * A transaction that reads first and writes later cannot be queued behind another process's; one that takes
 * the write lock at its start (`begin immediate`) can.
 */
type Begin = 'begin' | 'begin immediate'

function kyselyOver(connection: DatabaseSync, begin: Begin): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: kyselyConnection(connection, begin) }) })
}

/** node:sqlite under the interface that Kysely knows (better-sqlite3's). */
function kyselyConnection(connection: DatabaseSync, begin: Begin): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => connection.close(),
    prepare(text) {
      const known = statements.get(text)
      if (known) return known
      if (statements.size >= 200) statements.clear()
      const statement = kyselyStatement(connection.prepare(text === 'begin' ? begin : text))
      statements.set(text, statement)
      return statement
    },
  }
}

function kyselyStatement(statement: StatementSync): SqliteStatement {
  const columns = statement.columns().map(({ name }) => name)
  // Thousands of rows come in half the time as lists of values, and are alike in shape when they are made here.
  statement.setReturnArrays(true)
  const toRow = (values: unknown) => {
    const row: Record<string, unknown> = {}
    for (let index = 0; index < columns.length; index++)
      row[columns[index] as string] = (values as unknown[])[index]
    return row
  }
  return {
    reader: columns.length > 0,
    all: (parameters) => statement.all(...(parameters as SQLInputValue[])).map(toRow),
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    *iterate(parameters) {
      for (const values of statement.iterate(...(parameters as SQLInputValue[]))) yield toRow(values)
    },
  }
}

/**
 * What is staged lies in a temporary table: nobody else sees it, it goes with its connection, and so it needs neither
 * log nor waits for the disk. It hides the table of the schema, which has the same columns and stays empty. One import
 * at a time has it; those of other processes have their own.
 */
function stageOver(write: Kysely<Tables>): Database['withStage'] {
  let last: Promise<unknown> = Promise.resolve()
  const take = async <Result>(work: () => Promise<Result>) => {
    await write.connection().execute(openStage)
    try {
      return await work()
    } finally {
      await sql`drop table temp.staged_features`.execute(write)
    }
  }
  return (work) => {
    const taken = last.then(() => take(work))
    last = taken.catch(() => {})
    return taken
  }
}

async function openStage(connection: Kysely<Tables>) {
  const { rows } = await sql<{ name: string; type: string }>`
    select name, type from pragma_table_info('staged_features')`.execute(connection)
  // The number of a row is where it is: rows are found by it, a million of them in another order than they came in.
  const columns = rows.map(({ name, type }) =>
    name === 'row_number' ? 'row_number integer primary key' : `${name} ${type}`,
  )
  await sql`create temp table staged_features (${sql.raw(columns.join())})`.execute(connection)
  await sql`pragma temp.cache_size = -16384`.execute(connection)
}

const sqliteDialect: EngineDialect = {
  // The R*Tree holds 32-bit floats rounded outwards, so the exact columns decide.
  intersects: ({ west, south, east, north }) => sql`(
    features.feature_key in (
      select feature_key from feature_extents
      where east >= ${west} and west <= ${east} and north >= ${south} and south <= ${north}
    )
    and features.east >= ${west} and features.west <= ${east}
    and features.north >= ${south} and features.south <= ${north}
  )`,
  touches: (extent, zoom, most) => sql`(
    features.feature_key in (${keysTouching(extent, zoom, most)})
    and features.east >= ${extent.west} and features.west <= ${extent.east}
    and features.north >= ${extent.south} and features.south <= ${extent.north}
  )`,
  async isCrowded(read, extent, zoom, most) {
    const keys = sql`select count(*) as count from (${keysTouching(extent, zoom, most)}) as keys`
    const { rows } = await (keys as RawBuilder<{ count: number }>).execute(read)
    return rows[0]?.count === most
  },
  matchesWords: (words) =>
    sql`features.feature_key in (select rowid from feature_words where feature_words match ${words
      .map((word) => `"${word}"*`)
      .join(' ')})`,
  listed: (numbers) => sql`(select value from json_each(${JSON.stringify(numbers)}))`,
  // A transaction takes the one write lock at its start.
  hold: (query) => query,
}

/** The R*Tree knows the zooms: it is asked for the largest, and no row is read. */
function keysTouching({ west, south, east, north }: Extent, zoom: number, most: number | null) {
  return sql`
    select feature_key from feature_extents
    where east >= ${west} and west <= ${east} and north >= ${south} and south <= ${north} and first_zoom <= ${zoom}
    ${most === null ? sql`` : sql`order by first_zoom, feature_key limit ${most}`}`
}
