import { expect, it } from 'vitest'
import type { Client } from '#domain/clients/client.schema.ts'
import type { Box } from '#domain/geometry/box.ts'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import {
  anAsset,
  anIncident,
  aParcel,
  point,
  square,
  storeClient,
  storeFeatures,
  storeMap,
} from '#test/databases/feature-builders.ts'
import { expectBadParameter, expectProblem, startTestApp } from '#test/server/test-app.ts'

onEachEngine('a map', (createDatabase) => {
  it('has its client, its extent, its first parcel by name and its counts', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeClient(database, 'other')
    await storeFeatures(database, [
      aParcel({ name: 'Lot 10', geometry: square(-111, 34, 1) }),
      aParcel({ name: 'Lot 9', geometry: square(-112, 33, 0.5) }),
      anAsset({ geometry: point(-105, 40) }),
      anIncident({ geometry: point(-113, 20) }),
      anIncident({ geometry: point(-113, 21) }),
      anIncident({ mapId: 'other', geometry: point(0, 0) }),
    ])
    await using app = await startTestApp(database)
    const { attention: _, ...client } = await app.getJson<Client>('/api/clients/oak-hills')
    expect(await app.getJson('/api/maps/oak-hills')).toEqual({
      id: 'oak-hills',
      timeZone: 'America/Hermosillo',
      client,
      extent: { west: -113, south: 20, east: -105, north: 40 },
      firstParcel: { lat: expect.closeTo(33.25, 6), lng: expect.closeTo(-111.75, 6) },
      counts: { incident: 2, asset: 1, parcel: 2 },
    })
  })

  it('excludes a stray feature from its extent and from the proposed initial view', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    const lots = Array.from({ length: 9 }, (_, at) =>
      aParcel({ geometry: square(-111 + at * 0.01, 34, 0.01) }),
    )
    await storeFeatures(database, [...lots, anAsset({ geometry: point(111, 34) })])
    await using app = await startTestApp(database)
    const { extent } = await app.getJson<{ extent: Box }>('/api/maps/oak-hills')
    expect(extent).toMatchObject({ west: expect.closeTo(-111, 1), east: expect.closeTo(-110.9, 1) })
    const { configuration } = await app.getJson<MapConfigurationAnswer>('/api/maps/oak-hills/configuration')
    expect(configuration.center).toMatchObject({ lng: expect.closeTo(-110.95, 1) })
  })

  it('can be empty, and can have no client', async () => {
    const database = await createDatabase()
    await storeMap(database, 'sample')
    await using app = await startTestApp(database)
    expect(await app.getJson('/api/maps/sample')).toEqual({
      id: 'sample',
      timeZone: 'UTC',
      client: null,
      extent: null,
      firstParcel: null,
      counts: { incident: 0, asset: 0, parcel: 0 },
    })
  })

  it('is not found if it does not exist or its client is archived', async () => {
    const database = await createDatabase()
    await storeClient(database, 'closed', { archived: true })
    await using app = await startTestApp(database)
    for (const path of ['', '/configuration', '/features', '/features/a', '/tiles.json', '/tiles/0/0/0.mvt'])
      for (const mapId of ['closed', 'nobody']) expectProblem(await app.get(`/api/maps/${mapId}${path}`), 404)
  })

  it('has a slug as its id', async () => {
    await using app = await startTestApp(await createDatabase())
    for (const id of ['Oak', 'a_b', '-a', 'a-', ' ', 'x'.repeat(81), '水'])
      for (const path of [
        '',
        '/configuration',
        '/features',
        '/features/a',
        '/tiles.json',
        '/tiles/0/0/0.mvt',
      ])
        expectBadParameter(await app.get(`/api/maps/${encodeURIComponent(id)}${path}`), 'path', 'mapId')
  })
})
