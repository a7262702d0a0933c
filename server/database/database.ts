import type { Expression, Kysely, RawBuilder, SelectQueryBuilder, SqlBool, Transaction } from 'kysely'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import type { WordSight } from '#domain/values/text.ts'
import type { Asker } from './fair-queue.ts'
import type { Tables } from './tables.ts'

/** A box in WGS 84 degrees. */
export type Extent = { west: number; south: number; east: number; north: number }

/** Where the engines' SQL differs: one implementation in sqlite.ts, one in postgres.ts. */
/** Whether a row is meant, in SQL. */
export type Condition = Expression<SqlBool>

/** Part of a pattern of text: itself, any one character, or any characters. */
export type PatternPart = { is: 'text'; text: string } | { is: 'one' } | { is: 'any' }

export type EngineDialect = {
  /** Features of a map whose extent touches the box; for queries on the table `features`. */
  intersects(mapId: string, extent: Extent): Expression<SqlBool>
  /**
   * Conditions that together find the lines and polygons of a map large enough to be drawn at a zoom whose extent
   * touches the box: whatever meets an earlier one comes in at no later zoom than what meets a later one. They may find
   * all of them, or only so many of those that come in first. For queries on the table `features`.
   */
  touching(mapId: string, extent: Extent, zoom: number, most: number | null): Expression<SqlBool>[]
  /** Whether there are at least so many of them that `touching` may have left some out. */
  isCrowded(
    read: ReadDatabase,
    mapId: string,
    area: { extent: Extent; zoom: number },
    most: number,
  ): Promise<boolean>
  /** Features of a map that have a point in common with a geometry of this extent; for queries on the table `features`. */
  meets(mapId: string, extent: Extent, geometry: Geometry): Condition
  /**
   * What stands in the JSON of a feature's fields under these keys; null where it is nothing, or something else. Instants
   * are epoch milliseconds.
   */
  fieldValue(keys: readonly string[], type: 'text' | 'number' | 'flag' | 'instant'): RawBuilder<unknown>
  /** Whether the fields of a feature, or of a staged row, have a value under these keys. */
  hasField(keys: readonly string[], table?: 'features' | 'staged_features'): Condition
  /** As `foldCase` (domain/values/text.ts) has it. */
  foldCase(text: Expression<unknown>): RawBuilder<unknown>
  isLike(text: Expression<unknown>, pattern: readonly PatternPart[]): Condition
  /** A column as an expression that no index matches: for where an index would be slower. */
  unindexed(column: string): RawBuilder<unknown>
  /** True for every feature. By this condition SQLite can stop a query that nobody waits for any more. */
  goesOn: RawBuilder<SqlBool>
  /** Features of a map with a word that starts with each of the words; the words come from `searchWords`. */
  matchesWords(mapId: string, words: readonly string[], sight?: WordSight): Expression<SqlBool>
  /**
   * A table of whole numbers with the column `value`, in their order: one parameter, as binding or parsing each of
   * many costs more than what is done with them.
   */
  unnest(numbers: readonly number[]): Expression<unknown>
  /** The members of a JSON array, as a table with the column `value`; for queries on the table that has the column. */
  elements(column: RawBuilder<unknown>, alias: string): RawBuilder<unknown>
  /**
   * The rows that a query of a transaction reads are not changed by others until it ends. Rows that refer to
   * them may still come: an import does not wait for us, nor we for it.
   */
  lockForUpdate<Table extends keyof Tables, Output>(
    query: SelectQueryBuilder<Tables, Table, Output>,
  ): SelectQueryBuilder<Tables, Table, Output>
}

/** A table as the database itself describes it. */
export type TableDescription = {
  name: string
  /** Columns that are written: neither generated ones nor the database's own row numbers. Sorted. */
  columns: readonly string[]
  /** Type of each column, in the words of SQL. */
  types: Readonly<Record<string, string>>
  /** The columns that identify and order its rows. */
  key: readonly string[]
  /** Tables that its foreign keys point to. */
  references: readonly string[]
}

/** What only backup and restore need, one implementation an engine. */
export type EngineMaintenance = {
  /** Every table that holds rows of its own: none that belongs to an index or to an extension. */
  describeTables(database: ReadDatabase): Promise<TableDescription[]>
  /** Other writers wait until the transaction ends; readers go on. */
  keepWritersOut(transaction: WriteTransaction, tables: readonly string[]): Promise<void>
  /** Switches the triggers of a table off while `work` runs, for this transaction alone. */
  withoutTriggers(transaction: WriteTransaction, table: string, work: () => Promise<void>): Promise<void>
  /**
   * Leaves an index away while `work` fills its table, and makes it anew: for more rows than the table had. PostgreSQL
   * keeps it, as all who read would have to wait.
   */
  withoutIndex(transaction: WriteTransaction, index: string, work: () => Promise<void>): Promise<void>
  /** Tidies up after very many rows were written at once. */
  tidyUp(tables: readonly string[]): Promise<void>
  /** Bytes that the database takes on its disk. */
  measure(): Promise<number>
  /** Makes it as small as its engine can while others work with it. */
  compact(): Promise<void>
}

export type ReadDatabase = Kysely<Tables>
export type WriteTransaction = Transaction<Tables>

export type Database = {
  engine: 'sqlite' | 'postgres'
  /** For reading only. Never use it inside `write`. */
  read: ReadDatabase
  /**
   * For reading what may take long: `work` has a connection of its own when its turn comes, and asks one question at a
   * time. SQLite answers in a thread, so that this process goes on answering others. Throws a `NotAnsweredError` where
   * too many wait, it took too long, or who asked has left. Never use it inside itself: it may wait for itself.
   */
  readInWorker<Result>(asker: Asker, work: (readInWorker: ReadDatabase) => Promise<Result>): Promise<Result>
  /**
   * Inside `readInWorker`, for what joins many rows with many, also right after an import that the planner knows nothing
   * of.
   */
  readJoined<Result>(
    readInWorker: ReadDatabase,
    work: (read: ReadDatabase) => Promise<Result>,
  ): Promise<Result>
  /** One unchanging view for all of `work`, on a connection of its own; others go on writing meanwhile. */
  readSnapshot<Result>(work: (snapshot: ReadDatabase) => Promise<Result>): Promise<Result>
  /** Every change goes through it: all of `work` happens, or nothing. Use only the transaction inside. */
  write<Result>(work: (transaction: WriteTransaction) => Promise<Result>): Promise<Result>
  /**
   * Keeps a table `staged_features` for `work` to write to, and to join with in `write`. What is in it afterwards may
   * be gone.
   */
  withStage<Result>(work: () => Promise<Result>): Promise<Result>
  /** Throws where the last change found the disk full, and it still is. */
  checkRoom(): Promise<void>
  dialect: EngineDialect
  maintenance: EngineMaintenance
  close(): Promise<void>
}
