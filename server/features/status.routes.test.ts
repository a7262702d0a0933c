import { expect, it } from 'vitest'
import { onEachEngine } from '#test/databases.ts'
import { anAsset, anIncident, storeClient, storeFeatures } from '#test/feature-builders.ts'
import { signIn } from '#test/signed-in.ts'
import { startTestApp } from '#test/test-app.ts'

onEachEngine('the status of a feature', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [anIncident({ id: 'fire' }), anAsset({ id: 'tank' })])
    const app = await startTestApp(database)
    const editor = await signIn(database, ['editor:oak-hills'])
    const put = (id: string, status: string, ifMatch: string) =>
      app.send({
        method: 'PUT',
        url: `/api/maps/oak-hills/features/${id}/status`,
        headers: { ...editor, 'if-match': ifMatch },
        payload: { status },
      })
    return { database, app, editor, put }
  }

  it('is set by an editor, and told of', async () => {
    const { app, database, put, editor } = await start()
    await using _ = app
    const resolved = await put('fire', 'resolved', '"1"')
    expect(resolved.headers.etag).toBe('"2"')
    expect(resolved.json()).toMatchObject({ resolved: true, resolvedDate: expect.any(String), version: 2 })
    expect((await put('fire', 'unresolved', '"2"')).json()).toMatchObject({
      resolved: false,
      resolvedDate: null,
    })
    expect((await put('tank', 'offline', '"1"')).json()).toMatchObject({ status: 'offline' })
    const { items, unread } = (await app.get('/api/maps/oak-hills/activity', editor)).json()
    expect(items.map((item: { action: string }) => item.action)).toEqual([
      'asset.status-changed',
      'incident.reopened',
      'incident.resolved',
    ])
    expect(unread).toBe(0)
    const other = await signIn(database, ['editor:oak-hills'], { id: 'rosa' })
    expect((await app.get('/api/maps/oak-hills/activity', other)).json().unread).toBe(3)
    const read = await app.send({
      method: 'PUT',
      url: '/api/maps/oak-hills/activity/read',
      headers: other,
      payload: { at: items[0].at },
    })
    expect(read.statusCode, read.body).toBe(204)
    expect((await app.get('/api/maps/oak-hills/activity', other)).json().unread).toBe(0)
  })
})
