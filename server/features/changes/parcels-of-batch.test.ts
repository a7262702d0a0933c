import { expect, it } from 'vitest'
import { onEachEngine } from '#test/databases/databases.ts'
import {
  anAsset,
  aParcel,
  point,
  square,
  storeClient,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import type { Operation } from './change-context.ts'
import { changeFeaturesIn } from './change-features.commands.ts'

const mapId = 'oak-hills'
const person = { id: 'maya', name: 'Maya', roles: { isAdministrator: true, ofMaps: {} } }
const west = (at: number) => -111.5 + at / 1_000

onEachEngine('the parcels of a batch', (createDatabase) => {
  async function change(count: number, operation: (id: string, at: number) => Operation) {
    const database = await createDatabase()
    await storeClient(database, mapId)
    const places = Array.from({ length: count }, (_, at) => at)
    await storeFeatures(database, [
      ...places.map((at) => aParcel({ id: `lot-${at}`, geometry: square(west(at), 34, 0.0005) })),
      aParcel({ id: 'chosen', geometry: square(-110, 34, 0.01) }),
      ...places.map((at) => {
        const geometry = point(west(at) + 0.0002, 34.0002)
        return anAsset({ id: `asset-${at}`, parcelId: 'chosen', geometry })
      }),
    ])
    let reads = 0
    const counted = {
      transformQuery: ({ node }: { node: { kind: string } }) => {
        if (node.kind === 'SelectQueryNode' || node.kind === 'RawNode') reads += 1
        return node
      },
      transformResult: async ({ result }: { result: object }) => result,
    }
    await database.write((transaction) =>
      changeFeaturesIn(
        database,
        transaction.withPlugin(counted as Parameters<typeof transaction.withPlugin>[0]),
        { mapId, person, changeId: 'change' },
        places.map((at) => operation(`asset-${at}`, at)),
      ),
    )
    const assets = await database.read
      .selectFrom('features')
      .select(['id', 'parcel_id'])
      .where('kind', '=', 'asset')
      .execute()
    return { reads, parcels: new Map(assets.map(({ id, parcel_id }) => [id, parcel_id])) }
  }

  const changing = (patch: (at: number) => object) => (id: string, at: number) =>
    ({ action: 'change', id, isExpected: () => true, change: { ...patch(at) } }) as const

  it.each([
    ['found at their locations', changing(() => ({ parcelId: null })), (at: number) => `lot-${at}`],
    ['chosen', changing((at) => ({ parcelId: `lot-${at}` })), (at: number) => `lot-${at}`],
    ['left alone', changing(() => ({ name: 'Tank' })), () => 'chosen'],
  ])('takes as many reads for 300 assets as for 3, if they are %s', async (_, operation, expected) => {
    const few = await change(3, operation)
    const many = await change(300, operation)
    expect(many.reads).toBe(few.reads)
    for (const { parcels } of [few, many])
      for (const [id, parcel] of parcels) expect(parcel).toBe(expected(Number(id.slice('asset-'.length))))
  })
})
