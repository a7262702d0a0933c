import { expect, it } from 'vitest'
import { onEachEngine } from '#test/databases.ts'
import { signIn } from '#test/signed-in.ts'
import { expectProblem, startTestApp } from '#test/test-app.ts'

onEachEngine('a client', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    const app = await startTestApp(database)
    const administrator = await signIn(database)
    return { database, app, administrator }
  }

  it('is added, changed, archived and restored', async () => {
    const { app, administrator } = await start()
    await using _ = app
    const payload = { name: 'Élan Ridge', location: 'Payson' }
    const added = await app.send({ method: 'POST', url: '/api/clients', headers: administrator, payload })
    expect(added.statusCode, added.body).toBe(201)
    expect(added.headers).toMatchObject({ location: '/api/clients/elan-ridge', etag: '"1"' })
    expect(await app.getJson('/api/clients/elan-ridge')).toEqual(added.json())
    const changed = await app.send({
      method: 'PATCH',
      url: '/api/clients/elan-ridge',
      headers: { ...administrator, 'if-match': '"1"' },
      payload: { name: 'Elm Ridge' },
    })
    expect(changed.json()).toMatchObject({ name: 'Elm Ridge', location: 'Payson', version: 2 })
    const post = (what: string) =>
      app.send({ method: 'POST', url: `/api/clients/elan-ridge/${what}`, headers: administrator })
    expect((await post('archive')).json()).toMatchObject({ version: 3, archivedAt: expect.any(String) })
    expectProblem(await app.get('/api/maps/elan-ridge'), 404)
    expect((await app.get('/api/clients?state=archived', administrator)).json().total).toBe(1)
    expect((await post('restore')).json()).toMatchObject({ version: 4, archivedAt: null })
    expect((await app.get('/api/clients?mine=true&text=elm', administrator)).json().total).toBe(1)
  })
})
