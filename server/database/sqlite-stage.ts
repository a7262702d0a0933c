import { type Kysely, sql } from 'kysely'
import type { Database } from './database.ts'
import type { Tables } from './tables.ts'

/**
 * Stages rows in a temporary table of this connection, which needs no log and no disk sync. It hides the
 * table of the schema, which has the same columns and stays empty. Imports of this process take turns.
 */
export function stageOver(write: Kysely<Tables>): Database['withStage'] {
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
