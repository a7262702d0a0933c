import { expect, it } from 'vitest'
import type { Client, MapSummary } from '#domain/clients/client.schema.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import {
  aParcel,
  storeChange,
  storeClient,
  storeFeatures,
  storeMap,
} from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'
import { noAttention } from './attention.queries.ts'

onEachEngine('changing clients', (createDatabase, { engine }) => {
  async function start() {
    const database = await createDatabase()
    const app = await startTestApp(database)
    const administrator = await signIn(database)
    const add = (payload: unknown, key?: string, headers: Record<string, string> = administrator) =>
      app.send({
        method: 'POST',
        url: '/api/clients',
        headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
        payload: payload as object,
      })
    const change = (
      id: string,
      payload: unknown,
      ifMatch?: string,
      headers: Record<string, string> = administrator,
    ) =>
      app.send({
        method: 'PATCH',
        url: `/api/clients/${id}`,
        headers: { ...headers, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) },
        payload: payload as object,
      })
    const post = (path: string, headers: Record<string, string> = administrator) =>
      app.send({ method: 'POST', url: `/api/clients/${path}`, headers })
    const idsOf = async (query: string, headers: Record<string, string> = administrator) =>
      ((await app.get(`/api/clients?${query}`, headers)).json().items as Client[]).map(({ id }) => id)
    const activities = async () =>
      (
        await database.read
          .selectFrom('activity')
          .select(['map_id', 'action', 'details', 'actor', 'actor_id'])
          .orderBy('at')
          .orderBy('action')
          .execute()
      ).map(({ details, ...row }) => ({ ...row, details: JSON.parse(details) }))
    return { database, app, administrator, add, change, post, idsOf, activities }
  }
  const byMaya = { actor: 'Maya Ortiz', actor_id: 'maya' }

  it('adds a client with its map', async () => {
    const { app, add, activities } = await start()
    await using _ = app
    const added = await add({ name: 'Élan Ridge', location: 'Payson' })
    expect(added.statusCode, added.body).toBe(201)
    expect(added.headers).toMatchObject({ location: '/api/clients/elan-ridge', etag: '"1"' })
    expect(added.json()).toEqual({
      id: 'elan-ridge',
      name: 'Élan Ridge',
      location: 'Payson',
      properties: 0,
      lastUpdated: expect.any(String),
      thumbnail: null,
      archivedAt: null,
      timeZone: null,
      version: 1,
      attention: noAttention(),
    })
    expect(await app.getJson('/api/clients/elan-ridge')).toEqual(added.json())
    expect(await app.getJson('/api/maps/elan-ridge')).toMatchObject({ counts: { parcel: 0 }, extent: null })
    const details = { name: 'Élan Ridge', location: 'Payson' }
    expect(await activities()).toEqual([{ map_id: 'elan-ridge', action: 'client.added', details, ...byMaya }])
  })

  it('gives each client its own id', async () => {
    const { app, database, add } = await start()
    await using _ = app
    await storeClient(database, 'oak-hills', { archived: true })
    await storeMap(database, 'oak-hills-3')
    const idFor = async (name: string) => (await add({ name, location: '' })).json().id
    expect([await idFor('Oak Hills'), await idFor('oak hills!')]).toEqual(['oak-hills-2', 'oak-hills-4'])
    expect([await idFor('Sample'), await idFor('東京'), await idFor('大阪')]).toEqual([
      'sample-2',
      'client',
      'client-2',
    ])
    const long = 'x'.repeat(200)
    expect([await idFor(long), await idFor(long)]).toEqual(['x'.repeat(80), `${'x'.repeat(78)}-2`])
    const answers = await Promise.all(Array.from({ length: 8 }, () => add({ name: 'Twin', location: '' })))
    expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(8)
  })

  it('adds one client for 20 concurrent requests with one key', async () => {
    const { app, add, activities, database } = await start()
    await using _ = app
    const fields = { name: 'Oak Hills', location: 'Payson' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => add(fields, 'key-of-mine')))
    for (const answer of answers) {
      expect(answer.statusCode, answer.body).toBe(201)
      expect(answer.body).toBe(answers[0]?.body)
      expect(answer.headers).toMatchObject({ location: '/api/clients/oak-hills', etag: '"1"' })
    }
    expect(await activities()).toHaveLength(1)
    expectProblem(await add({ ...fields, location: 'Utah' }, 'key-of-mine'), 422)
    const other = await signIn(database, 'administrator', { id: 'rosa' })
    expect((await add(fields, 'key-of-mine', other)).json().id).toBe('oak-hills-2')
    const aDay = 86_400_000
    const created_at = Date.now() - aDay - 1
    await database.write((transaction) =>
      transaction.updateTable('idempotency_keys').set({ created_at }).execute(),
    )
    expect((await add(fields, 'key-of-mine')).json().id).toBe('oak-hills-3')
    expect(await database.read.selectFrom('idempotency_keys').selectAll().execute()).toHaveLength(1)
  })

  it('changes name and location for managers', async () => {
    const { app, database, change, idsOf, activities } = await start()
    await using _ = app
    await storeClient(database, 'oak-hills')
    await storeClient(database, 'closed', { archived: true })
    const manager = await signIn(database, ['manager:oak-hills', 'manager:closed'])
    expect((await app.get('/api/clients/oak-hills')).headers.etag).toBe('"1"')
    expectProblem(await change('oak-hills', { name: 'Zz' }, undefined, manager), 428)
    expectProblem(await change('oak-hills', { name: 'Zz' }, '"2"', manager), 412)
    const changed = await change('oak-hills', { name: 'Élan' }, '"1"', manager)
    expect(changed.json()).toMatchObject({ name: 'Élan', location: 'Payson, Arizona', version: 2 })
    expect(changed.headers.etag).toBe('"2"')
    expect(await idsOf('text=elan')).toEqual(['oak-hills'])
    expect(await idsOf('text=oak')).toEqual([])
    const same = await change('oak-hills', { name: 'Élan', location: 'Payson, Arizona' }, '"2"', manager)
    expect(same.json().version).toBe(2)
    expect((await change('oak-hills', {}, '"2"', manager)).json().version).toBe(2)
    const before = { name: 'Oak Hills', location: 'Payson, Arizona', timeZone: null }
    const details = { before, after: { ...before, name: 'Élan' } }
    expect(await activities()).toEqual([
      { map_id: 'oak-hills', action: 'client.changed', details, ...byMaya },
    ])
    for (const id of ['closed', 'nobody']) expectProblem(await change(id, { name: 'x' }, '"1"'), 404)
    expectProblem(await change('oak-hills', { name: '' }, '"2"'), 400)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_value, index) => change('oak-hills', { name: `n${index}` }, '"2"')),
    )
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, ...Array(19).fill(412)])
  })

  it('sets the time zone of the dates of a map', async () => {
    const { app, database, change } = await start()
    await using _ = app
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [aParcel()])
    const zone = async () => (await app.getJson<MapSummary>('/api/maps/oak-hills')).timeZone
    expect(await zone()).toBe('America/Phoenix')
    const changed = await change('oak-hills', { timeZone: 'Asia/Kolkata' }, '"1"')
    expect(changed.json()).toMatchObject({ timeZone: 'Asia/Kolkata', name: 'Oak Hills', version: 2 })
    expect(await zone()).toBe('Asia/Kolkata')
    for (const timeZone of ['Phoenix', '', '+05:00', 'Z'.repeat(100), 5])
      expectProblem(await change('oak-hills', { timeZone }, '"2"'), 400)
    expect((await change('oak-hills', { timeZone: null }, '"2"')).json().timeZone).toBeNull()
    expect(await zone()).toBe('America/Phoenix')
  })

  it('archives and restores once each', async () => {
    const { app, database, post, idsOf, activities } = await start()
    await using _ = app
    await storeClient(database, 'oak-hills')
    await storeChange(database, 'oak-hills', [aParcel({ id: 'lot' })])
    const tile = '/api/maps/oak-hills/tiles/0/0/0.mvt'
    const open = [
      '/api/clients/oak-hills',
      '/api/maps/oak-hills',
      '/api/maps/oak-hills/features',
      '/api/maps/oak-hills/features/lot',
      '/api/maps/oak-hills/features/lot/position',
      '/api/maps/oak-hills/configuration',
      '/api/maps/oak-hills/tiles.json',
      tile,
    ]
    for (const path of open) expect((await app.get(path)).statusCode, path).toBe(200)
    const { etag } = (await app.get(tile)).headers

    for (const _time of [1, 2])
      expect((await post('oak-hills/archive')).json()).toMatchObject({
        archivedAt: expect.any(String),
        version: 2,
        properties: 1,
      })
    for (const path of [...open, '/api/events?map=oak-hills']) expectProblem(await app.get(path), 404)
    expectProblem(await app.get(tile, { 'if-none-match': String(etag) }), 404)
    expect([await idsOf(''), await idsOf('state=archived'), await idsOf('state=archived&text=zz')]).toEqual([
      [],
      ['oak-hills'],
      [],
    ])
    for (const _time of [1, 2])
      expect((await post('oak-hills/restore')).json()).toMatchObject({ archivedAt: null, version: 3 })
    for (const path of open) expect((await app.get(path)).statusCode, path).toBe(200)
    expect((await activities()).map(({ action }) => action)).toEqual([
      'features.imported',
      'client.archived',
      'client.restored',
    ])
    for (const path of ['nobody/archive', 'nobody/restore']) expectProblem(await post(path), 404)
    expectProblem(await post('oak-hills/archive', await signIn(database, ['manager:oak-hills'])), 403)
  })

  it('lists each user’s own clients', async () => {
    const { app, database, idsOf, administrator } = await start()
    await using _ = app
    for (const [id, location] of [
      ['a', 'Hills'],
      ['b', 'Oak'],
      ['c', 'Elsewhere'],
    ] as const)
      await storeClient(database, id, { name: `Oak ${id}`, location })
    await storeClient(database, 'd', { archived: true })
    const staff = await signIn(database, [
      'editor:b',
      'manager:a',
      'editor:d',
      'editor:nobody',
      'editor:\u0000',
    ])
    expect(await idsOf('mine=true', staff)).toEqual(['a', 'b'])
    expect(await idsOf('mine=true&limit=1', staff)).toEqual(['a'])
    expect(await idsOf('mine=true', await signIn(database, []))).toEqual([])
    expect(await idsOf('mine=true', administrator)).toEqual(['a', 'b', 'c'])
    expect(await idsOf('mine=false', staff)).toEqual(['a', 'b', 'c'])
    // A match must not span name and location.
    expect(await idsOf('text=a%20hills')).toEqual([])
    expect(await idsOf('text=HILLS')).toEqual(['a'])
    for (const query of ['state=closed', 'mine=yes'])
      expectProblem(await app.get(`/api/clients?${query}`, administrator), 400)
  })

  if (engine === 'postgres') return

  it('rejects invalid clients and keys', async () => {
    const { app, add, activities } = await start()
    await using _ = app
    for (const [name, payload] of [
      ['name', { name: ' ', location: '' }],
      ['name', { name: 'x'.repeat(201), location: '' }],
      ['name', { name: 'a\u0000', location: '' }],
      ['name', { location: '' }],
      ['location', { name: 'a', location: 7 }],
      ['id', { name: 'a', location: '', id: 'mine' }],
    ] as const) {
      const { errors } = expectProblem(await add(payload), 400)
      expect(errors).toContainEqual({ in: 'body', name, message: expect.any(String) })
    }
    for (const key of ['short', 'x'.repeat(201), 'with a blank', 'é'.repeat(9)]) {
      const { errors } = expectProblem(await add({ name: 'a', location: '' }, key), 400)
      expect(errors).toContainEqual({ in: 'header', name: 'idempotency-key', message: expect.any(String) })
    }
    expectProblem(await add({ name: 'a', location: 'x'.repeat(9_000) }), 413)
    expect(await activities()).toEqual([])
  })
})
