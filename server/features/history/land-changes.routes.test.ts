import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Lineage } from '#domain/features/land-change.schema.ts'
import type { FilesTable } from '#server/database/tables.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import {
  aGeneralFeature,
  aParcel,
  square,
  storeClient,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'
import { insertFile, updateFile } from '../../files/files.queries.ts'

const deedId = '0b9f1d3e-58d1-4c0b-9c55-7a1a86a0c001'

const deedOf = (featureId: string): FilesTable => ({
  map_id: 'oak-hills',
  id: deedId,
  feature_id: featureId,
  maintenance_id: null,
  kind: 'pdf',
  name: 'deed.pdf',
  caption: '',
  list_order: 0,
  is_public: 0,
  size: 1,
  original: 'a'.repeat(64),
  large: null,
  small: null,
  media_type: 'application/pdf',
  width: null,
  height: null,
  lat: null,
  lng: null,
  taken_at: null,
  added_at: 1,
  added_by: 'Rosa',
  added_by_id: 'rosa',
  version: 1,
  removed_at: null,
  removed_by: null,
  redacts: null,
})

onEachEngine('the lineage of lots', (createDatabase) => {
  const base = '/api/maps/oak-hills'
  const record = { type: 'plat', number: '2026-14', date: '2026-11-28' }

  const none = { cameFrom: [], became: [], records: [] }

  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [
      aParcel({ id: 'l12', name: 'Lot 12', geometry: square(10, 10, 0.1) }),
      aParcel({ id: 'l13', name: 'Lot 13', geometry: square(10.1, 10, 0.1) }),
      aGeneralFeature({ id: 'tree', geometry: { type: 'Point', coordinates: [9, 9] } }),
    ])
    const headers = await signIn(database)
    const app = await startTestApp(database)
    const change = (payload: object) =>
      app.send({ method: 'POST', url: `${base}/features/changes`, headers, payload })
    const lineageOf = async (id: string): Promise<Lineage> =>
      (await app.get(`${base}/features/${id}/lineage`, headers)).json()
    const undo = async (changeId: string) => {
      const id = randomUUID()
      const url = `${base}/changes/${changeId}/undo`
      const answer = await app.send({ method: 'POST', url, headers, payload: { id } })
      expect(answer.statusCode, answer.body).toBe(200)
      return id
    }
    return { database, app, change, lineageOf, undo }
  }

  const merge = (id: string, land?: object) => ({
    id,
    items: [
      { action: 'remove', id: 'l13', version: 1 },
      { action: 'change', id: 'l12', version: 1, change: { geometry: square(10, 10, 0.2) } },
    ],
    land: land ?? { record, origins: [{ id: 'l12', from: ['l12', 'l13'] }] },
  })

  it('names what a lot came from and became, with the record, until it is undone', async () => {
    const { app, change, lineageOf, undo } = await start()
    await using _ = app
    const id = randomUUID()
    const answer = await change(merge(id))
    expect(answer.statusCode, answer.body).toBe(200)
    const features = [
      { id: 'l12', name: 'Lot 12' },
      { id: 'l13', name: 'Lot 13' },
    ]
    expect(await lineageOf('l12')).toMatchObject({ cameFrom: [{ changeId: id, record, features }] })
    expect((await lineageOf('l13')).became).toMatchObject([{ features: [{ id: 'l12', name: 'Lot 12' }] }])

    const undoing = await undo(id)
    expect(await lineageOf('l12')).toEqual(none)
    const redoing = await undo(undoing)
    expect((await lineageOf('l12')).cameFrom).toHaveLength(1)
    const again = await undo(redoing)
    expect(await lineageOf('l13')).toEqual(none)
    await undo(again)
    expect((await lineageOf('l12')).cameFrom).toHaveLength(1)
    // A repeated request has no effect.
    expect((await change(merge(id))).statusCode).toBe(200)
    expect((await lineageOf('l12')).cameFrom).toHaveLength(1)
  })

  it('moves the files of a merged lot to the rest, and back', async () => {
    const { app, database, change, undo } = await start()
    await using _ = app
    await database.write((transaction) => insertFile(transaction, deedOf('l13')))
    const ownerOf = async () =>
      (await database.read.selectFrom('files').select('feature_id').executeTakeFirstOrThrow()).feature_id
    const id = randomUUID()
    await change(merge(id))
    expect(await ownerOf()).toBe('l12')
    const undoing = await undo(id)
    expect(await ownerOf()).toBe('l13')
    await undo(undoing)
    expect(await ownerOf()).toBe('l12')
  })

  it('shows the file of the record as long as it exists', async () => {
    const { app, database, change, lineageOf } = await start()
    await using _ = app
    await database.write((transaction) => insertFile(transaction, deedOf('l13')))
    const land = { record: { ...record, fileId: deedId }, origins: [{ id: 'l12', from: ['l12', 'l13'] }] }
    const answer = await change(merge(randomUUID(), land))
    expect(answer.statusCode, answer.body).toBe(200)
    const fileOf = async (id: string) => (await lineageOf(id)).became[0]?.record?.fileId
    expect([await fileOf('l12'), await fileOf('l13')]).toEqual([deedId, deedId])
    await database.write((transaction) =>
      updateFile(transaction, { mapId: 'oak-hills', id: deedId }, { removed_at: 2 }),
    )
    expect(await fileOf('l12')).toBeNull()
  })

  it.each([
    ['another feature', 'l14'],
    ['no feature', null],
  ])('refuses the file of %s as that of the record', async (_of, featureId) => {
    const { app, database, change } = await start()
    await using _ = app
    if (featureId !== null) await database.write((transaction) => insertFile(transaction, deedOf(featureId)))
    const answer = await change(merge(randomUUID(), { record: { ...record, fileId: deedId } }))
    expect(expectProblem(answer, 400).detail).toContain('land.record.fileId')
  })

  it('refuses origins that the change does not contain, and changes nothing', async () => {
    const { app, change, lineageOf } = await start()
    await using _ = app
    const answer = await change(merge(randomUUID(), { origins: [{ id: 'l12', from: ['elsewhere'] }] }))
    expect(expectProblem(answer, 400).detail).toContain('elsewhere')
    expect(await lineageOf('l12')).toEqual(none)
    expect((await change(merge(randomUUID(), { record: { type: 'plat', number: '' } }))).statusCode).toBe(400)
  })

  it.each([
    ['twice', [{ id: 'l12', from: ['l13', 'l13'] }]],
    [
      'for one feature twice',
      [
        { id: 'l12', from: ['l12'] },
        { id: 'l12', from: ['l13'] },
      ],
    ],
  ])('refuses origins that are listed %s', async (_how, origins) => {
    const { app, change } = await start()
    await using _ = app
    expectProblem(await change(merge(randomUUID(), { origins })), 400)
  })

  it('accepts origins that do not change, and shows the record of a change without origins', async () => {
    const { app, change, lineageOf } = await start()
    await using _ = app
    const id = randomUUID()
    const feature = { kind: 'parcel', id: 'new', name: 'Lot 14', geometry: square(11, 10, 0.1) }
    const origins = [{ id: 'new', from: ['l12', 'l13'] }]
    const items = [
      { action: 'add', feature },
      { action: 'change', id: 'l13', version: 1, change: { geometry: square(10.1, 10, 0.05) } },
    ]
    const answer = await change({ id, items, land: { record, origins } })
    expect(answer.statusCode, answer.body).toBe(200)
    expect((await lineageOf('l12')).became).toMatchObject([{ features: [{ id: 'new', name: 'Lot 14' }] }])
    const items2 = [{ action: 'change', id: 'l12', version: 1, change: { geometry: square(10, 10, 0.09) } }]
    expect((await change({ id: randomUUID(), items: items2, land: { record } })).statusCode).toBe(200)
    expect((await lineageOf('l12')).records).toMatchObject([{ record, features: [] }])
    const nothing = [{ action: 'change', id: 'l12', version: 2, change: { name: 'Lot 12' } }]
    expectProblem(await change({ id: randomUUID(), items: nothing, land: { record } }), 400)
  })

  const add = (id: string, east: number) => ({
    action: 'add',
    feature: { kind: 'parcel', id, name: id, geometry: square(east, 10, 0.1) },
  })
  const reshape = (id: string, side: number) => ({
    action: 'change',
    id,
    version: 1,
    change: { geometry: square(10, 10, side) },
  })
  const named = (...names: string[]) => ({ count: names.length, names })
  it.each([
    [
      'a split with its neighbor',
      [reshape('l12', 0.05), reshape('l13', 0.09), add('piece', 10.05)],
      [{ id: 'piece', from: ['l12'] }],
      { from: named('Lot 12'), into: named('Lot 12', 'piece'), added: named(), neighbors: 1 },
    ],
    [
      'a merge',
      merge('').items,
      [{ id: 'l12', from: ['l12', 'l13'] }],
      { from: named('Lot 13'), into: named('Lot 12'), added: named(), neighbors: 0 },
    ],
    [
      'a new lot with its neighbors',
      [reshape('l12', 0.05), reshape('l13', 0.09), add('new', 11)],
      [],
      { from: named(), into: named(), added: named('new'), neighbors: 2 },
    ],
    ['changes of borders', [reshape('l12', 0.05), reshape('l13', 0.09)], [], undefined],
    [
      'an addition with another change',
      [{ ...reshape('l12', 0.05), change: { owner: 'Bob' } }, add('new', 11)],
      [],
      undefined,
    ],
    [
      'an addition with a moved point',
      [
        { ...reshape('tree', 0), change: { geometry: { type: 'Point', coordinates: [10, 10] } } },
        add('new', 11),
      ],
      [],
      undefined,
    ],
    [
      'a split whose source stays as it is',
      [reshape('l13', 0.09), add('piece', 11)],
      [{ id: 'piece', from: ['l12'] }],
      undefined,
    ],
  ])('describes %s in the activity', async (_title, items, origins, expected) => {
    const { app, database, change } = await start()
    await using _ = app
    const answer = await change({ id: randomUUID(), items, land: { record, origins } })
    expect(answer.statusCode, answer.body).toBe(200)
    const rows = await database.read.selectFrom('activity').select('details').execute()
    expect(JSON.parse(rows.at(-1)?.details ?? '{}').records).toEqual(expected)
  })

  it('is for staff', async () => {
    const { app } = await start()
    await using _ = app
    expectProblem(await app.get(`${base}/features/l12/lineage`), 401)
  })
})
