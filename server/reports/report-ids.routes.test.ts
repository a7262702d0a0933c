import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  anAsset,
  anIncident,
  storeChange,
  storeClient,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { inputOf } from '#test/imports/import-inputs.ts'
import { aReport } from '#test/server/reports.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'
import { importFeatures } from '../imports/import-features.ts'
import { insertNote } from '../work/notes.queries.ts'

const mapId = 'oak-hills'
const map = `/api/maps/${mapId}`

onEachEngine('ids of reports', (createDatabase) => {
  let app: TestApp
  let database: TestDatabase
  let rosa: Record<string, string>
  beforeEach(async () => {
    database = await createDatabase()
    await storeClient(database, mapId)
    app = await startTestApp(database, { settings: { REPORTS_PER_HOUR: '20' } })
    rosa = await signIn(database, [`editor:${mapId}`])
    return () => app.close()
  })

  const report = (id: string) => app.post(`${map}/reports`, aReport({ id }))
  const byStaff = async (method: 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
    app.send({ method, url: map + url, headers: { ...rosa, 'if-match': '*' }, ...(payload && { payload }) })
  const decide = (id: string, payload: object) => byStaff('PUT', `/reports/${id}/decision`, payload)
  const onMap = async (id: string) => (await app.get(`${map}/features/${id}`)).statusCode === 200

  it('are UUIDs, with or without hyphens', async () => {
    for (const id of ['lot-12', randomUUID().slice(1), `${randomUUID()}0`, `incident-${'0'.repeat(16)}`])
      expectProblem(await report(id), 400)
    for (const id of [randomUUID(), randomUUID().replaceAll('-', '')])
      expect((await report(id)).statusCode).toBe(201)
  })

  it('are no ids that the map uses or used for features', async () => {
    const [present, removed, expired, noted, merged] = Array.from({ length: 5 }, () => randomUUID())
    const ids = [present, removed, expired, noted, merged].map(String)
    await storeFeatures(
      database,
      ids.filter((id) => id !== noted).map((id) => anIncident({ id, mapId })),
    )
    for (const id of [removed, expired]) await byStaff('DELETE', `/features/${id}`)
    await byStaff('POST', `/incidents/${merged}/merge`, { into: present })
    await database.write(async (transaction) => {
      await transaction
        .deleteFrom('removed_features')
        .where('id', 'in', [`${expired}`, `${merged}`])
        .execute()
      await transaction
        .deleteFrom('feature_history')
        .where('feature_id', 'in', [`${removed}`, `${merged}`])
        .execute()
      await insertNote(transaction, {
        ...{ map_id: mapId, id: 'note', incident_id: `${noted}`, at: 0, source: 'staff', author: 'Rosa' },
        ...{ text: 'Call', state: null, is_public: 0, is_waiting: 0, report_id: null, original_text: null },
      })
    })
    for (const id of ids)
      expect(expectProblem(await report(id), 409).detail).toContain('a feature with this id')
  })

  it('are free for their incident', async () => {
    const id = randomUUID()
    await report(id)
    const change = { id: randomUUID(), items: [{ action: 'add', feature: anAsset({ id, mapId }) }] }
    expect(expectProblem(await byStaff('POST', '/features/changes', change), 409).detail).toContain(
      'of a report',
    )
    const file = () =>
      inputOf(`mapId,kind,id,title,latitude,longitude\n${mapId},incident,${id},Mine,34,-111`, 'incidents.csv')
    const importing = () => importFeatures(database, file(), { mapId, kind: 'incident', source: 'export' })
    await expect(importing()).rejects.toThrow(/is the id of a report/)
    expect(await onMap(id)).toBe(false)

    expect((await decide(id, { state: 'accepted' })).statusCode).toBe(200)
    expect(await importing()).toMatchObject({ updated: 1 })
    expect((await decide(id, { state: 'hidden' })).statusCode).toBe(200)
    expect(await onMap(id)).toBe(false)
    expect((await decide(id, { state: 'accepted' })).statusCode).toBe(200)
    expect((await report(id)).statusCode).toBe(201)
  })

  it('lead to no change of a feature that was not made from the report', async () => {
    const [ofAsset, ofIncident, ofRemoved, target] = Array.from({ length: 4 }, () => randomUUID())
    for (const id of [ofAsset, ofIncident, ofRemoved]) await report(`${id}`)
    await storeChange(database, mapId, [anAsset({ id: `${ofAsset}`, mapId })])
    await storeFeatures(
      database,
      [ofIncident, ofRemoved, target].map((id) => anIncident({ id: `${id}`, mapId })),
    )
    await byStaff('DELETE', `/features/${ofRemoved}`)
    for (const id of [ofAsset, ofIncident, ofRemoved]) {
      const merge = { state: 'duplicate', duplicateOf: target }
      for (const decision of [{ state: 'accepted' }, merge])
        expect(expectProblem(await decide(`${id}`, decision), 409).detail).toContain('not made from it')
      expect((await decide(`${id}`, { state: 'rejected' })).statusCode).toBe(200)
      expect(await onMap(`${id}`)).toBe(id !== ofRemoved)
    }
  })
})
