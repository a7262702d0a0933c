import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Report } from '#domain/reports/report.schema.ts'
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
import { aPhoto } from '#test/imports/file-bytes.ts'
import { addReport, aReport, byKey, photoTo, place } from '#test/server/reports.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'
import { sumBytes } from '../files/files.queries.ts'
import { removeUnusedFiles } from '../files/remove-unused-files.ts'
import { stopEmailsPathOf, unsubscribeTokenOf } from './report-keys.ts'
import { eraseReporters, readReport } from './reports.queries.ts'

const mapId = 'oak-hills'
const path = `/api/maps/${mapId}/reports`

const lot = aParcel({
  id: 'lot-12',
  name: 'Lot 12',
  mapId,
  geometry: square(-111.1, 34.04, 0.02),
})

onEachEngine('reports of residents', (createDatabase) => {
  let app: TestApp
  let database: TestDatabase
  let rosa: Record<string, string>
  beforeEach(async () => {
    database = await createDatabase()
    await storeClient(database, mapId)
    await storeFeatures(database, [lot])
    app = await startTestApp(database, { settings: { REPORTS_PER_HOUR: '4' } })
    rosa = await signIn(database, [`editor:${mapId}`])
    return () => app.close()
  })

  const tree = { type: 'fallen_tree', description: 'Across the road', email: 'neighbor@example.org' }
  const add = (values: object = {}) => addReport(app, { ...tree, ...values })
  const post = (report: object) => app.post(path, report)
  const own = (id: string) => app.get(`${path}/${id}/own`, byKey)
  const change = (id: string, values: object) => app.patch(`${path}/${id}/own`, values, byKey)
  const withdraw = (id: string, headers = byKey) => app.post(`${path}/${id}/own/withdraw`, undefined, headers)
  const list = async (state = 'new'): Promise<{ items: Report[]; total: number }> => {
    const response = await app.get(`${path}?state=${state}`, rosa)
    return response.json()
  }
  const decision = (id: string, payload: object, version: number) =>
    app.put(`${path}/${id}/decision`, payload, { ...rosa, 'if-match': `"${version}"` })
  const incidents = async () => (await app.get(`/api/maps/${mapId}/features?kind=incident`)).json().items

  it('are not public until staff accept them', async () => {
    const { id, number, title } = await add()
    expect([number, title]).toEqual([1, 'Fallen tree, Lot 12'])
    expect(await incidents()).toEqual([])
    expectProblem(await app.get(`/api/maps/${mapId}/features/${id}`), 404)
    expectProblem(await app.get(path), 401)
    expect((await list('hidden')).items).toEqual([])
    expect((await list()).items).toMatchObject([{ id, email: 'neighbor@example.org', version: 1 }])

    const accepted = await decision(id, { state: 'accepted' }, 1)
    expect(accepted.json()).toMatchObject({ state: 'accepted', version: 2 })
    const response = await app.get(`/api/maps/${mapId}/features/${id}`)
    expect(response.json()).toMatchObject({ title, type: 'fallen_tree', parcelId: 'lot-12', resolved: false })
    expect(response.body).not.toContain('neighbor')
    expect((await own(id)).json()).toMatchObject({ state: 'accepted', incident: { id, resolved: false } })
  })

  it('are exported for reading, by editors only, in local times and without formulas', async () => {
    const { id } = await add({ description: '=HYPERLINK("https://bad.example")' })
    const { id: hidden } = await add({ type: 'flood', description: '' })
    await decision(id, { state: 'accepted', publicNote: 'Thank you' }, 1)
    await decision(hidden, { state: 'hidden' }, 1)
    expectProblem(await app.get(`${path}/export?format=csv`), 401)
    const elsewhere = await signIn(database, [`editor:elm-park`])
    expectProblem(await app.get(`${path}/export?format=csv`, elsewhere), 403)
    const response = await app.get(`${path}/export?format=csv`, rosa)
    expect(response.headers['content-disposition']).toMatch(/oak-hills-reports-.*-for-reading\.csv/)
    const [head, first, second, ...others] = response.body.trim().split('\r\n')
    expect(head).toBe(
      'Number,State,Type,Title,Description,Latitude,Longitude,Email,Received,Decided,Decided by,Public note',
    )
    const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d'
    expect(first).toMatch(
      new RegExp(
        `^R-1,Accepted,Fallen tree,"Fallen tree, Lot 12","'=HYPERLINK\\(.*\\)",${place.lat},${place.lng},neighbor@example.org,${time},${time},[^,]+,Thank you$`,
      ),
    )
    expect(second).toMatch(/^R-2,Hidden,Flood,"Flood, Lot 12",,/)
    expect(others).toEqual([])
    expect((await app.get(`${path}/export?format=xlsx`, rosa)).statusCode).toBe(200)
  })

  it('are created once, however often they are sent', async () => {
    const report = aReport()
    const answers = await Promise.all([1, 2, 3].map(() => post(report)))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect((await list()).total).toBe(1)
    expectProblem(await post({ ...report, key: 'cd'.repeat(16) }), 409)
  })

  it('are limited per address and hour, except those of staff', async () => {
    const first = aReport()
    for (const report of [first, aReport(), aReport(), aReport()])
      expect((await post(report)).statusCode).toBe(201)
    const refused = await post(aReport())
    expect(expectProblem(refused, 429).detail).toMatch(
      /has sent 4 reports within an hour.* You can send more in \d+ minutes/,
    )
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60)
    expect((await post(first)).statusCode).toBe(201)
    expect((await app.post(path, aReport(), rosa)).statusCode).toBe(201)
  })

  it('are numbered per map', async () => {
    expect([(await add()).number, (await add()).number]).toEqual([1, 2])
  })

  it('are read with their key only', async () => {
    const { id } = await add()
    const headers = { 'report-key': 'cd'.repeat(16) }
    expectProblem(await app.get(`${path}/${id}/own`, headers), 404)
    expectProblem(await app.get(`${path}/${id}/own`), 400)
    expectProblem(await withdraw(id, headers), 404)
  })

  it('can be changed and withdrawn by their reporter until they are reviewed', async () => {
    const { id } = await add()
    const changed = await change(id, { description: 'Two trees' })
    expect(changed.json()).toMatchObject({ description: 'Two trees', state: 'new' })
    const { id: other } = await add()
    await decision(other, { state: 'rejected', publicNote: 'Not our road' }, 1)
    expectProblem(await change(other, { description: 'x' }), 409)
    expect((await own(other)).json()).toMatchObject({ state: 'rejected', publicNote: 'Not our road' })

    const withdrawn = await withdraw(id)
    expect(withdrawn.json()).toMatchObject({ state: 'withdrawn', email: null })
    expectProblem(await decision(id, { state: 'accepted' }, 3), 409)
  })

  it('get no photo after they were withdrawn, also if its upload had started', async () => {
    const { id } = await add()
    const photo = await photoTo(app, `${path}/${id}/photos`)
    await photo.announce()
    await withdraw(id)
    const sent = await photo.send()
    expect(expectProblem(sent, 409).detail).toBe('You have withdrawn this report.')
  })

  it('have a title of their current type and place, unless staff changed it', async () => {
    const hydrant = anAsset({ id: 'hydrant', mapId, name: 'Hydrant 7' })
    await storeFeatures(database, [hydrant])
    const { id } = await add({ type: 'flood', assetId: 'hydrant' })
    const titleAfter = async (values: object) => (await change(id, values)).json<{ title: string }>().title
    expect(await titleAfter({ type: 'fire' })).toBe('Fire, Hydrant 7')
    expect(await titleAfter({ place: { lat: 34.051, lng: place.lng } })).toBe('Fire, Lot 12')
    expect((await list()).items).toMatchObject([{ assetId: null }])
    expect(await titleAfter({ type: 'flood', place: { lat: 34.2, lng: place.lng } })).toBe('Flood')
    await app.patch(`${path}/${id}`, { title: 'Wet road' }, { ...rosa, 'if-match': '*' })
    expect(await titleAfter({ type: 'fire' })).toBe('Wet road')
  })

  it('show a button to stop emails at the address in the emails, which changes nothing by itself', async () => {
    const { id } = await add()
    const row = await readReport(database.read, { mapId, id })
    const url = `${stopEmailsPathOf({ mapId, id })}?token=${row && unsubscribeTokenOf(row)}`
    const accept = 'text/html,application/xhtml+xml'
    const page = await app.get(url, { accept })
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect((await own(id)).json().email).toBe('neighbor@example.org')
    const [, action = ''] = /<form method="post" action="([^"]+)">/.exec(page.body) ?? []
    expect(action).toBe(url)
    const headers = { accept, 'content-type': 'application/x-www-form-urlencoded' }
    const ended = await app.send({ method: 'POST', url: action, headers, payload: '' })
    expect(ended.statusCode).toBe(303)
    expect((await app.get(`${ended.headers.location}`, { accept })).body).toContain('Emails stopped')
    expect((await own(id)).json().email).toBe(null)
  })

  it('leave the map when staff undo the decision, and keep changes made there', async () => {
    const { id } = await add()
    await decision(id, { state: 'accepted' }, 1)
    const title = 'Oak across the road'
    const patch = { ...rosa, 'if-match': '"1"' }
    expect((await app.patch(`/api/maps/${mapId}/features/${id}`, { title }, patch)).statusCode).toBe(200)
    expect((await decision(id, { state: 'new' }, 2)).json()).toMatchObject({ title })
    expect(await incidents()).toEqual([])
    await decision(id, { state: 'accepted' }, 3)
    expect(await incidents()).toMatchObject([{ id, name: title }])
    await decision(id, { state: 'hidden' }, 4)
    expect(await incidents()).toEqual([])
  })

  it('are decided once: the second person sees that someone was faster', async () => {
    const { id } = await add()
    const answers = await Promise.all(['accepted', 'rejected'].map((state) => decision(id, { state }, 1)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 412])
  })

  it('lose the identity of their reporter a year after the decision', async () => {
    const { id } = await add()
    await add()
    await decision(id, { state: 'accepted' }, 1)
    const emails = async () =>
      [...(await list('accepted')).items, ...(await list()).items].map(({ email }) => email)
    const eraseAfter = (days: number) =>
      database.write((transaction) => eraseReporters(transaction, Date.now() + days * 86_400_000))
    await eraseAfter(364)
    expect(await emails()).toEqual(['neighbor@example.org', 'neighbor@example.org'])
    await eraseAfter(366)
    expect(await emails()).toEqual([null, 'neighbor@example.org'])
  })

  it('name the incident that they repeat', async () => {
    const { id } = await add()
    const { id: other } = await add()
    await decision(id, { state: 'accepted' }, 1)
    expectProblem(await decision(other, { state: 'duplicate' }, 1), 400)
    expectProblem(await decision(other, { state: 'duplicate', duplicateOf: 'lot-12' }, 1), 400)
    expect((await decision(other, { state: 'duplicate', duplicateOf: id }, 1)).statusCode).toBe(200)
    expect((await own(other)).json()).toMatchObject({ state: 'duplicate', incident: { id } })
  })

  it('propose incidents nearby that may be the same', async () => {
    const at = (id: string, lat: number, values: object = {}) =>
      anIncident({ id, mapId, severity: 'low', geometry: point(place.lng, lat), ...values })
    const nearby = await createDatabase()
    await storeClient(nearby, mapId)
    await storeFeatures(nearby, [
      at('near', 34.0505),
      at('far', 34.0515),
      at('far-but-severe', 34.0515, { severity: 'high' }),
      at('solved', 34.0501, { resolved: true, resolvedDate: '2020-01-01T00:00:00.000Z' }),
      at('just-solved', 34.0501, { resolved: true, resolvedDate: new Date().toISOString() }),
    ])
    await using other = await startTestApp(nearby)
    const { items } = (await other.get(`${path}/similar?lat=${place.lat}&lng=${place.lng}`)).json()
    expect(items.map(({ id }: { id: string }) => id)).toEqual(['just-solved', 'near', 'far-but-severe'])
  })

  it('announce photos of at most a quarter of the quota, which expire without progress', async () => {
    const small = await createDatabase()
    await storeClient(small, mapId)
    const settings = { FILE_QUOTA_MB: '40', REPORTS_PER_HOUR: '50' }
    await using other = await startTestApp(small, { settings })
    const begin = async (size: number) => {
      const url = `${path}/${(await addReport(other)).id}/photos`
      const id = randomUUID()
      const { statusCode } = await other.post(url, { id, size }, byKey)
      const headers = { ...byKey, 'content-type': 'application/octet-stream' }
      const put = (offset: number, bytes: Buffer) =>
        other.put(`${url}/${id}?offset=${offset}`, bytes, headers)
      return { statusCode, put }
    }
    const megabytes = (count: number) => count * 1024 * 1024
    const minutesMs = (count: number) => Date.now() + count * 60_000
    const photo = await aPhoto()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    try {
      const [idle, active] = [await begin(megabytes(9)), await begin(photo.length)]
      expect([idle.statusCode, active.statusCode]).toEqual([201, 201])
      expect((await begin(megabytes(2))).statusCode).toBe(409)
      vi.setSystemTime(minutesMs(10))
      expect((await active.put(0, photo.subarray(0, 100))).statusCode).toBe(200)
      vi.setSystemTime(minutesMs(6))
      expect((await begin(megabytes(2))).statusCode).toBe(201)
      await removeUnusedFiles(small, other.store, Date.now())
      expect((await idle.put(0, photo.subarray(0, 100))).statusCode).toBe(404)
      expect((await active.put(100, photo.subarray(100))).json()).toMatchObject({ received: photo.length })
      expect(await sumBytes(small.read, mapId)).toBeLessThan(megabytes(3))
    } finally {
      vi.useRealTimers()
    }
  })

  it('have photos that become public with the report', async () => {
    const { id } = await add()
    const photo = await photoTo(app, `${path}/${id}/photos`)
    const photoId = photo.id
    expect((await photo.announce()).statusCode).toBe(201)
    const sent = await photo.send()
    expect(sent.json()).toMatchObject({ file: { id: photoId, isPublic: false } })
    const file = `/api/maps/${mapId}/files/${photoId}/small`
    expectProblem(await app.get(file), 404)
    expect((await app.get(file, rosa)).statusCode).toBe(200)
    const list = `/api/maps/${mapId}/features/${id}/files`
    expectProblem(await app.get(list), 404)
    expect((await app.get(list, rosa)).json().items).toMatchObject([{ id: photoId }])
    expect((await own(id)).json().photos).toMatchObject([{ id: photoId, name: null, place: null }])

    const ownPhoto = `${path}/${id}/photos/${photoId}`
    const small = await app.get(`${ownPhoto}/small`, byKey)
    expect(small.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, no-cache',
    })
    const cached = { ...byKey, 'if-none-match': `${small.headers.etag}` }
    expect((await app.get(`${ownPhoto}/small`, cached)).statusCode).toBe(304)
    expect((await app.get(`${ownPhoto}/large`, byKey)).headers['content-type']).toBe('image/jpeg')
    expectProblem(await app.get(`${ownPhoto}/original`, byKey), 400)
    expectProblem(await app.get(`${ownPhoto}/small`, { 'report-key': 'f'.repeat(32) }), 404)
    expectProblem(await app.get(`${path}/${(await add()).id}/photos/${photoId}/small`, byKey), 404)

    const announceAnother = () => photo.announce({ id: randomUUID() })
    for (let count = 0; count < 2; count++) expect((await announceAnother()).statusCode).toBe(201)
    expectProblem(await announceAnother(), 409)

    await decision(id, { state: 'accepted', publishesPhotos: true }, 1)
    expect((await app.get(file)).statusCode).toBe(200)
    await decision(id, { state: 'hidden' }, 2)
    expectProblem(await app.get(file), 404)
    expectProblem(await app.get(`${ownPhoto}/small`, byKey), 404)
    expect((await own(id)).json().photos).toEqual([])

    await decision(id, { state: 'accepted' }, 3)
    expect((await app.get(`${ownPhoto}/small`, byKey)).statusCode).toBe(200)
    const byStaff = { ...rosa, 'if-match': '"1", "2", "3"' }
    await app.send({ method: 'DELETE', url: `/api/maps/${mapId}/files/${photoId}`, headers: byStaff })
    expectProblem(await app.get(`${ownPhoto}/small`, byKey), 404)
    expect((await own(id)).json().photos).toEqual([])
  })
})
