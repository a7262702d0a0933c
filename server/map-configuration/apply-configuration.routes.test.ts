import { expect, it } from 'vitest'
import { defaultMapConfiguration } from '#domain/map-configuration/map-configuration.schema.ts'
import { onEachEngine } from '#test/databases.ts'
import { storeClient } from '#test/feature-builders.ts'
import { signIn } from '#test/signed-in.ts'
import { startTestApp } from '#test/test-app.ts'

const address = '/api/maps/oak-hills/configuration'

onEachEngine('applying a configuration', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    const app = await startTestApp(database)
    const manager = await signIn(database, ['manager:oak-hills'])
    const put = (payload: unknown, ifMatch: string, headers: Record<string, string> = manager) =>
      app.send({
        method: 'PUT',
        url: address,
        headers: { ...headers, 'if-match': ifMatch },
        payload: payload as object,
      })
    return { database, app, put, manager }
  }

  it('makes a new version, which everybody sees', async () => {
    const { app, put, manager } = await start()
    await using _ = app
    expect((await app.get(address)).headers.etag).toBe('"0"')
    const first = await put(defaultMapConfiguration, '"0"')
    expect(first.json()).toEqual({
      mapId: 'oak-hills',
      isApplied: true,
      version: 1,
      configuration: defaultMapConfiguration,
    })
    expect(first.headers.etag).toBe('"1"')
    const changed = { ...defaultMapConfiguration, startZoom: 9 }
    expect((await put(changed, '"1"')).headers.etag).toBe('"2"')
    expect(await app.getJson(address)).toMatchObject({ version: 2, configuration: { startZoom: 9 } })
    const restored = await app.send({
      method: 'POST',
      url: `${address}/restore`,
      headers: { ...manager, 'if-match': '"2"' },
      payload: { version: 1 },
    })
    expect(restored.json()).toMatchObject({ version: 3, configuration: defaultMapConfiguration })
    const versions = await app.get(`${address}/versions`, manager)
    expect(versions.json().items.map((item: { version: number }) => item.version)).toEqual([3, 2, 1])
  })
})
