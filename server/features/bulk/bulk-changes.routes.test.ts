import { expect, it, onTestFinished } from 'vitest'
import type { BulkChange, BulkPreview } from '#domain/features/bulk-change.schema.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  anAsset,
  anIncident,
  aParcel,
  point,
  square,
  storeClient,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { makeToken } from '#test/server/api-tokens.ts'
import { expectExactRanks } from '#test/server/expect-exact-ranks.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'
import { ownJobKinds } from '../../job-kinds.ts'
import { startJobRunner } from '../../jobs/job-runner.ts'
import { toNewFeature } from '../rows/feature-row.ts'

const few: NewFeature[] = [
  aParcel({ id: 'lot', name: 'Lot 7', owner: 'Ann Zabriskie', geometry: square(-111.1, 34.04, 0.01) }),
  anAsset({ id: 'tank', name: 'Tank', status: 'operational' }),
  anAsset({ id: 'pump', name: 'Pump', status: 'offline', type: 'road' }),
  anAsset({ id: 'mast', name: 'Mast', status: 'maintenance' }),
  anIncident({ id: 'fire', title: 'Smoke' }),
]

const many = (count: number): NewFeature[] =>
  Array.from({ length: count }, (_, index) =>
    anAsset({ id: `hydrant-${index}`, name: `Hydrant ${index}`, geometry: point(-111 + index / 1_000, 34) }),
  )

const base = '/api/maps/oak-hills'

onEachEngine('bulk changes', (createDatabase) => {
  async function start(features = few) {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, features)
    const app = await startTestApp(database)
    const errors: unknown[] = []
    const jobs = startJobRunner(database, ownJobKinds, {
      onError: (error) => errors.push(error),
      pollMs: null,
    })
    onTestFinished(() => jobs.close())
    onTestFinished(() => expect(errors).toEqual([]))
    const editor = await signIn(database, ['editor:oak-hills'])
    const ask = (method: 'GET' | 'POST' | 'PATCH', url: string, body?: object, as = editor) =>
      app.send({
        method,
        url: base + url,
        headers: { ...as, 'if-match': '*' },
        ...(body ? { payload: body } : {}),
      })
    const good = async <Answer>(method: 'GET' | 'POST' | 'PATCH', url: string, body?: object) => {
      const answer = await ask(method, url, body)
      expect(answer.statusCode, answer.body).toBe(200)
      return answer.json<Answer>()
    }
    const change = (body: object) => good<BulkChange>('POST', '/bulk-changes', body)
    const preview = (body: object) => good<BulkPreview>('POST', '/bulk-changes/preview', body)
    const undo = (id: string, by: string) => good<BulkChange>('POST', `/bulk-changes/${id}/undo`, { id: by })
    const activities = async () => (await good<{ items: ActivityItem[] }>('GET', '/activity')).items
    return { database, app, jobs, ask, good, change, preview, undo, activities }
  }
  type ActivityItem = { action: string; details: Record<string, unknown> }
  const all = async ({ read }: TestDatabase) => {
    const rows = await read.selectFrom('features').selectAll().orderBy('id').execute()
    return new Map(rows.map((row) => [row.id, toNewFeature(row)]))
  }
  const toMaintenance = { kind: 'change', patch: { status: 'maintenance' } }

  it('made with a token are signed with it, in the history too, although a job makes them', async () => {
    const { database, app, jobs, activities, ask } = await start()
    const { id: tokenId, bearer } = await makeToken(database)
    const body = { ...toMaintenance, id: 'by-token', filter: { kind: 'asset' } }
    const answer = await app.send({
      method: 'POST',
      url: `${base}/bulk-changes`,
      headers: bearer,
      payload: body,
    })
    expect(answer.statusCode, answer.body).toBe(200)
    await jobs.work()
    const signed = { actor: 'Maya Ortiz, by token "County sync"', tokenId }
    expect((await activities())[0]).toMatchObject({ action: 'features.bulk-changed', ...signed })
    expect((await ask('GET', '/features/tank/history')).json().items[0]).toMatchObject(signed)
  })

  it('are previewed with their changes, unchanged and impossible features, and common values', async () => {
    const { database, preview, activities } = await start()
    const before = await all(database)
    const assets = await preview({ ...toMaintenance, filter: { kind: 'asset' } })
    expect(assets).toMatchObject({ total: 3, kinds: { asset: 3 }, changing: 2, same: 1, left: 0 })
    expect(assets.sample).toContainEqual({
      id: 'tank',
      kind: 'asset',
      name: 'Tank',
      changes: [{ field: 'status', before: 'operational', after: 'maintenance' }],
    })
    expect(assets.fields.status).toEqual({ different: 3, value: null })
    expect(assets.fields.installDate).toEqual({ different: 1, value: '2019-04-01' })
    const every = await preview({ ...toMaintenance, filter: {} })
    expect(every).toMatchObject({
      total: 5,
      kinds: { asset: 3, parcel: 1, incident: 1 },
      changing: 2,
      same: 1,
      left: 2,
      leftFeatures: expect.arrayContaining([
        { id: 'lot', name: 'Lot 7', reason: 'status is not a field of a parcel' },
      ]),
    })
    expect(Object.keys(every.fields)).toEqual(['description'])
    const parcels = await preview({
      kind: 'change',
      patch: { zoning: { type: 'R-2' } },
      filter: { kind: 'parcel' },
    })
    expect(parcels.fields).toMatchObject({ 'zoning.type': { different: 1 }, owner: { different: 1 } })
    const removal = await preview({ kind: 'remove', filter: { text: 'zabriskie' } })
    expect(removal).toMatchObject({ total: 1, changing: 1, sample: [{ id: 'lot', name: 'Lot 7' }] })
    expect(await all(database)).toEqual(before)
    expect(await activities()).toEqual([])
  })

  it('are previewed over a real connection', async () => {
    const { database, app } = await start(many(1_200))
    const address = await app.app.listen({ port: 0, host: '127.0.0.1' })
    const answer = await fetch(`${address}${base}/bulk-changes/preview`, {
      method: 'POST',
      headers: { ...(await signIn(database)), 'content-type': 'application/json' },
      body: JSON.stringify({ ...toMaintenance, filter: { kind: 'asset' } }),
    })
    expect(await answer.json()).toMatchObject({ total: 1_200, changing: 1_200 })
  })

  it('change the selected features in one change with one activity, and can be undone', async () => {
    const { database, change, undo, good, activities } = await start()
    const before = await all(database)
    const body = { id: 'bulk-1', ...toMaintenance, filter: { kind: 'asset' }, except: ['pump'], count: 2 }
    const done = await change(body)
    expect(done).toMatchObject({ state: 'done', total: 2, changed: 1, same: 1, left: 0, leftFeatures: [] })
    expect(await change(body)).toEqual(done)
    const after = await all(database)
    expect(after.get('tank')).toEqual({ ...before.get('tank'), status: 'maintenance' })
    expect(after.get('pump')).toEqual(before.get('pump'))
    expect((await activities()).map(({ action, details }) => [action, details])).toEqual([
      [
        'features.bulk-changed',
        {
          changeId: 'bulk-1',
          action: 'change',
          kinds: { asset: 2 },
          fields: ['status'],
          status: 'maintenance',
          count: 1,
          total: 2,
          left: 0,
          state: 'done',
        },
      ],
    ])
    const { items } = await good<{ items: object[] }>('GET', '/features/tank/history')
    expect(items).toMatchObject([{ changeId: 'bulk-1', action: 'changed', isUndoable: false }])
    expect(await undo('bulk-1', 'undo-1')).toMatchObject({ action: 'undo', undoes: 'bulk-1', changed: 1 })
    expect(await all(database)).toEqual(before)
    expect((await activities())[0]?.details).toMatchObject({ action: 'undo', undoes: 'bulk-1', count: 1 })
    expect(await undo('bulk-1', 'undo-2')).toMatchObject({ state: 'done', changed: 0, left: 1 })
    await undo('undo-1', 'redo-1')
    expect(await all(database)).toEqual(after)
  })

  it('remove features, and restore them when undone', async () => {
    const { database, change, undo, good } = await start()
    const before = await all(database)
    await change({ id: 'bulk-1', kind: 'remove', ids: ['tank', 'lot', 'fire', 'nothing'] })
    expect([...(await all(database)).keys()]).toEqual(['mast', 'pump'])
    await expectExactRanks(database, 'oak-hills')
    expect((await good<{ items: object[] }>('GET', '/removed-features')).items).toHaveLength(3)
    expect(await undo('bulk-1', 'undo-1')).toMatchObject({ changed: 3, left: 0 })
    expect(await all(database)).toEqual(before)
    await expectExactRanks(database, 'oak-hills')
  })

  it('report whether undoing them would change anything', async () => {
    const { ask, good, change, undo } = await start()
    const canUndo = async (id: string) => (await good<BulkChange>('GET', `/bulk-changes/${id}`)).canUndo
    const { changed, canUndo: isOffered } = await change({ id: 'bulk-1', ...toMaintenance, filter: {} })
    expect([changed, isOffered]).toEqual([2, true])
    await good('PATCH', '/features/mast', { name: 'Tall mast' })
    expect(await canUndo('bulk-1')).toBe(true)
    await undo('bulk-1', 'undo-1')
    expect([await canUndo('bulk-1'), await canUndo('undo-1')]).toEqual([false, true])

    await change({ id: 'bulk-2', kind: 'remove', ids: ['tank'] })
    expect(await canUndo('bulk-2')).toBe(true)
    expect((await ask('POST', '/removed-features/tank/put-back', {})).statusCode).toBe(200)
    expect(await canUndo('bulk-2')).toBe(false)
    await change({ id: 'bulk-3', kind: 'remove', ids: ['tank'] })
    expect([await canUndo('bulk-2'), await canUndo('bulk-3')]).toEqual([false, true])
  })

  it('without effect can be undone without effect', async () => {
    const { good, change, undo, activities } = await start()
    await change({ id: 'bulk-1', ...toMaintenance, ids: ['mast'] })
    const before = await activities()
    await change({ id: 'bulk-2', ...toMaintenance, ids: ['mast'] })
    for (const [id, by] of [
      ['bulk-2', 'undo-2'],
      ['bulk-2', 'undo-2'],
      ['undo-2', 'redo-2'],
    ] as const) {
      const nothing = { state: 'done', kinds: { asset: 0 }, total: 0, changed: 0, left: 0, canUndo: false }
      expect(await undo(id, by)).toMatchObject(nothing)
      expect(await good('GET', `/bulk-changes/${by}`)).toMatchObject(nothing)
    }
    expect(await activities()).toEqual(before)
  })

  it('of many features continue in the background, with the features selected at the start', async () => {
    const { database, jobs, ask, good, change, undo, activities } = await start(many(1_101))
    const before = await all(database)
    const begun = await change({ id: 'bulk-1', ...toMaintenance, filter: {} })
    expect(begun).toMatchObject({ state: 'running', total: 1_101, changed: 0, finishedAt: null })
    expectProblem(await ask('POST', '/bulk-changes/bulk-1/undo', { id: 'early' }), 409)
    await storeFeatures(database, [anAsset({ id: 'late', status: 'operational' })])
    await good('PATCH', '/features/hydrant-3', { description: 'By the gate' })
    await good('PATCH', '/features/hydrant-4', { status: 'offline' })
    await good('POST', '/features/changes', {
      id: 'one',
      items: [{ action: 'remove', id: 'hydrant-5', version: 1 }],
    })
    await jobs.work()
    const done = await good<BulkChange>('GET', '/bulk-changes/bulk-1')
    expect(done).toMatchObject({ state: 'done', changed: 1_099, same: 0, left: 2 })
    expect(done.leftFeatures).toEqual([
      { id: 'hydrant-4', name: 'Hydrant 4', reason: 'was changed in the meantime' },
      { id: 'hydrant-5', name: 'Hydrant 5', reason: 'was removed in the meantime' },
    ])
    const after = await all(database)
    expect(after.get('late')).toMatchObject({ status: 'operational' })
    expect(after.get('hydrant-3')).toMatchObject({ status: 'maintenance', description: 'By the gate' })
    expect(after.get('hydrant-4')).toMatchObject({ status: 'offline' })
    const recorded = await database.read.selectFrom('activity').select(['action', 'west']).execute()
    const parts = recorded.filter(({ action }) => action === 'features.bulk-changing')
    expect(parts).toHaveLength(2)
    expect(parts.every(({ west }) => west !== null)).toBe(true)
    const bulk = (await activities()).filter(({ action }) => action.startsWith('features.bulk'))
    expect(bulk).toMatchObject([{ action: 'features.bulk-changed', details: { count: 1_099, left: 2 } }])

    await undo('bulk-1', 'undo-1')
    await good('PATCH', '/features/hydrant-7', { status: 'offline' })
    await jobs.work()
    expect(await good('GET', '/bulk-changes/undo-1')).toMatchObject({
      state: 'done',
      changed: 1_098,
      left: 1,
    })
    const back = await all(database)
    expect(back.get('hydrant-7')).toMatchObject({ status: 'offline' })
    for (const [id, feature] of before)
      if (!['hydrant-3', 'hydrant-4', 'hydrant-5', 'hydrant-7'].includes(id))
        expect(back.get(id), id).toEqual(feature)
    expect(await database.read.selectFrom('jobs').selectAll().execute()).toEqual([])
  }, 60_000)

  it('that are canceled keep their changes, record them, and can be undone', async () => {
    const { database, ask, good, change, undo, activities, jobs } = await start(many(1_001))
    await change({ id: 'bulk-1', ...toMaintenance, filter: {} })
    const [kind] = ownJobKinds
    const payload = { id: 'bulk-1' }
    const task = { database, mapId: 'oak-hills', payload, noteProgress: async () => {} }
    expect(await kind?.step(task as never)).toBe('more')
    expect(await good('POST', '/bulk-changes/bulk-1/cancel')).toMatchObject({
      state: 'cancelled',
      changed: 500,
      total: 1_001,
    })
    await jobs.work()
    const statuses = [...(await all(database)).values()].filter(
      (one) => 'status' in one && one.status === 'maintenance',
    )
    expect(statuses).toHaveLength(500)
    expect((await activities())[0]).toMatchObject({
      details: { count: 500, total: 1_001, state: 'cancelled' },
    })
    expect(await good('POST', '/bulk-changes/bulk-1/cancel')).toMatchObject({ state: 'cancelled' })
    expect(await undo('bulk-1', 'undo-1')).toMatchObject({ state: 'done', changed: 500 })
    expectProblem(await ask('POST', '/bulk-changes/nothing/cancel'), 404)
    expectProblem(await ask('POST', '/bulk-changes/nothing/undo', { id: 'x' }), 404)
  }, 60_000)

  it('that are invalid are refused with a reason, and change nothing', async () => {
    const { database, app, ask, change, activities } = await start()
    const before = await all(database)
    const refuse = async (status: number, body: object, name?: string) => {
      const { errors, detail } = expectProblem(
        await ask('POST', '/bulk-changes', { id: 'bulk', ...body }),
        status,
      )
      if (name) expect(errors).toContainEqual({ in: 'body', name, message: expect.stringMatching(/\S/) })
      return detail
    }
    await refuse(400, toMaintenance, 'filter')
    await refuse(400, { ...toMaintenance, filter: {}, ids: ['tank'] }, 'filter')
    await refuse(400, { ...toMaintenance, ids: ['tank'], except: ['tank'] }, 'except')
    await refuse(400, { ...toMaintenance, ids: ['tank', 'tank'] }, 'ids')
    await refuse(400, { kind: 'change', filter: {} }, 'patch')
    await refuse(400, { kind: 'change', filter: {}, patch: {} }, 'patch')
    await refuse(400, { kind: 'remove', filter: {}, patch: { status: 'offline' } }, 'patch')
    await refuse(400, { kind: 'change', filter: {}, patch: { geometry: point() } }, 'patch.geometry')
    await refuse(400, { ...toMaintenance, filter: { text: 'nowhere at all' } }, 'filter')
    await refuse(400, { ...toMaintenance, filter: { colour: 'red' } })
    expect(await refuse(409, { ...toMaintenance, filter: { kind: 'asset' }, count: 4 })).toBe(
      'The filter now matches 3 features instead of 4. Review them and try again.',
    )
    const wrong = await change({ id: 'wrong', kind: 'change', patch: { status: 'purple' }, ids: ['tank'] })
    expect(wrong).toMatchObject({ state: 'done', changed: 0, left: 1 })
    expect(wrong.leftFeatures[0]?.reason).toMatch(/^status /)
    expect(await all(database)).toEqual(before)
    expect(await activities()).toEqual([])

    const done = { id: 'mine', ...toMaintenance, ids: ['tank'] }
    await change(done)
    const ann = await signIn(database, ['editor:oak-hills'], { id: 'ann', name: 'Ann' })
    expectProblem(await ask('POST', '/bulk-changes', done, ann), 409)
    expectProblem(await ask('POST', '/changes/mine/undo', { id: 'undo' }), 409)
    await storeClient(database, 'sample')
    const sample = await app.send({
      method: 'POST',
      url: '/api/maps/sample/bulk-changes',
      headers: await signIn(database),
      payload: { ...done, id: 'sample' },
    })
    expectProblem(sample, 403)
  })

  it('stop when their client is archived', async () => {
    const { database, app, jobs, change } = await start(many(600))
    await change({ id: 'bulk-1', ...toMaintenance, filter: {} })
    const headers = { ...(await signIn(database)), 'if-match': '*' }
    await app.send({ method: 'POST', url: '/api/clients/oak-hills/archive', headers })
    await jobs.work()
    const row = await database.read.selectFrom('bulk_changes').selectAll().executeTakeFirst()
    expect(row).toMatchObject({ state: 'cancelled', changed: 0 })
    expect(await database.read.selectFrom('jobs').selectAll().execute()).toEqual([])
  })
})
