import { CompiledQuery, sql } from 'kysely'
import type { WriteTransaction } from './database.ts'

/** Below PostgreSQL's 65,535 and SQLite's 32,766. */
const maxParameters = 32_000

/** Inserts rows into one table. Building a long statement for each part would cost as much as running it. */
export class RowInsert {
  /** Of one statement. */
  readonly maxRows: number
  private readonly table: string
  private readonly columns: readonly string[]
  private readonly types: readonly string[] | null
  private last: { length: number; text: string } | undefined

  /** With the types of PostgreSQL, a statement has one parameter for each column instead of each value. */
  constructor(
    table: string,
    columns: readonly string[],
    types: Readonly<Record<string, string>> | null = null,
  ) {
    this.table = table
    this.columns = columns
    this.types = types && columns.map((column) => types[column] as string)
    this.maxRows = Math.min(500, Math.floor(maxParameters / columns.length))
  }

  /** `values` are those of one row after the other. */
  async execute(transaction: WriteTransaction, values: readonly unknown[]) {
    const width = this.columns.length
    const rows = values.length / width
    const parameters = this.types
      ? this.columns.map((_, column) =>
          Array.from({ length: rows }, (_, row) => values[row * width + column]),
        )
      : values
    if (this.last?.length !== parameters.length)
      this.last = { length: parameters.length, text: this.textFor(transaction, rows) }
    await transaction.executeQuery(CompiledQuery.raw(this.last.text, [...parameters]))
  }

  private textFor(transaction: WriteTransaction, rows: number): string {
    const columns = sql.join(this.columns.map((column) => sql.ref(column)))
    const row = sql`(${sql.join(this.columns.map(() => null))})`
    const arrays = this.types?.map((type) => sql`cast(${null} as ${sql.raw(type)}[])`)
    const source = arrays
      ? sql`select * from unnest(${sql.join(arrays)})`
      : sql`values ${sql.join(Array.from({ length: rows }, () => row))}`
    return sql`insert into ${sql.table(this.table)} (${columns}) ${source}`.compile(transaction).sql
  }
}
