import { afterAll, beforeAll, expect, it } from 'vitest'
import { openingElementId } from '#domain/opening/opening-page.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { anIncident, aParcel, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { makeStubPage } from '#test/page/stub-page.ts'
import { signIn } from '#test/server/signed-in.ts'
import { startTestApp, type TestApp } from '#test/server/test-app.ts'

const page = makeStubPage()
afterAll(() => page.remove())

const listOf = (url: string) => (url === '/webgl/oak-hills' ? 'shape=point' : 'kind=incident')

const element = new RegExp(`<script type="application/json" id="${openingElementId}">(.*?)</script>`)

onEachEngine('the opening data of a page', (createDatabase) => {
  let app: TestApp
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
    await storeClient(database, 'oak-hills', { name: '</script><b>Oak' })
    await storeFeatures(database, [aParcel(), anIncident({ title: 'Smoke' })])
    app = await startTestApp(database, { pageDirectory: page.folder })
  })
  afterAll(() => app.close())

  const openingOf = async (url: string) => {
    const { body } = await app.get(url)
    const [, json] = element.exec(body) ?? []
    return json === undefined ? undefined : JSON.parse(json)
  }

  it.each([
    '/',
    '/map',
    '/map/',
    '/map/oak-hills',
    '/map/oak-hills/',
    '/webgl/oak-hills',
    '/webgl/no/such/screen',
    '/config/no-such-screen',
    '/no/such/screen',
    '/?tab=asset',
  ])('comes with %s: the same as in the API', async (url) => {
    expect(await openingOf(url)).toEqual({
      settings: await app.getJson('/api/settings'),
      map: {
        summary: await app.getJson('/api/maps/oak-hills'),
        configuration: await app.getJson('/api/maps/oak-hills/configuration'),
        list: url.includes('?')
          ? null
          : await app.getJson(`/api/maps/oak-hills/features?${listOf(url)}&limit=100`),
      },
    })
  })

  it('has no list for signed-in users, who may see more of it', async () => {
    const { body } = await app.get('/', await signIn(database, ['editor:oak-hills']))
    expect(JSON.parse(element.exec(body)?.[1] ?? '')).toMatchObject({ map: { list: null } })
  })

  it.each(['/map/no-such-map', '/webgl', '/map/Not%20an%20id'])(
    'has no map if it does not exist: %s',
    async (url) => {
      expect(await openingOf(url)).toEqual({ settings: await app.getJson('/api/settings'), map: null })
    },
  )

  it.each(['/config', '/config/', '/config/map/oak-hills/features'])('does not come with %s', async (url) => {
    expect(await openingOf(url)).toBeUndefined()
  })
})
