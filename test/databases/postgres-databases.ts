import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { postgisDatabase, templateDatabase } from './postgres-cluster.ts'
import { isSharded, secondOf, shardedTemplates } from './sharded-templates.ts'

// Creating a database on PostgreSQL takes longer than most tests. Databases in which a test changed only a few rows
// are emptied and reused, all others are dropped.

type PostgresDatabase = { url: string; giveBack(by: { hasFailed: boolean }): Promise<void> }

export async function takePostgresDatabase({
  isMigrated,
}: {
  isMigrated: boolean
}): Promise<PostgresDatabase> {
  if (isMigrated && isSharded) return createSharded()
  const name = (isMigrated && free.pop()) || (await create(isMigrated ? templateDatabase : postgisDatabase))
  return {
    url: urlOf(name),
    async giveBack({ hasFailed }) {
      // A failed test may still run queries.
      if (isMigrated && !hasFailed && (await isEmptied(name))) free.push(name)
      else await administer(`drop database ${name} with (force)`)
    },
  }
}

async function createSharded(): Promise<PostgresDatabase> {
  const name = newName()
  const databases = { [name]: shardedTemplates.first, [secondOf(name)]: shardedTemplates.second }
  for (const [database, template] of Object.entries(databases)) await copy(database, template)
  await onDatabase(name, (client) =>
    client.query(`alter server second options (set dbname '${secondOf(name)}')`),
  )
  return {
    url: urlOf(name),
    async giveBack() {
      for (const database of Object.keys(databases))
        await administer(`drop database ${database} with (force)`)
    },
  }
}

const free: string[] = []

const newName = () => `test_${randomUUID().replaceAll('-', '')}`

const copy = (name: string, template: string) =>
  administer(`create database ${name} template ${template} strategy file_copy`)

async function create(template: string): Promise<string> {
  const name = newName()
  await copy(name, template)
  // The template cannot be copied while a connection is open.
  if (template === templateDatabase) {
    asMade ??= onDatabase(name, describe)
    await asMade
  }
  return name
}

/** Deleted rows stay in the files and slow down later scans. */
const maxRows = 2_000

async function isEmptied(name: string): Promise<boolean> {
  const { text, tables } = (await asMade) as Described
  return onDatabase(name, async (client) => {
    await client.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
    )
    if ((await describe(client)).text !== text) return false
    // As a replica, to skip the triggers that protect the history.
    await client.query('set session_replication_role = replica')
    const deletions = tables.map((table) => `delete from ${client.escapeIdentifier(table)}`)
    const results = await client.query(deletions.join(';'))
    // Several statements return several results, which the types do not cover.
    const deleted = [results].flat().reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0)
    return deleted <= maxRows
  }).catch(() => false)
}

type Described = { text: string; tables: string[] }
let asMade: Promise<Described> | undefined

/** Everything except rows that a test can change: schema, planner statistics, applied migrations. */
async function describe(client: pg.Client): Promise<Described> {
  const ours = 16_384
  const { rows: lines } = await client.query<{ line: string }>(`
    select concat_ws(' ', 'relation', oid, relname, relkind, relhastriggers, relrowsecurity, reloptions, reltuples) as line
      from pg_class where oid >= ${ours}
    union all select concat_ws(' ', 'column', attrelid, attnum, attname, atttypid, attnotnull, atthasdef, attgenerated)
      from pg_attribute where attrelid >= ${ours} and attnum > 0
    union all select concat_ws(' ', 'default', oid, adnum, md5(adbin::text)) from pg_attrdef
    union all select concat_ws(' ', 'constraint', oid, conname, convalidated) from pg_constraint where oid >= ${ours}
    union all select concat_ws(' ', 'index', indexrelid, indisvalid) from pg_index where indexrelid >= ${ours}
    union all select concat_ws(' ', 'trigger', oid, tgname, tgenabled, tgfoid) from pg_trigger where oid >= ${ours}
    union all select concat_ws(' ', 'event trigger', oid, evtenabled) from pg_event_trigger
    union all select concat_ws(' ', 'function', oid, proname, md5(prosrc)) from pg_proc where oid >= ${ours}
    union all select concat_ws(' ', 'type', oid, typname) from pg_type where oid >= ${ours}
    union all select concat_ws(' ', 'schema', oid, nspname) from pg_namespace where oid >= ${ours}
    union all select concat_ws(' ', 'extension', oid, extversion) from pg_extension
    union all select concat_ws(' ', 'rule', oid, ev_enabled) from pg_rewrite where oid >= ${ours}
    union all select concat_ws(' ', 'setting', setconfig) from pg_db_role_setting
      where setdatabase = (select oid from pg_database where datname = current_database())
    union all select concat_ws(' ', 'statistics', starelid, staattnum) from pg_statistic where starelid >= ${ours}
    union all select concat_ws(' ', 'sequence', sequencename, last_value) from pg_sequences
    union all select concat_ws(' ', 'migration', name, applied_at) from migrations
    order by line`)
  const { rows: tables } = await client.query<{ name: string }>(`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'migrations'
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')`)
  return { text: lines.map(({ line }) => line).join('\n'), tables: tables.map(({ name }) => name) }
}

async function onDatabase<Result>(
  name: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: urlOf(name) })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function urlOf(name: string): string {
  const url = new URL(inject('postgresUrl') ?? '')
  url.pathname = `/${name}`
  return url.href
}

/** One connection per process, since opening one costs as much as a test. Does not keep the process alive. */
let administration: pg.Pool | undefined

async function administer(statement: string) {
  administration ??= new pg.Pool({
    connectionString: inject('postgresUrl') ?? '',
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  })
  await administration.query(statement)
}
