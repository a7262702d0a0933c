import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { HistoryEntry } from '#domain/features/history.schema.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import { onEachEngine, onEngine } from '#test/databases/databases.ts'
import {
  aGeneralFeature,
  anAsset,
  anIncident,
  aParcel,
  point,
  square,
  storeClient,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { expectExactRanks } from '#test/server/expect-exact-ranks.ts'
import { type SignedIn, signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'
import { lockRanks } from '../../thinning/write-features.queries.ts'

const lot = square(-111.1, 34.04, 0.01)
const farLot = square(-111.2, 34.04, 0.01)
const features: NewFeature[] = [
  aParcel({ id: 'lot', name: 'Lot 7', owner: 'Ann Zabriskie', area: measureAcres(lot), geometry: lot }),
  aParcel({ id: 'far', name: 'Lot 9', area: 12, geometry: farLot }),
  aParcel({ id: 'unmeasured', area: null, geometry: square(-111.4, 34, 0.01) }),
  anAsset({ id: 'tank', name: 'Tank', parcelId: 'lot', geometry: point(-111.095, 34.045) }),
  anAsset({ id: 'chosen', name: 'Pump', parcelId: 'far', geometry: point(-111.095, 34.045) }),
  anIncident({ id: 'fire', title: 'Smoke', reportedBy: 'Rosa Whitfield', parcelId: null }),
  aGeneralFeature({ id: 'general', featureType: 'water', type: 'water' }),
]

const base = '/api/maps/oak-hills'

onEachEngine('changes of features', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, features)
    const app = await startTestApp(database)
    const editor = await signIn(database, ['editor:oak-hills'])
    const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, options: Options = {}) =>
      app.send({
        method,
        url: base + url,
        headers: {
          ...(options.as ?? editor),
          ...(options.version === undefined ? {} : { 'if-match': `"${options.version}"` }),
          ...options.headers,
        },
        ...(options.body === undefined ? {} : { payload: options.body as object }),
      })
    const patch = (id: string, version: number, body: unknown) =>
      ask('PATCH', `/features/${id}`, { version, body })
    const read = async (id: string) => (await ask('GET', `/features/${id}`)).json()
    const history = async (id: string): Promise<HistoryEntry[]> =>
      (await ask('GET', `/features/${id}/history`)).json().items
    const activities = async () =>
      (await database.read.selectFrom('activity').selectAll().orderBy('at').execute()).map((row) => ({
        ...row,
        details: JSON.parse(row.details),
      }))
    return { database, app, editor, ask, patch, read, history, activities }
  }
  type Options = {
    as?: SignedIn | Record<string, string>
    version?: number
    body?: unknown
    headers?: Record<string, string>
  }

  it('change the fields that they name, and no others', async () => {
    const { patch, read, history, activities } = await start()
    const before = await read('lot')
    const answer = await patch('lot', 1, { owner: 'Bob Quackenbush', zoning: { type: 'R-1' } })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.headers.etag).toBe('"2"')
    const { updatedAt, ...after } = answer.json()
    const zoning = { type: 'R-1', restrictions: null }
    expect(after).toEqual({ ...before, updatedAt: undefined, owner: 'Bob Quackenbush', zoning, version: 2 })
    expect(await read('lot')).toEqual(answer.json())
    const [entry, ...others] = await history('lot')
    expect(others).toEqual([])
    expect(entry).toMatchObject({ action: 'changed', version: 2, actor: 'Maya Ortiz', undoes: null })
    expect(entry?.changes).toEqual([
      { field: 'owner', before: 'Ann Zabriskie', after: 'Bob Quackenbush' },
      { field: 'zoning', before: before.zoning, after: zoning },
    ])
    const [activity] = await activities()
    expect(activity).toMatchObject({
      action: 'feature.changed',
      subject: 'lot',
      details: { name: 'Lot 7', kind: 'parcel', fields: ['owner', 'zoning'] },
    })
    expect(JSON.stringify(activity)).not.toMatch(/Zabriskie|Quackenbush|R-1/)
  })

  it('can be a merge patch, in which null clears a field', async () => {
    const { ask, read } = await start()
    const body = JSON.stringify({
      owner: null,
      zoning: { type: null, restrictions: null },
      description: null,
    })
    const headers = { 'content-type': 'application/merge-patch+json' }
    const answer = await ask('PATCH', '/features/lot', { version: 1, body, headers })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(await read('lot')).toMatchObject({ owner: null, zoning: null, description: '' })
  })

  it('without effect create no version, history or activity', async () => {
    const { patch, history, activities } = await start()
    const answer = await patch('lot', 1, { name: ' Lot 7 ', geometry: lot })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json().version).toBe(1)
    expect(await history('lot')).toEqual([])
    expect(await activities()).toEqual([])
  })

  it('from a stale version are refused with the current feature', async () => {
    const { ask, patch, read } = await start()
    await patch('lot', 1, { owner: 'Bob' })
    const { current } = expectProblem(await patch('lot', 1, { owner: 'Cleo' }), 412)
    expect(current).toEqual({ ...(await read('lot')), referenceNames: {} })
    expectProblem(await ask('PATCH', '/features/lot', { body: { owner: 'Cleo' } }), 428)
    expectProblem(await patch('nothing', 1, { owner: 'Cleo' }), 404)
    expect((await read('lot')).owner).toBe('Bob')
  })

  it('that are invalid report each field with its reason, and change nothing', async () => {
    const { ask, patch, read } = await start()
    const before = await read('lot')
    const refuse = async (id: string, body: unknown) => {
      const { errors = [] } = expectProblem(await patch(id, 1, body), 400)
      return Object.fromEntries(errors.map(({ name, message }) => [name, message]))
    }
    expect(await refuse('lot', { name: ' ', color: 'red', id: 'other', version: 7 })).toEqual({
      color: 'is not a field of a parcel',
      id: 'cannot be changed',
      version: 'is not a field of a parcel',
    })
    expect(await refuse('lot', { name: ' ' })).toEqual({ name: 'must not be empty' })
    expect(Object.keys(await refuse('lot', { area: -1, buildings: 1.5, purchaseDate: 'May' }))).toEqual([
      'area',
      'buildings',
      'purchaseDate',
    ])
    expect(await refuse('lot', { taxInfo: { cents: 1 } })).toEqual({
      'taxInfo.cents': 'is not a part of taxInfo',
    })
    expect(await refuse('tank', { parcelId: 'tank' })).toEqual({
      parcelId: 'There is no parcel tank on this map.',
    })
    expect(Object.keys(await refuse('tank', { parcelId: 'a\0b' }))).toEqual(['parcelId'])
    for (const body of ['"text"', '["owner"]', '7', '{'])
      expectProblem(
        await ask('PATCH', '/features/lot', {
          version: 1,
          body,
          headers: { 'content-type': 'application/json' },
        }),
        400,
      )
    expect(await read('lot')).toEqual(before)
  })

  it('of a shape are refused with the place of the fault if it is invalid', async () => {
    const { patch } = await start()
    const bowTie = {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [2, 2],
          [2, 0],
          [0, 2],
          [0, 0],
        ],
      ],
    }
    const refused = expectProblem(await patch('lot', 1, { geometry: bowTie }), 400)
    expect(refused.errors).toEqual([
      {
        in: 'body',
        name: 'geometry',
        message: 'The shape crosses itself near 1.000000, 1.000000.',
        at: { lat: 1, lng: 1 },
      },
    ])
    const stays = {
      type: 'LineString',
      coordinates: [
        [1, 2],
        [1, 2],
      ],
    }
    expect(expectProblem(await patch('tank', 1, { geometry: stays }), 400).errors).toMatchObject([
      { message: 'The shape has a line without length near 2.000000, 1.000000.' },
    ])
    const many = { type: 'MultiPoint', coordinates: Array.from({ length: 20_001 }, (_, x) => [x / 1e4, 0]) }
    expect(expectProblem(await patch('tank', 1, { geometry: many }), 400).errors).toMatchObject([
      { message: 'The shape has 20,001 points, but the limit is 20,000.' },
    ])
  })

  it('of a shape keep every digit of Multi*, holes and heights', async () => {
    const { patch, read, ask } = await start()
    const hole = [
      ...((square(-111.097, 34.043, 0.001) as { coordinates: number[][][] }).coordinates[0] as number[][]),
    ]
    const geometry = {
      type: 'MultiPolygon',
      coordinates: [
        [(lot as { coordinates: number[][][] }).coordinates[0], hole],
        (square(-111.12345678901235, 34.000000000000014, 0.001) as { coordinates: number[][][] }).coordinates,
      ],
    }
    const changed = await patch('lot', 1, { geometry })
    expect(changed.statusCode, changed.body).toBe(200)
    expect((await read('lot')).geometry).toEqual(geometry)
    const [entry] = (await ask('GET', '/features/lot/history')).json().items
    const body = { changeId: entry.changeId, isBefore: true }
    const back = await ask('POST', '/features/lot/restore', { version: 2, body })
    expect(back.json()).toMatchObject({ geometry: lot, version: 3 })
  })

  it('of a shape update the area, unless a user entered one', async () => {
    const { patch } = await start()
    const larger = square(-111.1, 34.04, 0.02)
    expect((await patch('lot', 1, { geometry: larger })).json().area).toBe(measureAcres(larger as never))
    expect((await patch('far', 1, { geometry: larger })).json().area).toBe(12)
    expect((await patch('far', 2, { area: null })).json().area).toBe(measureAcres(larger as never))
    expect((await patch('far', 3, { area: 3.5 })).json().area).toBe(3.5)
    expect((await patch('far', 4, { geometry: lot })).json().area).toBe(3.5)
    expect((await patch('unmeasured', 1, { owner: 'Cleo' })).json().area).toBeNull()
    expect((await patch('unmeasured', 2, { geometry: lot })).json().area).toBe(measureAcres(lot))
  })

  it('of a shape can be checked first for faults, acres, neighbors and overlaps', async () => {
    const { ask, history } = await start()
    const check = async (body: object) => (await ask('POST', '/shape-check', { body })).json()
    const beside = square(-111.1 + 0.01, 34.04, 0.01)
    expect(await check({ kind: 'parcel', geometry: beside })).toEqual({
      fault: null,
      acres: measureAcres(beside),
      parcel: null,
      neighbors: [{ id: 'lot', name: 'Lot 7' }],
      overlaps: [],
      farFromLand: null,
      notChecked: null,
    })
    const over = await check({ kind: 'parcel', geometry: square(-111.095, 34.04, 0.01) })
    expect(over.neighbors).toEqual([])
    expect(over.overlaps).toEqual([
      { id: 'lot', name: 'Lot 7', acres: expect.closeTo((measureAcres(lot) ?? 0) / 2, 1) },
    ])
    expect(await check({ kind: 'parcel', id: 'lot', geometry: lot })).toMatchObject({
      overlaps: [],
      neighbors: [],
    })
    expect(await check({ kind: 'asset', geometry: point(-111.095, 34.045) })).toMatchObject({
      acres: null,
      parcel: { id: 'lot', name: 'Lot 7' },
    })
    const spike = {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 1],
          [0, 0],
          [0, 0],
        ],
      ],
    }
    expect((await check({ kind: 'parcel', geometry: spike })).fault).toMatchObject({ at: { lat: 0, lng: 0 } })
    expectProblem(
      await ask('POST', '/shape-check', { body: { kind: 'parcel', geometry: { type: 'Point' } } }),
      400,
    )
    expect(await history('lot')).toEqual([])
  })

  it('of a place update the parcel, unless a user chose one', async () => {
    const { patch } = await start()
    const onFar = point(-111.195, 34.045)
    expect((await patch('tank', 1, { geometry: onFar })).json().parcelId).toBe('far')
    expect((await patch('tank', 2, { geometry: point(-110, 34) })).json().parcelId).toBeNull()
    expect((await patch('tank', 3, { geometry: onFar })).json().parcelId).toBe('far')
    expect((await patch('chosen', 1, { geometry: onFar })).json().parcelId).toBe('far')
    expect((await patch('chosen', 2, { parcelId: 'lot' })).json().parcelId).toBe('lot')
    expect((await patch('chosen', 3, { geometry: point(-111.196, 34.045) })).json().parcelId).toBe('lot')
    expect((await patch('chosen', 4, { parcelId: null })).json().parcelId).toBe('far')
  })

  it('to resolved set the day of resolution', async () => {
    const { patch } = await start()
    const before = Date.now()
    const { resolvedDate } = (await patch('fire', 1, { resolved: true })).json()
    expect(Date.parse(resolvedDate)).toBeGreaterThanOrEqual(before)
    const day = '2026-05-21T00:00:00.000Z'
    expect((await patch('fire', 2, { resolvedDate: day })).json().resolvedDate).toBe(day)
    expect((await patch('fire', 3, { severity: 'low' })).json().resolvedDate).toBe(day)
    expect((await patch('fire', 4, { resolved: false })).json().resolvedDate).toBeNull()
  })

  it('of a general feature clear a type that its new feature type does not have', async () => {
    const { patch } = await start()
    expect((await patch('general', 1, { featureType: 'incident' })).json()).toMatchObject({ type: null })
    expectProblem(await patch('general', 2, { type: 'water' }), 400)
    expect((await patch('general', 2, { type: 'fire' })).json()).toMatchObject({ type: 'fire' })
  })

  it('of land update the parcel only of features that follow their place', async () => {
    const { ask, patch, read, history, activities } = await start()
    const parcelOf = async (id: string) => (await read(id)).parcelId
    await patch('lot', 1, { geometry: square(-111.3, 34.04, 0.01) })
    expect(await parcelOf('tank')).toBeNull()
    expect(await parcelOf('chosen')).toBe('far')
    const [entry] = await history('tank')
    expect(entry).toMatchObject({
      action: 'changed',
      actor: 'Maya Ortiz',
      changes: [{ field: 'parcelId', before: 'lot', after: null }],
    })
    expect(await activities()).toMatchObject([{ action: 'feature.changed', subject: 'lot' }])
    const around = aParcel({ id: 'new', name: 'Lot 12', geometry: square(-111.1, 34.04, 0.02) })
    await ask('POST', '/features', { body: around })
    expect([await parcelOf('tank'), await parcelOf('fire')]).toEqual(['new', 'new'])
    await ask('POST', '/features', { body: { ...around, id: 'part', geometry: lot } })
    expect(await parcelOf('tank')).toBe('part')
    const removal = await ask('DELETE', '/features/part', { version: 1 })
    expect(removal.json().items).toEqual([{ id: 'part', version: null }])
    expect(await parcelOf('tank')).toBe('new')
    const { changeId } = removal.json()
    await ask('POST', `/changes/${changeId}/undo`, { body: { id: 'back' } })
    expect(await parcelOf('tank')).toBe('part')
    const before = await read('tank')
    const id = 'drawn-again'
    const change = { action: 'change', id: 'part', version: 3, change: { geometry: farLot } }
    const drawn = await ask('POST', '/features/changes', { body: { id, items: [change] } })
    expect(drawn.json().items).toEqual([{ id: 'part', version: 4 }])
    expect(await parcelOf('tank')).toBe('new')
    const again = await ask('POST', '/features/changes', { body: { id, items: [change] } })
    expect(again.json()).toEqual(drawn.json())
    await ask('POST', `/changes/${id}/undo`, { body: { id: 'undone' } })
    const { version, updatedAt, ...after } = await read('tank')
    expect(after).toEqual({ ...before, version: undefined, updatedAt: undefined })
  })

  it('add a feature once, with its derived fields', async () => {
    const { ask, history, database } = await start()
    const body = {
      kind: 'asset',
      id: 'culvert',
      mapId: 'oak-hills',
      name: 'Culvert',
      geometry: point(-111.095, 34.045),
      metadata: [],
    }
    const added = await ask('POST', '/features', { body })
    expect(added.statusCode, added.body).toBe(201)
    expect(added.json()).toMatchObject({
      name: 'Culvert',
      status: 'operational',
      parcelId: 'lot',
      version: 1,
    })
    expect((await ask('POST', '/features', { body })).json()).toEqual(added.json())
    expect(await history('culvert')).toMatchObject([{ action: 'added', actor: 'Maya Ortiz', version: 1 }])
    const ann = await signIn(database, ['editor:oak-hills'], { id: 'ann', name: 'Ann' })
    expectProblem(await ask('POST', '/features', { body, as: ann }), 409)
    expectProblem(await ask('POST', '/features', { body: { ...body, id: 'lot' } }), 409)
    expectProblem(await ask('POST', '/features', { body: { ...body, mapId: 'elm-park' } }), 400)
    expectProblem(await ask('POST', '/features', { body: { ...body, id: 'x', name: '' } }), 400)
    for (const id of ['.', '..']) {
      const added = { ...body, id }
      const items = [{ action: 'add', feature: added }]
      for (const answer of [
        await ask('POST', '/features', { body: added }),
        await ask('POST', '/features/changes', { body: { id: 'dots', items } }),
      ])
        expect(expectProblem(answer, 400).detail).toContain('must not be "." or ".."')
    }
    const parcel = { ...body, id: 'new', kind: 'parcel', geometry: lot }
    expect((await ask('POST', '/features', { body: parcel })).json().area).toBe(measureAcres(lot as never))
    await expectExactRanks(database, 'oak-hills')
  })

  const toAdd = [
    [
      'an asset',
      { kind: 'asset', name: 'Culvert', maintenanceHistory: [{ date: '2024-05-01', description: 'Oiled' }] },
    ],
    ['an asset of a parcel', { kind: 'asset', name: 'Culvert', parcelId: 'lot' }],
    ['an incident that is resolved', { kind: 'incident', title: 'Tree down', resolved: true }],
    ['a general feature', { kind: 'feature', name: 'Road', featureType: 'road', description: 'To the gate' }],
  ] as const
  it.each(toAdd)(
    'add %s once if repeated after another change, and never with other values',
    async (_, values) => {
      const { ask, patch, read, database } = await start()
      const metadata = [{ name: 'Source', value: 'survey' }]
      const body = { ...values, id: 'mine', geometry: point(-111.095, 34.045), metadata }
      expect((await ask('POST', '/features', { body })).statusCode).toBe(201)
      await patch('mine', 1, { description: 'Changed', geometry: point(-111.2, 34.2), metadata: [] })
      await ask('DELETE', '/features/lot', { version: 1 })
      const changed = await read('mine')
      const reordered = Object.fromEntries(Object.entries(body).toReversed())
      for (const again of [body, reordered]) {
        const answer = await ask('POST', '/features', { body: again })
        expect([answer.statusCode, answer.json()]).toEqual([201, changed])
      }
      const others = [
        { description: 'Other' },
        { geometry: point(-111.2, 34.2) },
        { metadata: [] },
        ...(values.kind === 'asset'
          ? [{ maintenanceHistory: [{ date: '2024-05-02', description: 'Oiled' }] }]
          : []),
      ]
      for (const other of others) {
        const answer = await ask('POST', '/features', { body: { ...body, ...other } })
        expect(expectProblem(answer, 409).detail).toContain('with other values')
      }
      expect(await read('mine')).toEqual(changed)
      await expectExactRanks(database, 'oak-hills')
    },
  )

  it('remove a feature, and restore it unchanged', async () => {
    const { ask, read, history, database } = await start()
    const before = await read('lot')
    const removed = await ask('DELETE', '/features/lot', { version: 1 })
    expect(removed.json()).toMatchObject({ items: [{ id: 'lot', version: null }] })
    expectProblem(await ask('GET', '/features/lot'), 404)
    const list = (await ask('GET', '/removed-features')).json()
    expect(list).toMatchObject({
      items: [{ id: 'lot', kind: 'parcel', name: 'Lot 7', removedBy: 'Maya Ortiz' }],
      next: null,
    })
    expectProblem(await ask('POST', '/features', { body: { ...features[0], geometry: lot } }), 409)
    await expectExactRanks(database, 'oak-hills')
    const back = await ask('POST', '/removed-features/lot/put-back')
    expect(back.statusCode, back.body).toBe(200)
    const { updatedAt, ...after } = back.json()
    expect({ ...after, version: 1 }).toEqual({ ...before, updatedAt: undefined })
    expect(after.version).toBe(3)
    expect((await ask('GET', '/removed-features')).json().items).toEqual([])
    expect((await history('lot')).map(({ action, version }) => [action, version])).toEqual([
      ['put-back', 3],
      ['removed', 2],
    ])
    expectProblem(await ask('POST', '/removed-features/lot/put-back'), 409)
    expectProblem(await ask('POST', '/removed-features/nothing/put-back'), 404)
    await expectExactRanks(database, 'oak-hills')
  })

  it('delete features that were removed 30 days ago', async () => {
    const { ask, history, database } = await start()
    await ask('DELETE', '/features/lot', { version: 1 })
    const age = (days: number) =>
      database.write(async (transaction) => {
        const past = Date.now() - days * 86_400_000
        await transaction.updateTable('removed_features').set({ removed_at: past }).execute()
        await transaction.updateTable('feature_history').set({ at: past }).execute()
      })
    await age(29.9)
    expect((await ask('GET', '/removed-features')).json().items).toHaveLength(1)
    await ask('DELETE', '/features/fire', { version: 1 })
    await age(30.1)
    expect((await ask('GET', '/removed-features')).json().items).toEqual([])
    expect(await history('lot')).toHaveLength(1)
    expectProblem(await ask('POST', '/removed-features/lot/put-back'), 404)
    await ask('DELETE', '/features/tank', { version: 2 })
    expectProblem(await ask('GET', '/features/lot/history'), 404)
    expect(await history('tank')).toHaveLength(2)
  })

  const manyChanges = (id: string) => ({
    id,
    items: [
      {
        action: 'add',
        feature: aParcel({ id: 'north', name: 'Lot 8', geometry: square(-111.3, 34, 0.01) }),
      },
      { action: 'add', feature: anAsset({ id: 'mast', name: 'Mast', parcelId: 'north' }) },
      { action: 'change', id: 'tank', version: 1, change: { status: 'maintenance' } },
      { action: 'remove', id: 'fire', version: 1 },
    ],
  })

  it('of many features are one change in history and activity, and are undone together', async () => {
    const { ask, read, history, activities, database } = await start()
    const before = { tank: await read('tank'), fire: await read('fire') }
    const body = manyChanges('1b6a7a1e-0000-4000-8000-000000000001')
    const done = await ask('POST', '/features/changes', { body })
    expect(done.statusCode, done.body).toBe(200)
    expect(done.json()).toMatchObject({
      changeId: body.id,
      items: [
        { id: 'north', version: 1 },
        { id: 'mast', version: 1 },
        { id: 'tank', version: 2 },
        { id: 'fire', version: null },
      ],
    })
    await expectExactRanks(database, 'oak-hills')
    const again = await ask('POST', '/features/changes', { body })
    expect(new Set(again.json().items.map(({ id }: { id: string }) => id))).toEqual(
      new Set(['north', 'mast', 'tank', 'fire']),
    )
    expect(await activities()).toMatchObject([
      {
        action: 'features.changed',
        subject: null,
        details: { changeId: body.id, count: 4, added: 2, changed: 1, removed: 1 },
      },
    ])
    const undo = (id: string) => ask('POST', `/changes/${body.id}/undo`, { body: { id } })
    const undone = await undo('undo-1')
    expect(undone.statusCode, undone.body).toBe(200)
    expect(undone.json()).toMatchObject({ kept: [] })
    const sentAgain = (await undo('undo-1')).json()
    expect(sentAgain.kept).toEqual([])
    expect(sentAgain.items).toHaveLength(4)
    expect({ ...(await read('tank')), version: 1, updatedAt: 0 }).toEqual({ ...before.tank, updatedAt: 0 })
    expect({ ...(await read('fire')), version: 1, updatedAt: 0 }).toEqual({ ...before.fire, updatedAt: 0 })
    for (const id of ['north', 'mast']) expectProblem(await ask('GET', `/features/${id}`), 404)
    expect((await history('tank'))[0]).toMatchObject({
      undoes: body.id,
      changeId: 'undo-1',
      isUndoable: true,
    })
    expect((await undo('undo-2')).json()).toMatchObject({
      items: [],
      kept: ['fire', 'mast', 'north', 'tank'],
    })
    expectProblem(await ask('POST', '/changes/unknown/undo', { body: { id: 'undo-3' } }), 404)
    await expectExactRanks(database, 'oak-hills')
  })

  it('of many features are all or nothing, and name each stale or invalid one', async () => {
    const { ask, patch, read, history } = await start()
    await patch('tank', 1, { description: 'Painted' })
    const send = (items: unknown[]) => ask('POST', '/features/changes', { body: { id: 'many', items } })
    const rename = { action: 'change', id: 'lot', version: 1, change: { name: 'Lot 7A' } }
    const stale = expectProblem(
      await send([
        rename,
        { action: 'change', id: 'tank', version: 1, change: { status: 'offline' } },
        { action: 'remove', id: 'gone', version: 3 },
      ]),
      412,
    )
    expect(stale.current).toMatchObject({
      stale: [
        { id: 'tank', version: 2, current: { description: 'Painted' } },
        { id: 'gone', version: null, current: null },
      ],
    })
    const wrong = expectProblem(
      await send([
        rename,
        { action: 'change', id: 'far', version: 1, change: { area: 'large' } },
        { action: 'change', id: 'fire', version: 1, change: { title: '' } },
      ]),
      400,
    )
    expect(wrong.errors?.map(({ name }) => name)).toEqual(['items.1.area', 'items.2.title'])
    expectProblem(await send([rename, rename]), 400)
    expectProblem(await send([]), 400)
    expect((await read('lot')).name).toBe('Lot 7')
    expect(await history('lot')).toEqual([])
  })

  it('are not undone for features that were changed again since', async () => {
    const { ask, patch, read } = await start()
    const items = ['tank', 'chosen'].map((id) => ({
      action: 'change',
      id,
      version: 1,
      change: { status: 'offline' },
    }))
    await ask('POST', '/features/changes', { body: { id: 'both', items } })
    await patch('tank', 2, { status: 'maintenance' })
    const undone = await ask('POST', '/changes/both/undo', { body: { id: 'undo' } })
    expect(undone.json()).toMatchObject({ items: [{ id: 'chosen', version: 3 }], kept: ['tank'] })
    expect((await read('tank')).status).toBe('maintenance')
    expect((await read('chosen')).status).toBe('operational')
  })

  it('are for editors, and their history for staff', async () => {
    const { ask, database } = await start()
    const visitor = { 'sec-fetch-site': 'same-origin' }
    const stranger = await signIn(database, ['manager:elm-park'], { id: 'eve', name: 'Eve' })
    const requests = [
      ['POST', '/features', { body: anAsset({ id: 'new' }) }],
      ['PATCH', '/features/lot', { version: 1, body: { name: 'Mine' } }],
      ['DELETE', '/features/lot', { version: 1 }],
      ['POST', '/shape-check', { body: { kind: 'parcel', geometry: lot } }],
      ['POST', '/features/changes', { body: manyChanges('many') }],
      ['POST', '/changes/any/undo', { body: { id: 'undo' } }],
      ['GET', '/features/lot/history', {}],
      ['POST', '/features/lot/restore', { version: 1, body: { changeId: 'any' } }],
      ['GET', '/removed-features', {}],
      ['POST', '/removed-features/lot/put-back', {}],
    ] as const
    for (const [method, url, options] of requests) {
      expectProblem(await ask(method, url, { ...options, as: visitor }), 401)
      expectProblem(await ask(method, url, { ...options, as: stranger }), 403)
    }
  })
})

onEngine('sqlite', 'a change of land', (createDatabase) => {
  it('updates areas and the parcels of features on the land, or nothing if one of them fails', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, features)
    await using app = await startTestApp(database)
    const staff = await signIn(database)
    const west = square(-111.1, 34.04, 0.002)
    const items = [
      { action: 'change', id: 'lot', version: 1, change: { geometry: west } },
      {
        action: 'change',
        id: 'unmeasured',
        version: 1,
        change: { geometry: square(-111.098, 34.04, 0.008) },
      },
    ]
    const save = (id: string) =>
      app.send({
        method: 'POST',
        url: `${base}/features/changes`,
        headers: staff,
        payload: { id, items },
      })
    const stored = async () =>
      (await database.read.selectFrom('features').selectAll().orderBy('id').execute()).map((row) => ({
        id: row.id,
        version: row.version,
        area: JSON.parse(row.fields).area,
        parcelId: row.parcel_id,
      }))
    const before = await stored()
    const fails = sql`create trigger tank_fails before update on features when new.id = 'tank'
      begin select raise(abort, 'tank'); end`
    await database.write((transaction) => fails.execute(transaction))
    expectProblem(await save('first'), 500)
    expect(await stored()).toEqual(before)
    await database.write((transaction) => sql`drop trigger tank_fails`.execute(transaction))
    const saved = await save('second')
    expect(saved.statusCode, saved.body).toBe(200)
    expect(await stored()).toMatchObject(
      before.map((row) => {
        if (row.id === 'lot') return { ...row, version: 2, area: measureAcres(west) }
        if (row.id === 'unmeasured') return { id: row.id, version: 2, area: expect.any(Number) }
        return row.id === 'tank' ? { ...row, version: 2, parcelId: 'unmeasured' } : row
      }),
    )
  })
})

// SQLite has one writer at a time.
onEngine('postgres', 'changes that move nothing', (createDatabase) => {
  it('do not wait for those that move features: two could deadlock', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, features)
    await using app = await startTestApp(database)
    const staff = await signIn(database)
    await database.write(async (transaction) => {
      await lockRanks(transaction, 'postgres', 'oak-hills')
      const change = (method: 'POST' | 'PATCH', url: string, payload: object) =>
        app.send({ method, url: base + url, headers: { ...staff, 'if-match': '*' }, payload })
      const changed = await change('PATCH', '/features/tank', { status: 'offline' })
      expect(changed.statusCode).toBe(200)
      const entry = { id: 'painted', date: '2026-05-02', text: 'Painted' }
      expect((await change('POST', '/features/chosen/maintenance', entry)).statusCode).toBe(201)
    })
  })
})
