import { CompiledQuery, sql } from 'kysely'
import type { Database, TableDescription, WriteTransaction } from './database.ts'

/** Below PostgreSQL's 65,535 and SQLite's 32,766. */
const maxParameters = 32_000

/** Inserts rows into one table. The text of a statement is built once, as that would cost as much as running it. */
export class RowInsert {
  /** Of one statement. */
  readonly maxRows: number
  private readonly columns: readonly string[]
  private readonly types: readonly string[] | null
  private readonly into: ReturnType<typeof sql>
  private last: { rows: number; text: string } | undefined

  /** On PostgreSQL, one parameter for each column is faster than one for each value, but needs the types. */
  constructor(
    { name, types }: Pick<TableDescription, 'name' | 'types'>,
    columns: readonly string[],
    engine: Database['engine'],
  ) {
    this.columns = columns
    this.types = engine === 'postgres' ? columns.map((column) => types[column] as string) : null
    this.maxRows = Math.min(500, Math.floor(maxParameters / columns.length))
    this.into = sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})`
  }

  /** At most `maxRows`. */
  async execute(transaction: WriteTransaction, rows: readonly (readonly unknown[])[]) {
    const parameters = this.types
      ? this.columns.map((_, column) => rows.map((row) => row[column]))
      : rows.flat()
    if (!this.last || (!this.types && this.last.rows !== rows.length))
      this.last = { rows: rows.length, text: this.textFor(transaction, rows.length) }
    await transaction.executeQuery(CompiledQuery.raw(this.last.text, parameters))
  }

  private textFor(transaction: WriteTransaction, rows: number): string {
    const insert = this.types
      ? sql`${this.into} select * from unnest(${sql.join(this.types.map((type) => sql`cast(${null} as ${sql.raw(type)}[])`))})`
      : sql`${this.into} values ${sql.join(Array.from({ length: rows }, () => sql`(${sql.join(this.columns.map(() => null))})`))}`
    return insert.compile(transaction).sql
  }
}
