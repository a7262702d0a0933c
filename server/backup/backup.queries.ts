import { sql } from 'kysely'
import type { ReadDatabase, TableDescription } from '../database/database.ts'

type Row = Record<string, unknown>

const columnsOf = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

/** The next rows of a table in the order of its key, behind the given row. */
export async function readPage(
  database: ReadDatabase,
  { name, columns, key }: TableDescription,
  after: Row | undefined,
  limit: number,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select ${columnsOf(columns)} from ${sql.table(name)} ${afterKey(key, after)}
    order by ${columnsOf(key)} limit ${limit}`.execute(database)
  return rows
}

export function afterKey(key: readonly string[], after: Row | undefined) {
  if (!after) return sql``
  return sql`where (${columnsOf(key)}) > (${sql.join(key.map((column) => after[column]))})`
}
