import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { meetingWith } from '#domain/geometry/meeting-geometries.ts'
import { foldCase } from '#domain/values/text.ts'
import { busyTimeoutMs } from './when-free.ts'

/**
 * WAL: readers and the writer do not wait for each other. FULL: acknowledged changes survive a power cut.
 * Readers are not opened read-only, because WAL needs the shared-memory file. `goOn` is called for each row
 * of a query with `goes_on(key)`, and throws to end the query: there is no other way.
 */
export function openConnection(path: string, isReader: boolean, goOn = () => {}): DatabaseSync {
  // Writers wait without blocking their process; readers hardly ever wait.
  const connection = new DatabaseSync(path, { timeout: isReader ? busyTimeoutMs : 0 })
  try {
    prepare(connection, isReader)
    connection.function('goes_on', { varargs: true }, () => {
      goOn()
      return 1
    })
    connection.function('fold_case', { deterministic: true }, (text) =>
      typeof text === 'string' ? foldCase(text) : null,
    )
    connection.function('meets_geometry', { deterministic: true }, meetsGeometry())
  } catch (error) {
    connection.close()
    throw error
  }
  return connection
}

/** Caches the second geometry, which is the same for all rows of a query. */
function meetsGeometry() {
  let last: { text: SQLOutputValue; isMet: (geometry: Geometry) => boolean } | undefined
  return (first: SQLOutputValue, second: SQLOutputValue) => {
    if (last?.text !== second) last = { text: second, isMet: meetingWith(JSON.parse(String(second))) }
    return last.isMet(JSON.parse(String(first))) ? 1 : 0
  }
}

function prepare(connection: DatabaseSync, isReader: boolean) {
  connection.exec('pragma journal_mode = wal')
  connection.exec('pragma synchronous = full')
  connection.exec('pragma foreign_keys = on')
  connection.exec('pragma cache_size = -65536')
  // Rollback data and staged imports can exceed memory.
  connection.exec(`pragma temp_store = ${isReader ? 'memory' : 'file'}`)
  connection.exec(`pragma query_only = ${isReader ? 'on' : 'off'}`)
}

/** A transaction that reads before it writes cannot wait for another process; `begin immediate` can. */
export type Begin = 'begin' | 'begin immediate'

/** node:sqlite with the interface of better-sqlite3, which Kysely expects. */
export function sqliteStatements(connection: DatabaseSync, begin: Begin): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => connection.close(),
    prepare(text) {
      const cached = statements.get(text)
      if (cached) return cached
      if (statements.size >= 200) statements.clear()
      const prepared = kyselyStatement(connection.prepare(text === 'begin' ? begin : text))
      const statement = text === 'rollback' ? unlessRolledBack(connection, prepared) : prepared
      statements.set(text, statement)
      return statement
    },
  }
}

function unlessRolledBack(connection: DatabaseSync, rollback: SqliteStatement): SqliteStatement {
  const nothing = { changes: 0, lastInsertRowid: 0 }
  return { ...rollback, run: (parameters) => (connection.isTransaction ? rollback.run(parameters) : nothing) }
}

function kyselyStatement(statement: StatementSync): SqliteStatement {
  const columns = statement.columns().map(({ name }) => name)
  // Arrays take half the time for thousands of rows. Building rows here gives them one hidden class.
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
