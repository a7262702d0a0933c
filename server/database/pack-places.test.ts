import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { onEngine } from '#test/databases/databases.ts'
import {
  anAsset,
  aParcel,
  point,
  someInstant,
  square,
  storeClient,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { toFeatureRow } from '../features/rows/feature-row.ts'
import { insertFeatures, removeFeatures } from '../thinning/write-features.queries.ts'
import type { Database } from './database.ts'
import { floatAbove, floatBelow, packPlaces } from './pack-places.ts'
import { openConnection } from './sqlite-connection.ts'

describe('32-bit floats around a value', () => {
  it('are the closest ones', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (value) => {
        const [below, above] = [floatBelow(value), floatAbove(value)]
        expect(below <= value && value <= above).toBe(true)
        expect([below, above].map(Math.fround)).toEqual([below, above])
        if (Math.fround(value) === value) expect(above - below).toBe(0)
        else expect(floatAbove(below + (above - below) / 2)).toBe(above)
      }),
    )
  })
})

const sizes = [0.000_01, 0.000_3, 0.01, 0.4]

/** Deterministic, on two maps, of points and areas of several sizes. */
function features(count: number, name: string) {
  return Array.from({ length: count }, (_, index) => {
    const [lng, lat] = [-111 + ((index * 7_919) % 1_000) / 500, 34 + ((index * 104_729) % 1_000) / 700]
    const side = sizes[index % 5]
    const mapId = index % 7 === 0 ? 'elm-park' : 'oak-hills'
    return side === undefined
      ? anAsset({ id: `${name}${index}`, mapId, geometry: point(lng, lat) })
      : aParcel({ id: `${name}${index}`, mapId, geometry: square(lng, lat, side) })
  })
}

onEngine('sqlite', 'a packed tree of places', (createDatabase) => {
  it.each([0, 1, 51, 52, 2_700])(
    'finds what the columns of %i features say, and stays correct',
    async (count) => {
      const database = await createDatabase()
      await storeClient(database, 'oak-hills')
      await storeClient(database, 'elm-park')
      await storeFeatures(database, features(30, 'old'))
      await database.write((transaction) =>
        database.maintenance.packingPlaces(transaction, async () => {
          await removeFeatures(transaction, 'sqlite', 'oak-hills', ['old1'])
          const rows = features(count, 'new').map((feature) => toFeatureRow(feature, { now: someInstant }))
          await insertFeatures(transaction, 'sqlite', rows)
        }),
      )
      await isCorrect(database)
      await isPacked(database, count + 29)
      await storeFeatures(database, features(200, 'later'))
      const gone = features(count, 'new').flatMap(({ id, mapId }) => (mapId === 'oak-hills' ? [id] : []))
      await database.write((transaction) => removeFeatures(transaction, 'sqlite', 'oak-hills', gone))
      await isCorrect(database)
    },
  )
})

onEngine('sqlite', 'a tree of places that SQLite does not let us write', (createDatabase) => {
  it('is filled row by row', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeClient(database, 'elm-park')
    await storeFeatures(database, features(120, 'one'))
    const connection = openConnection(join(database.location.dataDirectory, 'poa.sqlite'), false)
    const refuse = () => {
      throw new Error('Not now.')
    }
    Object.defineProperty(connection, 'enableDefensive', { value: refuse })
    connection.exec('begin immediate; delete from feature_extents where feature_key % 2 = 0')
    expect(packPlaces(connection)).toBe('row by row')
    connection.exec('commit')
    connection.close()
    await isCorrect(database)
  })
})

async function isCorrect({ read }: Database) {
  const { rows: checks } = await sql<{ problem: string }>`
    select rtreecheck('feature_extents') as problem`.execute(read)
  expect(checks).toEqual([{ problem: 'ok' }])
  for (let box = 0; box < 60; box++) {
    const [west, south] = [-111.2 + (box % 10) / 4, 33.9 + Math.floor(box / 10) / 4]
    const [east, north] = [west + 0.05 * (1 + (box % 4)), south + 0.2]
    const layers = { first: 32 * (1 + (box % 2)), last: 32 * (1 + (box % 2)) + (box % 3) * 15 }
    const { rows } = await sql<{ key: number; by: string }>`
      select features.feature_key as key, 'columns' as "by"
      from features inner join map_numbers on map_numbers.map_id = features.map_id
      where east >= ${west} and west <= ${east} and north >= ${south} and south <= ${north}
        and map_number * 32 + min(size_zoom, 31) between ${layers.first} and ${layers.last}
      union all
      select features.feature_key, 'tree' from feature_extents as tree
      inner join features on features.feature_key = tree.feature_key
      where tree.east >= ${west} and tree.west <= ${east} and tree.north >= ${south} and tree.south <= ${north}
        and first_layer >= ${layers.first} and first_layer <= ${layers.last}
        and features.east >= ${west} and features.west <= ${east}
        and features.north >= ${south} and features.south <= ${north}`.execute(read)
    const by = (source: string) => rows.flatMap((row) => (row.by === source ? [row.key] : [])).sort()
    expect(by('tree')).toEqual(by('columns'))
  }
}

/** Row by row, nodes are half empty. */
async function isPacked({ read }: Database, count: number) {
  const { rows } = await sql<{ nodes: number }>`select count(*) as nodes from feature_extents_node`.execute(
    read,
  )
  const leaves = Math.ceil(count / 51)
  const above = leaves === 1 ? 0 : Math.ceil(leaves / 51) + (leaves > 51 ? 1 : 0)
  expect(rows).toEqual([{ nodes: leaves + above }])
}
