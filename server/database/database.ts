import type { Expression, Kysely, RawBuilder, SelectQueryBuilder, SqlBool, Transaction } from 'kysely'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import type { WordSight } from '#domain/values/text.ts'
import type { QueueClient } from './fair-queue.ts'
import type { ReadReplica } from './read-replica.ts'
import type { Tables } from './tables.ts'

/** WGS 84 degrees. */
export type Extent = { west: number; south: number; east: number; north: number }

export type Condition = Expression<SqlBool>

export type PatternPart = { is: 'text'; text: string } | { is: 'one' } | { is: 'any' }

export type EngineDialect = {
  intersects(mapId: string, extent: Extent): Expression<SqlBool>
  /** Joins the features of a map whose extent contains a point, given by columns in degrees. */
  joinFeaturesAt(mapId: string, lng: Expression<number>, lat: Expression<number>): RawBuilder<unknown>
  /**
   * Conditions for the lines and polygons to draw at a zoom whose extent intersects the box, together
   * exhaustive. Earlier conditions select features visible from earlier zooms. With `most`, at least that
   * many of the earliest.
   */
  touching(mapId: string, extent: Extent, zoom: number, most: number | null): Expression<SqlBool>[]
  isCrowded(
    read: ReadDatabase,
    mapId: string,
    area: { extent: Extent; zoom: number },
    most: number,
  ): Promise<boolean>
  meets(mapId: string, extent: Extent, geometry: Geometry): Condition
  /** A value in the JSON of the fields; null if missing or of another type. Instants are in milliseconds. */
  fieldValue(keys: readonly string[], type: 'text' | 'number' | 'flag' | 'instant'): RawBuilder<unknown>
  hasField(keys: readonly string[], table?: 'features' | 'staged_features'): Condition
  /** Matches `foldCase` of domain/values/text.ts. */
  foldCase(text: Expression<unknown>): RawBuilder<unknown>
  isLike(text: Expression<unknown>, pattern: readonly PatternPart[]): Condition
  unindexed(column: string): RawBuilder<unknown>
  /** Always true. SQLite can stop a query with this condition. */
  goesOn: RawBuilder<SqlBool>
  /** Features with a word that begins with each of the words, which come from `searchWords`. */
  matchesWords(mapId: string, words: readonly string[], sight?: WordSight): Expression<SqlBool>
  /** A table of integers with the column `value`, in order, from one parameter: many parameters are slow. */
  unnest(numbers: readonly number[]): Expression<unknown>
  elements(column: RawBuilder<unknown>, alias: string): RawBuilder<unknown>
  /** Locks the rows against changes until the transaction ends, but allows new rows that refer to them. */
  lockForUpdate<Table extends keyof Tables, Output>(
    query: SelectQueryBuilder<Tables, Table, Output>,
  ): SelectQueryBuilder<Tables, Table, Output>
}

export type TableDescription = {
  name: string
  columns: readonly string[]
  types: Readonly<Record<string, string>>
  key: readonly string[]
  references: readonly string[]
}

export type EngineMaintenance = {
  describeTables(database: ReadDatabase): Promise<TableDescription[]>
  keepWritersOut(transaction: WriteTransaction, tables: readonly string[]): Promise<void>
  withoutTriggers(transaction: WriteTransaction, table: string, work: () => Promise<void>): Promise<void>
  /** Drops an index while `work` fills its table. PostgreSQL keeps it, because readers would have to wait. */
  withoutIndex(transaction: WriteTransaction, index: string, work: () => Promise<void>): Promise<void>
  /** For `work` that stores most features: SQLite's R*Tree is built afterwards, at once. */
  packingPlaces(transaction: WriteTransaction, work: () => Promise<void>): Promise<void>
  tidyUp(tables: readonly string[]): Promise<void>
  measure(): Promise<number>
  compact(): Promise<void>
}

export type ReadDatabase = Kysely<Tables>
export type WriteTransaction = Transaction<Tables>

export type Database = {
  engine: 'sqlite' | 'postgres'
  /** Must not be used inside `write`. */
  read: ReadDatabase
  /**
   * For long queries: queues `work` and gives it a connection for one query at a time; on SQLite in a thread.
   * Throws a `NotAnsweredError` if the queue is full, at the time limit, and when the client disconnects.
   * Must not be nested: it may wait for itself.
   */
  readInWorker<Result>(
    client: QueueClient,
    work: (readInWorker: ReadDatabase) => Promise<Result>,
  ): Promise<Result>
  /** Inside `readInWorker`, for joins of many rows, also right after an import without statistics. */
  readJoined<Result>(
    readInWorker: ReadDatabase,
    work: (read: ReadDatabase) => Promise<Result>,
  ): Promise<Result>
  readSnapshot<Result>(work: (snapshot: ReadDatabase) => Promise<Result>): Promise<Result>
  /** Runs all changes. `work` must use only the transaction. */
  write<Result>(work: (transaction: WriteTransaction) => Promise<Result>): Promise<Result>
  /** Provides a table `staged_features` for `work` and for `write`. Its content may be lost afterwards. */
  withStage<Result>(work: () => Promise<Result>): Promise<Result>
  /** Throws if the last change failed because the disk is full, and it still is. */
  checkRoom(): Promise<void>
  /** If there is none, all reads come from where changes are written. */
  replica: ReadReplica | null
  dialect: EngineDialect
  maintenance: EngineMaintenance
  close(): Promise<void>
}
