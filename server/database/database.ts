import type { Expression, Kysely, SelectQueryBuilder, SqlBool, Transaction } from 'kysely'
import type { Configuration } from '../configuration.ts'
import type { Tables } from './tables.ts'

/** A box in WGS 84 degrees. */
export type Extent = { west: number; south: number; east: number; north: number }

/** Where the engines speak differently: one implementation in sqlite.ts, one in postgres.ts. */
export type EngineDialect = {
  /** Features whose extent touches the box; for queries on the table `features`. */
  intersects(extent: Extent): Expression<SqlBool>
  /** Features with a word that starts with each of the words; the words come from `searchWords`. */
  matchesWords(words: readonly string[]): Expression<SqlBool>
  /**
   * The rows that a query of a transaction reads are not changed by others until it ends. Rows that refer to
   * them may still come: an import does not wait for us, nor we for it.
   */
  hold<Table extends keyof Tables, Output>(
    query: SelectQueryBuilder<Tables, Table, Output>,
  ): SelectQueryBuilder<Tables, Table, Output>
}

export type ReadDatabase = Kysely<Tables>
export type WriteTransaction = Transaction<Tables>

export type Database = {
  engine: 'sqlite' | 'postgres'
  /** For reading only. Never use it inside `write`. */
  read: ReadDatabase
  /** For reading what joins many rows with many, also right after an import that the planner knows nothing of. */
  readJoined<Result>(work: (read: ReadDatabase) => Promise<Result>): Promise<Result>
  /** The one door for changes: all of `work` happens, or nothing. Use only the transaction inside. */
  write<Result>(work: (transaction: WriteTransaction) => Promise<Result>): Promise<Result>
  dialect: EngineDialect
  close(): Promise<void>
}

export type DatabaseLocation = Pick<Configuration, 'databaseUrl' | 'dataDirectory'>

/** Opens without migrating; the engine follows from the settings. */
export async function openDatabase(
  location: DatabaseLocation,
  onError?: (error: Error) => void,
): Promise<Database> {
  if (location.databaseUrl) {
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres(location.databaseUrl, onError)
  }
  const { openSqlite } = await import('./sqlite.ts')
  return openSqlite(location.dataDirectory)
}
