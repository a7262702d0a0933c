import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { anIncident, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { aPhoto } from '#test/imports/file-bytes.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'
import { insertUpload } from './uploads.queries.ts'

const mapId = 'oak-hills'
const map = `/api/maps/${mapId}`

onEachEngine('ids of uploads', (createDatabase) => {
  let database: TestDatabase
  let app: TestApp
  let rosa: Record<string, string>
  let maya: Record<string, string>
  beforeEach(async () => {
    database = await createDatabase()
    await storeClient(database, mapId)
    await storeFeatures(
      database,
      ['leak', 'fire'].map((id) => anIncident({ id, mapId })),
    )
    app = await startTestApp(database)
    rosa = await signIn(database, [`editor:${mapId}`], { id: 'rosa' })
    maya = await signIn(database, [`editor:${mapId}`], { id: 'maya' })
    return () => app.close()
  })

  const post = (url: string, headers: Record<string, string>, payload: object) =>
    app.send({ method: 'POST', url: map + url, headers, payload })
  const start = (headers: Record<string, string>, id: string, featureId: string, size = 10) =>
    post('/uploads', headers, { id, size, featureId, maintenanceId: null, name: 'Gate of Ms. Vasquez.jpg' })

  it('of files of other people or features are refused, without a word about the file', async () => {
    const photo = await aPhoto()
    const id = randomUUID()
    await start(rosa, id, 'leak', photo.length)
    const send = (headers: Record<string, string>) =>
      app.send({
        method: 'PUT',
        url: `${map}/uploads/${id}?offset=0`,
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        payload: photo,
      })
    expect((await send(rosa)).json()).toMatchObject({ file: { id } })

    const reportId = randomUUID()
    const key = 'ab'.repeat(16)
    await post('/reports', {}, { id: reportId, key, type: 'flood', place: { lat: 34, lng: -111 } })
    const link = (await post('/incidents/leak/work-links', rosa, { id: randomUUID(), name: 'Crew' })).json()
    const workKey = { 'work-key': link.address.split('#')[1] }
    const refused = [
      await post(`/reports/${reportId}/photos`, { 'report-key': key }, { id, size: 10 }),
      await post(`/work-links/${link.id}/photos`, workKey, { id, size: 10 }),
      await start(maya, id, 'leak'),
      await start(rosa, id, 'fire'),
    ]
    for (const response of refused) {
      expect(expectProblem(response, 409).detail).toBe('This id belongs to another file.')
      expect(response.body).not.toMatch(/Vasquez|Ortiz|place/)
    }
    const [size, pieces] = [photo.length, { received: 0, pieces: '[]' }]
    const belonging = { map_id: mapId, feature_id: 'leak', maintenance_id: null, person_id: 'maya' }
    // As if it had started before the file was added.
    const times = { created_at: Date.now(), progress_at: null }
    const upload = { ...belonging, ...pieces, ...times, id, size, name: 'Photo', sha256: null }
    await database.write((transaction) => insertUpload(transaction, upload))
    expect(expectProblem(await send(maya), 409).detail).toBe('This id belongs to another file.')
    expect((await start(rosa, id, 'leak')).json()).toMatchObject({ file: { id } })
    const merge = { method: 'POST', url: `${map}/incidents/leak/merge`, payload: { into: 'fire' } } as const
    await app.send({ ...merge, headers: { ...rosa, 'if-match': '*' } })
    for (const featureId of ['leak', 'fire'])
      expect((await start(rosa, id, featureId)).json()).toMatchObject({ file: { id } })
  })
})
