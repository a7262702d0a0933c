import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  aGeneralFeature,
  anAsset,
  anIncident,
  aParcel,
  point,
  square,
  storeFeatures,
  storeMap,
} from '#test/databases/feature-builders.ts'
import { expectExactRanks } from '#test/server/expect-exact-ranks.ts'
import { startNode } from '#test/server/processes.ts'
import { getOnce, settingsOf, startServer } from '#test/server/server-process.ts'
import { featureColumns } from '../../imports/publishing/feature-columns.ts'

async function rebuild({ location }: TestDatabase, ...args: string[]) {
  const command = startNode('server/features/rebuild/rebuild.cli.ts', args, {
    env: { ...process.env, DATABASE_URL: '', ...settingsOf(location) },
  })
  return { code: await command.exited, output: command.output() }
}

const features = ['oak-hills', 'elm-park'].flatMap((mapId) => [
  anIncident({ id: 'i', mapId, title: 'Smoke over the ridge' }),
  aParcel({ id: 'lot-10', mapId, name: 'Lot 10' }),
  aParcel({ id: 'lot-2', mapId, name: 'Lot 2', geometry: square(-111.2, 34.1, 0.01) }),
  aGeneralFeature({ id: 'g', mapId, name: 'Spring', featureType: 'water' }),
  ...Array.from({ length: 600 }, (_, index) =>
    anAsset({ id: `a-${index}`, mapId, name: `Hydrant ${index}`, geometry: point(-111 + index / 1e5, 34) }),
  ),
])

onEachEngine('npm run rebuild', (createDatabase, { engine }) => {
  const stored = (database: TestDatabase) =>
    database.read
      .selectFrom('features')
      .select([...featureColumns, 'min_zoom', 'type_min_zoom'])
      .orderBy('map_id')
      .orderBy('id')
      .execute()

  async function filledDatabase() {
    const database = await createDatabase()
    for (const mapId of ['oak-hills', 'elm-park']) await storeMap(database, mapId)
    await storeFeatures(database, features)
    return database
  }

  it('fixes wrong derived data and skips correct rows while the server runs', async () => {
    const database = await filledDatabase()
    const before = await stored(database)
    await database.write(async (transaction) => {
      await sql`
        update features set name_order = '', search_text = 'nothing', size_zoom = 3, west = west - 1, morton = 0,
          shape = 'point', min_zoom = 7
        where map_id = 'oak-hills'`.execute(transaction)
      await sql`update feature_counts set count = count + 5`.execute(transaction)
      await sql`update features set min_zoom = 7 where map_id = 'elm-park'`.execute(transaction)
      await sql`update map_extents set west = -120`.execute(transaction)
    })
    await using server = await startServer(settingsOf(database.location))
    const names = async (query: string) => {
      const { body } = await getOnce(`${server.url}/api/maps/oak-hills/features?${query}`)
      return (JSON.parse(body).items as FeatureSummary[]).map(({ name }) => name)
    }
    expect(await names('text=ridge')).toEqual([])
    const { code, output } = await rebuild(database)
    expect(code, output).toBe(0)
    expect(output).toMatch(/^elm-park: 604 features in [\d.]+ s, 0 changed$/m)
    expect(output).toMatch(/^oak-hills: 604 features in [\d.]+ s, 604 changed$/m)
    expect(await stored(database)).toEqual(before)
    for (const mapId of ['oak-hills', 'elm-park']) await expectExactRanks(database, mapId)
    expect(await names('text=ridge')).toEqual(['Smoke over the ridge'])
    expect(await names('kind=parcel')).toEqual(['Lot 2', 'Lot 10'])
  })

  if (engine === 'postgres') return

  it('rebuilds one map', async () => {
    const database = await filledDatabase()
    expect(await rebuild(database, '--map', 'elm-park')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^elm-park: 604 features in [\d.]+ s, 0 changed\n$/),
    })
    expect(await rebuild(database, '--map', 'nowhere')).toEqual({
      code: 1,
      output: 'There is no map nowhere.\n',
    })
  })

  it('shows help, and refuses other arguments', async () => {
    const database = await createDatabase()
    expect(await rebuild(database, '--help')).toMatchObject({
      code: 0,
      output: expect.stringContaining('npm run rebuild -- --map ID'),
    })
    expect(await rebuild(database, '--all')).toEqual({
      code: 2,
      output: "Unknown option '--all'. See --help.\n",
    })
  })
})
