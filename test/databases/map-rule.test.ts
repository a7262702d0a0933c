import { loadModule } from 'libpg-query'
import { beforeAll, describe, expect, it } from 'vitest'
import { tablesOfAllMaps } from './map-rule.ts'

const distributed = ['features', 'maps', 'clients']
const tablesOf = (sql: string) => tablesOfAllMaps(sql, (table) => distributed.includes(table))

describe('the rule that statements are restricted to one map', () => {
  beforeAll(loadModule)

  it.each([
    'select * from features where map_id = $1',
    'select * from features as one where one.map_id = cast($1 as text) and (id = $2 or id = $3)',
    'select * from features where (map_id = $1 and id = $2) or (map_id = $1 and id = $3)',
    'select * from features join maps on maps.map_id = features.map_id where features.map_id = $1',
    'select * from features join maps using (map_id) where maps.map_id = $1',
    'select * from maps left join features on features.map_id = maps.map_id where maps.map_id = $1',
    'select * from features, maps where (features.map_id, features.id) = (maps.map_id, $2) and maps.map_id = $1',
    'select (select count(*) from features where features.map_id = maps.map_id) from maps where map_id = $1',
    'select * from maps where map_id = $1 and exists (select from features where features.map_id = maps.map_id)',
    'with one as (select map_id from maps where map_id = $1) select * from features join one using (map_id)',
    'with recursive one as (select map_id, id from features where map_id = $1 union all select features.map_id, features.id from features join one on one.map_id = features.map_id) select * from one',
    'select * from (select $1 as map_id) as one join features on features.map_id = one.map_id',
    'select * from maps, lateral (select * from features where features.map_id = maps.map_id) as one where maps.map_id = $1',
    'select * from features where map_id = $1 union all select * from features where map_id = $2',
    'insert into features (map_id, id) values ($1, $2) on conflict (map_id, id) do update set id = excluded.id',
    'insert into features (map_id) select map_id from maps where map_id = $1',
    'update features set id = $1 from maps where features.map_id = maps.map_id and maps.map_id = $2',
    'delete from features using maps where features.map_id = maps.map_id and maps.map_id = $2',
    'select * from sessions',
    'select map_id from sessions where map_id in (select map_id from maps where map_id = $1)',
  ])('accepts %s', (sql) => {
    expect(tablesOf(sql)).toEqual([])
  })

  it.each([
    ['select * from features', 'features'],
    ['select * from features where id = $1', 'features'],
    ["select * from features where map_id || '' = $1", 'features'],
    ['select * from features where map_id > $1', 'features'],
    ['select * from features where map_id in ($1, $2)', 'features'],
    ['select * from features where map_id = any($1)', 'features'],
    ['select * from features where not map_id = $1', 'features'],
    ['select * from features where map_id = $1 or id = $2', 'features'],
    ['select * from features where map_id = map_id', 'features'],
    ['select * from features, maps where features.map_id = $1', 'maps'],
    ['select * from features join maps on maps.map_id = features.id where features.map_id = $1', 'maps'],
    ['select * from features join maps using (map_id)', 'features maps'],
    ['select * from maps left join features on maps.map_id = $1 and features.map_id = $1', 'maps'],
    ['select * from maps full join features on maps.map_id = $1 and features.map_id = $1', 'features maps'],
    ['select * from maps where map_id = $1 and exists (select from features)', 'features'],
    ['select (select count(*) from features) from maps where map_id = $1', 'features'],
    ['with one as (select map_id from maps) select * from features join one using (map_id)', 'features maps'],
    ['select * from sessions join features on features.map_id = sessions.map_id', 'features'],
    ['select * from features where map_id = $1 union select * from features', 'features'],
    [
      'select * from features, lateral (select map_id from maps where maps.map_id = features.map_id) as one where one.map_id = features.map_id',
      'features maps',
    ],
    ['insert into features (id) values ($1)', 'features'],
    ['insert into features (map_id) select map_id from maps', 'maps'],
    ['update features set map_id = $1 where map_id = $1', 'features'],
    ['update features set id = $1', 'features'],
    ['delete from features where id in (select id from maps where map_id = $1)', 'features'],
    ['with gone as (delete from features returning map_id) select * from gone', 'features'],
    ['select * from features where map_id = $1; delete from maps', 'maps'],
    ['lock table features in exclusive mode', 'features'],
    ['explain select * from features', 'features'],
  ])('rejects %s', (sql, tables) => {
    expect(tablesOf(sql).toSorted().join(' ')).toBe(tables)
  })
})
