import pg from 'pg'
import type { Tables } from '#server/database/tables.ts'
import { isDistributed, shardings } from './shardings.ts'

// Two databases in which half of the maps of a distributed table are in the first database, and the others in a foreign
// table of the second.

/** Templates of the tests that `TEST_SHARDED` runs. */
export const shardedTemplates = { first: 'sharded', second: 'sharded_second' } as const

export const isSharded = Boolean(process.env.TEST_SHARDED)

/** Name of the second database. */
export const secondOf = (name: string) => `${name}_second`

/**
 * PostgreSQL allows no unique index on a table with foreign partitions, and thus no ON CONFLICT with columns. These
 * tables, which need it, stay in the first database.
 */
const undivided: readonly (keyof Tables)[] = [
  'activity_reads',
  'blobs',
  'feature_counts',
  'import_recipes',
  'jobs',
  'map_extents',
  'metadata_names',
  'open_records',
  'own_fields',
]

const dividedTables = Object.keys(shardings).filter(
  (table) => isDistributed(table) && !undivided.some((other) => other === table),
)

type Connect = <Result>(database: string, work: (client: pg.Client) => Promise<Result>) => Promise<Result>

/** Makes both templates of a migrated database. */
export async function makeShardedTemplates(url: (database: string) => string, template: string) {
  const { first, second } = shardedTemplates
  const connect: Connect = async (database, work) => {
    const client = new pg.Client({ connectionString: url(database) })
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }
  await connect('postgres', async (client) => {
    await client.query(`create database ${first} template ${template}`)
    await client.query(`create database ${second} template ${template}`)
  })
  for (const database of [first, second]) await connect(database, dropReferences)
  await connect(first, (client) => divide(client, new URL(url(second))))
}

/** Drops foreign keys between a divided table and one that is not. */
async function dropReferences(client: pg.Client) {
  const { rows } = await client.query<{ name: string; table: string }>(
    `select conname as name, conrelid::regclass::text as table from pg_constraint
    where contype = 'f' and (conrelid::regclass::text = any ($1)) <> (confrelid::regclass::text = any ($1))`,
    [dividedTables],
  )
  for (const { name, table } of rows) await client.query(`alter table ${table} drop constraint ${name}`)
}

async function divide(client: pg.Client, { hostname, port, pathname, username }: URL) {
  await client.query(`
    create extension postgres_fdw;
    create server second foreign data wrapper postgres_fdw options
      (host '${hostname}', port '${port}', dbname '${pathname.slice(1)}', extensions 'postgis', fetch_size '1000');
    create user mapping for current_user server second options (user '${username}')`)
  for (const table of dividedTables) {
    // Triggers of rows stay with the partitions, and those of statements belong to the table that a statement names.
    const { rows: triggers } = await client.query<{ definition: string }>(
      `select pg_get_triggerdef(oid) as definition from pg_trigger
      where tgrelid = $1::regclass and not tgisinternal and tgtype & 1 = 0`,
      [table],
    )
    await client.query(`
      alter table ${table} rename to ${table}_first;
      create table ${table} (like ${table}_first including defaults including generated) partition by hash (map_id);
      alter table ${table} attach partition ${table}_first for values with (modulus 2, remainder 0);
      create foreign table ${table}_second partition of ${table} for values with (modulus 2, remainder 1)
        server second options (table_name '${table}')`)
    for (const { definition } of triggers) await client.query(definition)
  }
}
