import { expect, it } from 'vitest'
import { noCustomFields } from '#domain/features/custom-fields.ts'
import { countingDatabase } from '#test/databases/counting-database.ts'
import { onEachEngine, onEngine } from '#test/databases/databases.ts'
import { anAsset, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import type { Database } from '../database/database.ts'
import type { FeatureFilter } from '../features/lists/feature-filter.ts'
import { type Collection, filterOf, findCollection } from './collections.ts'
import { conditionOf, isLedByIndex } from './cql2-condition.queries.ts'
import { type ItemsPosition, readItems } from './items.ts'
import { parseCql2 } from './parse-cql2.ts'
import { propertiesOf, queryablesOf } from './properties.ts'
import { crs84 } from './reference-systems.ts'

onEachEngine('a page of items', (createDatabase) => {
  it('ends at the size limit, and continues on the next one', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    const rows = await storeFeatures(
      database,
      Array.from({ length: 7 }, (_, index) => anAsset({ id: `tank-${index}` })),
    )
    const bytes = rows[0]?.geometry.length ?? 0
    const client = { mapId: 'oak-hills', signal: new AbortController().signal }
    for (const [room, lengths] of [
      [1, [1, 1, 1, 1, 1, 1, 1]],
      [bytes * 3, [3, 3, 1]],
      [bytes * 7, [5, 2]],
    ] as const) {
      const pages: string[][] = []
      let from: ItemsPosition | undefined
      do {
        const page = await readItems(database, client, { kind: ['asset'] }, { limit: 5, from }, room)
        expect(page.total).toBe(7)
        pages.push(page.rows.map(({ id }) => id))
        from = page.next ?? undefined
      } while (from)
      expect(pages.map((page) => page.length)).toEqual(lengths)
      expect(pages.flat().sort()).toEqual(rows.map(({ id }) => id))
    }
  })
})

onEngine('sqlite', 'a page of items', (createDatabase) => {
  const client = { mapId: 'oak-hills', signal: new AbortController().signal }
  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    const parcelOf = (index: number) => (index % 500 === 0 ? 'lot-7' : `other-${index}`)
    const assets = Array.from({ length: 2_000 }, (_, index) => anAsset({ parcelId: parcelOf(index) }))
    await storeFeatures(database, assets)
    return countingDatabase(database)
  }

  it('is counted for the first page only', async () => {
    const { database, passed } = await start()
    const filter = filterBy(database, "installDate = DATE('2019-04-01')")
    const first = await readItems(database, client, filter, { limit: 10, from: undefined })
    expect(passed()).toBeGreaterThan(2_000)
    const second = await readItems(database, client, filter, { limit: 10, from: first.next ?? undefined })
    expect(passed()).toBeLessThan(20)
    expect([first.total, second.total]).toEqual([2_000, 2_000])
  })

  it('counts itself if it is the only one', async () => {
    const { database, passed } = await start()
    const filter = filterBy(database, "installDate > DATE('2019-04-01')")
    expect(await readItems(database, client, filter, { limit: 10, from: undefined })).toMatchObject({
      total: 0,
    })
    expect(passed()).toBe(2_000)
  })

  it.each(["parcelId = 'lot-7'", "status = 'operational' AND parcelId = 'lot-7'"])(
    'is found by an index: %s',
    async (text) => {
      const { database, passed } = await start()
      const { total } = await readItems(database, client, filterBy(database, text), {
        limit: 10,
        from: undefined,
      })
      expect(total).toBe(4)
      expect(passed()).toBe(4)
    },
  )
})

function filterBy(database: Database, text: string): FeatureFilter {
  const sight = { seesPersonalData: true, isStaff: true }
  const queryables = queryablesOf(propertiesOf('asset', noCustomFields, sight))
  const filter = parseCql2(text, { properties: queryables, system: crs84 })
  return {
    ...filterOf(findCollection('assets.points') as Collection),
    condition: conditionOf(database, 'oak-hills', filter, queryables),
    isLedByIndex: isLedByIndex(filter, queryables),
  }
}
