import { expect, it } from 'vitest'
import { onEachEngine } from '#test/databases/databases.ts'
import {
  aParcel,
  point,
  square,
  storeClient,
  storeConfiguration,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { startTestApp } from '#test/server/test-app.ts'

const address = '/api/maps/oak-hills/configuration'

const byDefault = {
  center: { lat: 34.05, lng: -111.09 },
  startZoom: 14,
  defaultMapType: 'street',
  mapTypes: ['satellite', 'street'],
  mapBounds: null,
  showPersonalData: false,
  publicMetadata: [],
  drawingTools: ['rectangle'],
}

onEachEngine('the configuration of a map', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeClient(database, 'other')
    return { database, app: await startTestApp(database) }
  }

  it('is the default of the specification on a map without features', async () => {
    const { app } = await start()
    await using _ = app
    expect(await app.getJson(address)).toEqual({
      mapId: 'oak-hills',
      isApplied: false,
      version: 0,
      configuration: byDefault,
    })
  })

  it('is proposed from the extent, and follows it until one is applied', async () => {
    const { database, app } = await start()
    await using _ = app
    await storeFeatures(database, [
      aParcel({ geometry: square(-95.9, 29.7, 0.01) }),
      aParcel({ mapId: 'other', geometry: point(-150, 61) }),
    ])
    const answer = { mapId: 'oak-hills', isApplied: false, version: 0 }
    expect(await app.getJson(address)).toEqual({
      ...answer,
      configuration: { ...byDefault, center: { lat: 29.705, lng: -95.895 }, startZoom: 15 },
    })
    await storeFeatures(database, [aParcel({ geometry: square(-95.88, 29.7, 0.01) })])
    expect(await app.getJson(address)).toEqual({
      ...answer,
      configuration: { ...byDefault, center: { lat: 29.705, lng: -95.885 }, startZoom: 14 },
    })
    await storeConfiguration(database, 'oak-hills', 1, byDefault)
    expect(await app.getJson(address)).toMatchObject({ isApplied: true, configuration: byDefault })
  })

  it('is the newest version applied to this map', async () => {
    const { database, app } = await start()
    await using _ = app
    const applied = { ...byDefault, mapTypes: ['terrain', 'hybrid'], defaultMapType: 'hybrid' }
    for (const version of [1, 2, 10, 9])
      await storeConfiguration(database, 'oak-hills', version, { ...applied, startZoom: version })
    await storeConfiguration(database, 'other', 11, byDefault)
    expect(await app.getJson(address)).toEqual({
      mapId: 'oak-hills',
      isApplied: true,
      version: 10,
      configuration: { ...applied, startZoom: 10 },
    })
  })

  it('can be read in its old shape', async () => {
    const { database, app } = await start()
    await using _ = app
    const mapBouds = { north: 35, east: -110, south: 33, west: -112 }
    await storeConfiguration(database, 'oak-hills', 1, { center: [34.5, -111.5], zoom: 9, mapBouds })
    expect(await app.getJson(address)).toMatchObject({
      version: 1,
      configuration: { ...byDefault, center: { lat: 34.5, lng: -111.5 }, startZoom: 9, mapBounds: mapBouds },
    })
  })
})
