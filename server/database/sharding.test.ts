import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onEngine } from '#test/databases/databases.ts'
import { droppedKeys, shardings } from '#test/databases/shardings.ts'
import type { Tables } from './tables.ts'

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
    expect(broken.map(({ name }) => name).sort()).toEqual(Object.keys(droppedKeys).sort())
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

function shardingOf(table: string) {
  return shardings[table as keyof Tables]
}
