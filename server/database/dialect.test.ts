import fc from 'fast-check'
import { expect, it } from 'vitest'
import { searchWords } from '#domain/values/text.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { arbitraryFeatures, arbitraryPosition, words } from '#test/random/arbitrary-features.ts'
import { insertMap } from '../clients/store-clients.queries.ts'
import { toFeatureRow } from '../features/rows/feature-row.ts'
import { insertFeatures } from '../thinning/write-features.queries.ts'
import type { Extent } from './database.ts'
import type { FeatureColumns } from './tables.ts'

const runs = { numRuns: 50, seed: 7, endOnFailure: true }

onEachEngine('the dialect', (createDatabase) => {
  it('finds exactly the features whose extent touches a box', async () => {
    const database = await createDatabase()
    await fc.assert(
      fc.asyncProperty(arbitraryFeatures, arbitraryBox, async (features, box) => {
        const rows = await store(database, features)
        const expected = rows.filter(
          (row) =>
            row.west <= box.east && row.east >= box.west && row.south <= box.north && row.north >= box.south,
        )
        const found = database.read.selectFrom('features').where(database.dialect.intersects('a-map', box))
        expect(await idsOf(found.select('id').execute())).toEqual(idsInOrder(expected))
      }),
      runs,
    )
  })

  it('finds exactly the features that have a word starting with each of the words', async () => {
    const database = await createDatabase()
    await fc.assert(
      fc.asyncProperty(arbitraryFeaturesAndSearch, async ([features, search]) => {
        const rows = await store(database, features)
        const expected = rows.filter((row) =>
          search.every((word) => row.search_text.split(' ').some((expected) => expected.startsWith(word))),
        )
        const found = database.read
          .selectFrom('features')
          .where(database.dialect.matchesWords('a-map', search))
        expect(await idsOf(found.select('id').execute())).toEqual(idsInOrder(expected))
      }),
      runs,
    )
  })
})

const arbitraryBox = fc.tuple(arbitraryPosition, arbitraryPosition).map(
  ([a, b]): Extent => ({
    west: Math.min(a[0], b[0]),
    east: Math.max(a[0], b[0]),
    south: Math.min(a[1], b[1]),
    north: Math.max(a[1], b[1]),
  }),
)

const arbitrarySearch = (features: Features) => {
  const expected = features.flatMap((feature) => toFeatureRow(feature, { now: 0 }).search_text.split(' '))
  return fc
    .array(fc.tuple(fc.constantFrom(...expected, ...words), fc.integer({ min: 1, max: 6 })), {
      minLength: 1,
      maxLength: 2,
    })
    .map((typed) => typed.flatMap(([word, length]) => searchWords([...word].slice(0, length).join(''))))
    .filter((search) => search.length > 0)
}

const arbitraryFeaturesAndSearch = arbitraryFeatures.chain((features) =>
  fc.tuple(fc.constant(features), arbitrarySearch(features)),
)

type Features = Parameters<typeof toFeatureRow>[0][]

async function store(database: TestDatabase, features: Features): Promise<FeatureColumns[]> {
  const rows = features.map((feature) => toFeatureRow(feature, { now: 0 }))
  await database.write(async (transaction) => {
    for (const table of ['features', 'feature_counts', 'map_extents', 'maps'] as const)
      await transaction.deleteFrom(table).execute()
    for (const mapId of ['another-map', 'a-map']) {
      await insertMap(transaction, mapId, 0)
      const inMap = rows.map((row) => ({ ...row, map_id: mapId }))
      await insertFeatures(transaction, database.engine, inMap)
    }
  })
  return rows
}

const idsInOrder = (rows: readonly { id: string }[]) => rows.map((row) => row.id).sort()
const idsOf = async (rows: Promise<{ id: string }[]>) => idsInOrder(await rows)
