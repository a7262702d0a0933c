import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onEngine } from '#test/databases/databases.ts'
import type { Tables } from './tables.ts'

type Sharding = 'distributed' | { reference: string } | { local: string }

/** Distributed by map_id, copied to every node (reference), or only on the coordinator (local). */
const shardings: Record<keyof Tables, Sharding> = {
  maps: 'distributed',
  clients: 'distributed',
  map_configurations: 'distributed',
  features: 'distributed',
  feature_history: 'distributed',
  removed_features: 'distributed',
  jobs: 'distributed',
  bulk_changes: 'distributed',
  bulk_change_items: 'distributed',
  blobs: 'distributed',
  files: 'distributed',
  uploads: 'distributed',
  background_exports: 'distributed',
  file_store: { reference: 'One row that identifies the file store, read next to files.' },
  import_drafts: 'distributed',
  import_draft_files: 'distributed',
  import_recipes: 'distributed',
  maintenance_entries: 'distributed',
  maintenance_calendars: {
    reference: 'Read by the secret in the address of a calendar, before the map is known.',
  },
  own_fields: 'distributed',
  drawings: 'distributed',
  feature_counts: 'distributed',
  map_extents: 'distributed',
  metadata_names: 'distributed',
  staged_features: 'distributed',
  imports: 'distributed',
  import_changes: 'distributed',
  activity: 'distributed',
  activity_reads: 'distributed',
  open_records: 'distributed',
  webhook_endpoints: 'distributed',
  webhook_deliveries: 'distributed',
  sessions: { local: 'Read by the hash of the cookie, before the map is known.' },
  sign_ins: { local: 'Read by the hash of the cookie, before the map is known.' },
  api_tokens: {
    reference: 'Read by the hash of the token, before the map is known; a token can reach several maps.',
  },
  api_token_maps: 'distributed',
  sign_outs: { local: 'Belongs to a browser, not to a map.' },
  logout_tokens: { local: 'Belongs to the identity provider, not to a map.' },
  last_roles: { local: 'Belongs to a person, who can have roles on several maps.' },
  idempotency_keys: { local: 'Read by person and key, before the map is known.' },
  migrations: { local: 'Migrations run on the coordinator.' },
}

/** Keys to drop before sharding, each with its reason. */
const droppedKeys: Record<string, string> = {
  maintenance_calendars_map_id_fkey: 'A reference table cannot refer to a distributed table.',
}

type Key = {
  table_name: string
  name: string
  columns: string[]
  refers_to: string | null
  refers_to_columns: string[]
}

onEngine('postgres', 'sharding by map', (createDatabase) => {
  it('has map_id in every key of a distributed table', async () => {
    const { read } = await createDatabase()
    const { rows } = await sql<Key>`
      select indrelid::regclass::text as table_name, indexrelid::regclass::text as name,
        array(select attname::text from pg_attribute
          where attrelid = indrelid and attnum = any (indkey[0:indnkeyatts - 1])) as columns,
        null as refers_to, '{}'::text[] as refers_to_columns
      from pg_index where indisunique and indrelid::regclass::text = any (${Object.keys(shardings)})
      union all
      select conrelid::regclass::text, conname,
        array(select attname::text from unnest(conkey) with ordinality as key (attnum, place)
          join pg_attribute using (attnum) where attrelid = conrelid order by place),
        confrelid::regclass::text,
        array(select attname::text from unnest(confkey) with ordinality as key (attnum, place)
          join pg_attribute using (attnum) where attrelid = confrelid order by place)
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`.execute(read)
    const broken = rows.filter((key) => !isOnOneNode(key))
    expect(broken.map(({ name }) => name)).toEqual(Object.keys(droppedKeys))
    const withKeys = new Set(rows.map(({ table_name }) => table_name))
    expect(Object.keys(shardings).filter((name) => !withKeys.has(name))).toEqual([])
  })
})

function isOnOneNode({ table_name, columns, refers_to, refers_to_columns }: Key): boolean {
  const own = shardingOf(table_name)
  if (refers_to === null) return own !== 'distributed' || columns.includes('map_id')
  const other = shardingOf(refers_to)
  if (typeof other === 'object') return 'reference' in other || (typeof own === 'object' && 'local' in own)
  if (own !== 'distributed') return false
  const position = columns.indexOf('map_id')
  return position >= 0 && refers_to_columns[position] === 'map_id'
}

function shardingOf(table: string): Sharding {
  return shardings[table as keyof Tables]
}
