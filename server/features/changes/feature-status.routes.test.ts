import { expect, it } from 'vitest'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import {
  aGeneralFeature,
  anAsset,
  anIncident,
  aParcel,
  point,
  storeClient,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { decodeTile } from '#test/server/decode-tile.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'

const features: NewFeature[] = [
  anIncident({
    id: 'fire',
    title: 'Smoke',
    reportedBy: 'Rosa Whitfield',
    parcelId: 'lot',
    geometry: point(-111, 34),
  }),
  anIncident({ id: 'done', resolved: true, resolvedDate: '2026-05-21T00:00:00.000Z' }),
  anAsset({ id: 'tank' }),
  aParcel({ id: 'lot' }),
  aGeneralFeature({ id: 'general', featureType: 'incident' }),
  aGeneralFeature({ id: 'plot', featureType: 'parcel' }),
]

onEachEngine('the status of a feature', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeClient(database, 'closed', { archived: true })
    await storeFeatures(database, features)
    await storeFeatures(database, [anAsset({ id: 'tank', mapId: 'closed' })])
    const app = await startTestApp(database)
    const editor = await signIn(database, ['editor:oak-hills', 'editor:closed'])
    type Options = { headers?: Record<string, string>; mapId?: string }
    const put = (id: string, status: unknown, ifMatch: string | undefined, options: Options = {}) =>
      app.send({
        method: 'PUT',
        url: `/api/maps/${options.mapId ?? 'oak-hills'}/features/${id}/status`,
        headers: {
          ...(options.headers ?? editor),
          ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        },
        payload: { status },
      })
    const activities = async () =>
      (await database.read.selectFrom('activity').selectAll().orderBy('at').execute()).map(
        ({ id, at, details, ...row }) => {
          const { changeId, ...otherDetails } = JSON.parse(details)
          expect(changeId).toBeTypeOf('string')
          return { ...row, details: otherDetails }
        },
      )
    return { database, app, editor, put, activities }
  }

  it('of an incident is resolved and reopened', async () => {
    const { app, editor, put, activities } = await start()
    const before = Date.now()
    const resolved = await put('fire', 'resolved', '"1"')
    expect(resolved.headers.etag).toBe('"2"')
    const { resolvedDate, updatedAt, ...incident } = resolved.json()
    expect(Date.parse(resolvedDate)).toBeGreaterThanOrEqual(before)
    expect(updatedAt).toBe(resolvedDate)
    expect(incident).toMatchObject({
      resolved: true,
      version: 2,
      reportedBy: 'Rosa Whitfield',
      parcelId: 'lot',
    })
    const seen = await app.get('/api/maps/oak-hills/features/fire', editor)
    expect(seen.json()).toEqual(resolved.json())
    expect(seen.headers.etag).toBe('"2"')
    const reopened = await put('fire', 'unresolved', '"2"')
    expect(reopened.json()).toMatchObject({ resolved: false, resolvedDate: null, version: 3 })
    const place = { west: -111, east: -111, south: 34, north: 34 }
    const by = { actor: 'Maya Ortiz', actor_id: 'maya', token_id: null }
    const of = { map_id: 'oak-hills', subject: 'fire', ...by, ...place }
    const name = 'Smoke'
    expect(await activities()).toEqual([
      { ...of, action: 'incident.resolved', details: { name, before: 'unresolved', after: 'resolved' } },
      { ...of, action: 'incident.reopened', details: { name, before: 'resolved', after: 'unresolved' } },
    ])
  })

  it('of assets and general features is set and recorded', async () => {
    const { put, activities } = await start()
    expect((await put('tank', 'offline', '"1"')).json()).toMatchObject({ status: 'offline', version: 2 })
    for (const id of ['general', 'plot'])
      expect((await put(id, 'maintenance', '"1"')).json()).toMatchObject({
        kind: 'feature',
        status: 'maintenance',
      })
    expect((await activities()).map(({ action, subject }) => [action, subject])).toEqual([
      ['asset.status-changed', 'tank'],
      ['asset.status-changed', 'general'],
      ['asset.status-changed', 'plot'],
    ])
  })

  it('changes nothing if it is already set', async () => {
    const { put, activities } = await start()
    const same = await put('done', 'resolved', '"1"')
    expect(same.json()).toMatchObject({ resolvedDate: '2026-05-21T00:00:00.000Z', version: 1 })
    expect(same.headers.etag).toBe('"1"')
    expectProblem(await put('tank', 'operational', '"2"'), 412)
    expect(await activities()).toEqual([])
  })

  it('is set once by 20 requests at once from the same version', async () => {
    const { put, activities } = await start()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_value, index) =>
        put('tank', index % 2 === 0 ? 'offline' : 'maintenance', '"1"'),
      ),
    )
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, ...Array(19).fill(412)])
    expect(await activities()).toHaveLength(1)
  })

  it('shows on the tiles immediately, in every process', async () => {
    const { app, put } = await start()
    const address = '/api/maps/oak-hills/tiles/10/196/409.mvt'
    const statusOnTile = async () => {
      const found = decodeTile((await app.get(address)).rawPayload)
      return found.find(({ layer, tags }) => layer === 'incidents' && tags.id === 'fire')?.tags.status
    }
    const shown = await statusOnTile()
    await put('fire', 'resolved', '"1"')
    await app.changes.poll()
    expect([shown, await statusOnTile()]).toEqual(['unresolved', 'resolved'])
  })

  it('is refused if the kind does not have it', async () => {
    const { put, activities } = await start()
    for (const [id, status] of [
      ['fire', 'offline'],
      ['tank', 'resolved'],
      ['general', 'unresolved'],
      ['plot', 'resolved'],
      ['lot', 'operational'],
      ['tank', 'broken'],
      ['tank', null],
    ]) {
      const { errors } = expectProblem(await put(String(id), status, '"1"'), 400)
      expect(errors).toContainEqual({ in: 'body', name: 'status', message: expect.stringMatching(/\S/) })
    }
    for (const [ifMatch, status] of [
      [undefined, 428],
      ['1', 400],
      ['"7"', 412],
    ] as const)
      expectProblem(await put('tank', 'offline', ifMatch), status)
    expectProblem(await put('tank', 'x'.repeat(2_000), '"1"'), 413)
    expect(await activities()).toEqual([])
  })

  it('is set by staff of the map only', async () => {
    const { put, database } = await start()
    expectProblem(await put('tank', 'offline', '"1"', { headers: { 'sec-fetch-site': 'same-origin' } }), 401)
    const stranger = await signIn(database, ['manager:elm-park'])
    expectProblem(await put('tank', 'offline', '"1"', { headers: stranger }), 403)
    expectProblem(await put('nobody', 'offline', '"1"'), 404)
    expectProblem(await put('tank', 'offline', '"1"', { mapId: 'closed' }), 404)
    const nowhere = { mapId: 'nowhere', headers: await signIn(database) }
    expectProblem(await put('tank', 'offline', '"1"', nowhere), 404)
  })
})
