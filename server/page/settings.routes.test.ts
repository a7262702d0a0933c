import { expect, it } from 'vitest'
import { onEachEngine } from '#test/databases/databases.ts'
import { aParcel, storeClient, storeFeatures, storeMap } from '#test/databases/feature-builders.ts'
import { startTestApp, type TestAppOptions } from '#test/server/test-app.ts'

type Settings = { defaultMapId: string | null; tileServices: Record<string, unknown> }

onEachEngine('settings', (createDatabase) => {
  async function start(settings: TestAppOptions['settings'] = {}) {
    const database = await createDatabase()
    const app = await startTestApp(database, { settings })
    const defaultMapId = async () => (await app.getJson<Settings>('/api/settings')).defaultMapId
    return { database, app, defaultMapId }
  }

  it('open by default no map, the sample, the first client by name, the sample client at the default center', async () => {
    const { database, app, defaultMapId } = await start()
    await using _ = app
    expect(await defaultMapId()).toBeNull()

    await storeMap(database, 'not-the-sample')
    expect(await defaultMapId()).toBeNull()
    await storeMap(database, 'sample')
    expect(await defaultMapId()).toBe('sample')

    await storeClient(database, 'archived', { name: 'Aaa', archived: true })
    await storeClient(database, 'second', { name: 'Élan' })
    expect(await defaultMapId()).toBe('second')
    await storeClient(database, 'first', { name: 'egret' })
    expect(await defaultMapId()).toBe('first')

    await storeClient(database, 'pine-ridge', { name: 'Zion' })
    // Anyone may give a client this name, and draw land anywhere.
    await storeFeatures(database, [aParcel({ mapId: 'pine-ridge' })])
    expect(await defaultMapId()).toBe('first')
    await database.write((transaction) =>
      transaction.updateTable('clients').where('map_id', '=', 'pine-ridge').set({ is_sample: 1 }).execute(),
    )
    expect(await defaultMapId()).toBe('pine-ridge')
    await storeFeatures(database, [aParcel({ mapId: 'first' })])
    expect(await defaultMapId()).toBe('pine-ridge')
  })

  it('open the map that the operator sets', async () => {
    const { database, app, defaultMapId } = await start({ DEFAULT_MAP_ID: 'lakeside' })
    await using _ = app
    await storeClient(database, 'at-home')
    await storeFeatures(database, [aParcel({ mapId: 'at-home' })])
    expect(await defaultMapId()).toBe('lakeside')
  })

  it('list the tile services, without disabled ones', async () => {
    const { app } = await start({
      BASE_MAP_STREET_URL: 'https://tiles.example/{z}/{x}/{y}.png',
      BASE_MAP_STREET_DARK_URL: 'https://tiles.example/night.json',
      BASE_MAP_TERRAIN_URL: 'https://files.example/a.pmtiles',
      BASE_MAP_STREET_ATTRIBUTION: '© Example',
      BASE_MAP_STREET_MAX_ZOOM: '12',
      BASE_MAP_LABELS_URL: 'off',
    })
    await using _ = app
    const { tileServices } = await app.getJson<Settings>('/api/settings')
    expect(Object.keys(tileServices).sort()).toEqual(['labels', 'satellite', 'street', 'terrain'])
    expect(tileServices).toMatchObject({
      street: {
        light: { format: 'raster', url: 'https://tiles.example/{z}/{x}/{y}.png' },
        dark: { format: 'style', url: 'https://tiles.example/night.json' },
        attribution: '© Example',
        maxZoom: 12,
      },
      satellite: { light: { format: 'raster', url: expect.stringContaining('/{z}/{y}/{x}') }, maxZoom: 19 },
      terrain: { light: { format: 'pmtiles', url: 'https://files.example/a.pmtiles' }, dark: null },
      labels: { light: null, dark: null },
    })
  })
})
