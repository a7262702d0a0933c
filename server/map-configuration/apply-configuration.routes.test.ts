import { expect, it } from 'vitest'
import {
  defaultMapConfiguration as byDefault,
  type ConfigurationVersion,
} from '#domain/map-configuration/map-configuration.schema.ts'
import { onEachEngine, onEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  anAsset,
  point,
  storeClient,
  storeConfiguration,
  storeFeatures,
  storeMap,
} from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'

const address = '/api/maps/oak-hills/configuration'
type Versions = { items: ConfigurationVersion[]; next: string | null }

function startWith(createDatabase: () => Promise<TestDatabase>) {
  return async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeClient(database, 'closed', { archived: true })
    await storeMap(database, 'sample')
    const app = await startTestApp(database)
    const manager = await signIn(database, ['manager:oak-hills', 'manager:closed', 'manager:nowhere'])
    type Options = { ifMatch?: string | undefined; headers?: Record<string, string>; url?: string }
    const send = (
      method: 'PUT' | 'POST' | 'DELETE',
      url: string,
      payload: unknown,
      { ifMatch, headers }: Options,
    ) =>
      app.send({
        method,
        url,
        headers: { ...(headers ?? manager), ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) },
        ...(payload === undefined ? {} : { payload: payload as object }),
      })
    const put = (payload: unknown, ifMatch: string | undefined, options: Options = {}) =>
      send('PUT', options.url ?? address, payload, { ...options, ifMatch })
    const restore = (version: unknown, ifMatch: string | undefined, options: Options = {}) =>
      send('POST', `${address}/restore`, { version }, { ...options, ifMatch })
    const remove = (ifMatch: string | undefined, options: Options = {}) =>
      send('DELETE', options.url ?? address, undefined, { ...options, ifMatch })
    const activities = async () =>
      (
        await database.read
          .selectFrom('activity')
          .select(['action', 'actor', 'details'])
          .orderBy('at')
          .execute()
      ).map(({ action, actor, details }) => ({ action, actor, details: JSON.parse(details) }))
    const versions = async (query = '') =>
      (await app.get(`${address}/versions${query}`, manager)).json() as Versions
    return { database, app, manager, put, restore, remove, activities, versions }
  }
}

onEachEngine('applying a configuration', (createDatabase) => {
  const start = startWith(createDatabase)

  it('creates a version that everyone sees, and records it', async () => {
    const { app, put, activities } = await start()
    await using _ = app
    expect((await app.get(address)).headers.etag).toBe('"0"')
    const first = await put(byDefault, '"0"')
    expect(first.json()).toEqual({
      mapId: 'oak-hills',
      isApplied: true,
      version: 1,
      configuration: byDefault,
    })
    expect(first.headers.etag).toBe('"1"')
    const changed = { ...byDefault, startZoom: 9, center: { lat: 35, lng: -111 } }
    expect((await put(changed, '"1"')).headers.etag).toBe('"2"')
    const answer = await app.get(address)
    expect(answer.json()).toEqual({ mapId: 'oak-hills', isApplied: true, version: 2, configuration: changed })
    expect(answer.headers.etag).toBe('"2"')
    expect(await activities()).toEqual([
      { action: 'configuration.applied', actor: 'Maya Ortiz', details: { version: 1, fields: [] } },
      {
        action: 'configuration.applied',
        actor: 'Maya Ortiz',
        details: { version: 2, fields: ['center', 'startZoom'] },
      },
    ])
  })

  it('changes nothing if it is already applied', async () => {
    const { put, app, activities } = await start()
    await using _ = app
    await put(byDefault, '"0"')
    const again = await put({ ...byDefault, mapTypes: ['street', 'satellite'] }, '"1"')
    expect(again.json()).toMatchObject({ version: 1, isApplied: true })
    expect(again.headers.etag).toBe('"1"')
    expectProblem(await put(byDefault, '"0"'), 412)
    expect(await activities()).toHaveLength(1)
  })

  it('succeeds once if sent 20 times at once from the same version', async () => {
    const { put, app, activities, versions } = await start()
    await using _ = app
    const zooms = Array.from({ length: 20 }, (_value, index) => index / 2 + 1)
    const answers = await Promise.all(zooms.map((startZoom) => put({ ...byDefault, startZoom }, '"0"')))
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, ...Array(19).fill(412)])
    for (const answer of answers.filter(({ statusCode }) => statusCode === 412))
      expect(expectProblem(answer, 412).detail).toMatch(/in the meantime/)
    expect((await versions()).items).toHaveLength(1)
    expect(await activities()).toHaveLength(1)
  })

  it('accepts the maximum of metadata names of any length, and stores them with its versions', async () => {
    const { app, put, restore, versions } = await start()
    await using _ = app
    const publicMetadata = Array.from({ length: 200 }, (_, at) => `${at} `.padEnd(200, '\u6c34'))
    expect((await put({ ...byDefault, publicMetadata }, '"0"')).json()).toMatchObject({
      configuration: { publicMetadata },
    })
    expect((await put({ ...byDefault, publicMetadata: [] }, '"1"')).statusCode).toBe(200)
    expect((await restore(1, '"2"')).json()).toMatchObject({ version: 3, configuration: { publicMetadata } })
    expect((await versions()).items.map((item) => item.configuration?.publicMetadata.length)).toEqual([
      200, 0, 200,
    ])
  })

  it('can restore an earlier version as a new one', async () => {
    const { app, put, restore, versions, activities } = await start()
    await using _ = app
    const other = { ...byDefault, mapTypes: ['street'] }
    await put(byDefault, '"0"')
    await put(other, '"1"')
    expectProblem(await restore(1, '"1"'), 412)
    expectProblem(await restore(1, undefined), 428)
    const restored = await restore(1, '"2"')
    expect(restored.json()).toMatchObject({ version: 3, configuration: byDefault })
    expect(restored.headers.etag).toBe('"3"')
    const appliedAt = expect.any(String)
    const common = { appliedAt, appliedBy: 'Maya Ortiz' }
    expect(await versions()).toEqual({
      items: [
        { ...common, version: 3, restoredFrom: 1, configuration: byDefault, previous: other },
        { ...common, version: 2, restoredFrom: null, configuration: other, previous: byDefault },
        { ...common, version: 1, restoredFrom: null, configuration: byDefault, previous: null },
      ],
      next: null,
    })
    expect((await activities()).at(-1)).toMatchObject({
      action: 'configuration.restored',
      details: { version: 3, fields: ['mapTypes'], restoredFrom: 1 },
    })
    for (const version of [9, 0, 2 ** 31, '1', 1.5]) {
      const { errors } = expectProblem(await restore(version, '"3"'), 400)
      expect(errors).toContainEqual({ in: 'body', name: 'version', message: expect.any(String) })
    }
    expectProblem(await restore(1, '"3"', { headers: {} }), 401)
  })

  it('creates versions that are listed page by page', async () => {
    const { app, database, versions, manager } = await start()
    await using _ = app
    for (let version = 1; version <= 5; version++)
      await storeConfiguration(database, 'oak-hills', version, { ...byDefault, startZoom: version })
    const whole = await versions()
    expect(whole.items.map((item) => item.version)).toEqual([5, 4, 3, 2, 1])
    const items: ConfigurationVersion[] = []
    for (let next: string | null = ''; next !== null; ) {
      const page: Versions = await versions(`?limit=2${next && `&after=${next}`}`)
      items.push(...page.items)
      next = page.next
    }
    expect(items).toEqual(whole.items)
    for (const after of ['nonsense', Buffer.from('["3000000000"]').toString('base64url')])
      expectProblem(await app.get(`${address}/versions?after=${after}`, manager), 400)
    expectProblem(await app.get('/api/maps/closed/configuration/versions', manager), 404)
  })

  it('can be removed, until one is applied or restored', async () => {
    const { app, put, remove, restore, versions, activities, database } = await start()
    await using _ = app
    await storeFeatures(database, [anAsset({ geometry: point(-95.88, 29.71) })])
    const applied = { ...byDefault, startZoom: 9 }
    await put(applied, '"0"')
    expectProblem(await remove(undefined), 428)
    expectProblem(await remove('"0"'), 412)
    const removed = await remove('"1"')
    const nothing = {
      mapId: 'oak-hills',
      isApplied: false,
      version: 2,
      configuration: {
        ...byDefault,
        center: { lat: 29.71, lng: -95.88 },
        startZoom: 16,
        showPersonalData: false,
      },
    }
    expect(removed.json()).toEqual(nothing)
    expect(removed.headers.etag).toBe('"2"')
    expect(await app.getJson(address)).toEqual(nothing)
    expect((await app.get(address)).headers.etag).toBe('"2"')

    expect((await remove('"2"')).json()).toEqual(nothing)
    expectProblem(await put(applied, '"1"'), 412)
    expectProblem(await remove('"1"'), 412)

    expect((await restore(1, '"2"')).json()).toMatchObject({
      version: 3,
      isApplied: true,
      configuration: applied,
    })
    expect((await restore(2, '"3"')).json()).toEqual({ ...nothing, version: 4 })
    expect((await put(applied, '"4"')).json()).toMatchObject({ version: 5, isApplied: true })
    const { items } = await versions()
    expect(
      items.map(({ previous, configuration }) => [previous?.startZoom, configuration?.startZoom]),
    ).toEqual([
      [undefined, 9],
      [9, undefined],
      [undefined, 9],
      [9, undefined],
      [undefined, 9],
    ])
    expect(items.map(({ restoredFrom }) => restoredFrom)).toEqual([null, 2, 1, null, null])
    expect((await activities()).map(({ action, details }) => [action, details.version])).toEqual([
      ['configuration.applied', 1],
      ['configuration.removed', 2],
      ['configuration.restored', 3],
      ['configuration.removed', 4],
      ['configuration.applied', 5],
    ])
  })
})

onEngine('sqlite', 'a request to apply a configuration', (createDatabase) => {
  const start = startWith(createDatabase)

  it('requires the version that it replaces', async () => {
    const { put, app, versions } = await start()
    await using _ = app
    await put(byDefault, '"0"')
    for (const [ifMatch, status] of [
      [undefined, 428],
      ['', 428],
      ['"0"', 412],
      ['"2"', 412],
      ['W/"1"', 412],
      ['"1x", "01"', 412],
      ['1', 400],
      ['"1', 400],
      ['"1" "1"', 400],
      ["'1'", 400],
      ['"0", "1"', 200],
      ['W/"1","2"', 200],
      ['*', 200],
    ] as const) {
      const { length } = (await versions()).items
      const answer = await put({ ...byDefault, startZoom: length + 1 }, ifMatch)
      if (status === 200) expect(answer.statusCode, ifMatch).toBe(200)
      else expectProblem(answer, status)
      expect((await versions()).items.length - length, ifMatch).toBe(status === 200 ? 1 : 0)
    }
  })

  it('refuses invalid values by name', async () => {
    const { put, app, activities } = await start()
    await using _ = app
    const bounds = { north: 35, south: 34, east: -110, west: -112 }
    const { mapBounds, ...withoutBounds } = byDefault
    for (const [name, payload] of [
      ['center.lat', { ...byDefault, center: { lat: 91, lng: 0 } }],
      ['center.lng', { ...byDefault, center: { lat: 1, lng: '0' } }],
      ['center', { ...byDefault, center: [34, -111] }],
      ['startZoom', { ...byDefault, startZoom: 19 }],
      ['startZoom', { ...byDefault, startZoom: null }],
      ['mapTypes', { ...byDefault, mapTypes: [] }],
      ['mapTypes', { ...byDefault, mapTypes: ['street', 'street'] }],
      ['mapTypes.1', { ...byDefault, mapTypes: ['street', 'moon'] }],
      ['defaultMapType', { ...byDefault, defaultMapType: 'hybrid' }],
      ['mapBounds.north', { ...byDefault, mapBounds: { ...bounds, north: 33 } }],
      ['mapBounds.east', { ...byDefault, mapBounds: { ...bounds, east: -113 } }],
      ['mapBounds.west', { ...byDefault, mapBounds: { ...bounds, west: -181 } }],
      ['showPersonalData', { ...byDefault, showPersonalData: 'no' }],
      ['publicMetadata', { ...byDefault, publicMetadata: ['notes', 'notes'] }],
      ['publicMetadata', { ...byDefault, publicMetadata: Array.from({ length: 201 }, (_, at) => `c${at}`) }],
      ['publicMetadata.0', { ...byDefault, publicMetadata: ['x'.repeat(201)] }],
      ['publicMetadata.1', { ...byDefault, publicMetadata: ['notes', 7] }],
      ['drawingTools.0', { ...byDefault, drawingTools: ['laser'] }],
      ['colour', { ...byDefault, colour: 'red' }],
      ['mapBounds', withoutBounds],
    ] as const) {
      const { errors } = expectProblem(await put(payload, '"0"'), 400)
      expect(errors).toContainEqual({ in: 'body', name, message: expect.stringMatching(/\S/) })
    }
    expectProblem(await put({ ...byDefault, colour: 'x'.repeat(140_000) }, '"0"'), 413)
    expect(await activities()).toEqual([])
  })

  it('is for managers of an open map', async () => {
    const { app, put, database } = await start()
    await using _ = app
    expectProblem(await put(byDefault, '"0"', { headers: { 'sec-fetch-site': 'same-origin' } }), 401)
    const editor = await signIn(database, ['editor:oak-hills', 'manager:elm-park'])
    expectProblem(await put(byDefault, '"0"', { headers: editor }), 403)
    for (const mapId of ['closed', 'nowhere'])
      expectProblem(await put(byDefault, '"0"', { url: `/api/maps/${mapId}/configuration` }), 404)
  })

  it('is for administrators on the map without a client', async () => {
    const { app, put, database } = await start()
    await using _ = app
    const url = '/api/maps/sample/configuration'
    expectProblem(await put(byDefault, '"0"', { url }), 403)
    const answer = await put(byDefault, '"0"', { url, headers: await signIn(database) })
    expect(answer.json()).toMatchObject({ mapId: 'sample', version: 1 })
  })

  it('can be removed by managers of an open map only', async () => {
    const { app, put, remove, database, activities } = await start()
    await using _ = app
    await put(byDefault, '"0"')
    expectProblem(await remove('"1"', { headers: { 'sec-fetch-site': 'same-origin' } }), 401)
    const editor = await signIn(database, ['editor:oak-hills', 'manager:elm-park'])
    expectProblem(await remove('"1"', { headers: editor }), 403)
    for (const mapId of ['closed', 'nowhere'])
      expectProblem(await remove('*', { url: `/api/maps/${mapId}/configuration` }), 404)
    expect(await app.getJson(address)).toMatchObject({ version: 1, isApplied: true })
    expect(await activities()).toHaveLength(1)
  })

  it('cannot be removed if none is applied', async () => {
    const { app, remove, versions, activities } = await start()
    await using _ = app
    expect((await remove('"0"')).json()).toMatchObject({ version: 0, isApplied: false })
    expect((await versions()).items).toEqual([])
    expect(await activities()).toEqual([])
  })

  it.each(['{"center": {"lat": "north"}}', 'no JSON', '{"startZoom": 99}', '[null]'])(
    'replaces an unreadable configuration, which shows no personal data: %s',
    async (stored) => {
      const { app, database, put, restore, remove, versions } = await start()
      await using _ = app
      const row = { map_id: 'oak-hills', version: 4, configuration: stored, applied_at: 1, applied_by: null }
      await database.write((transaction) =>
        transaction.insertInto('map_configurations').values(row).execute(),
      )
      const configuration = { ...byDefault, showPersonalData: false }
      expect(await app.getJson(address)).toEqual({
        mapId: 'oak-hills',
        isApplied: false,
        version: 4,
        configuration,
      })
      expect((await versions()).items).toMatchObject([{ version: 4, configuration }])
      expectProblem(await restore(4, '"4"'), 400)
      expect((await remove('"4"')).json()).toMatchObject({ version: 5, isApplied: false })
      expect((await put(configuration, '"5"')).json()).toMatchObject({ version: 6, isApplied: true })
    },
  )
})
