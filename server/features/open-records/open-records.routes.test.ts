import { expect, it } from 'vitest'
import { openExpiresAfterMs } from '#domain/features/open-record.ts'
import type { Database } from '#server/database/database.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import { anAsset, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'

const tank = '/api/maps/oak-hills/features/tank/open-pages'
const page = (digit: string) => digit.repeat(32)

onEachEngine('open records', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [anAsset({ id: 'tank' }), anAsset({ id: 'pump' })])
    const app = await startTestApp(database)
    const maya = await signIn(database, ['editor:oak-hills'])
    const ben = await signIn(database, ['editor:oak-hills'], { id: 'ben', name: 'Ben Carter' })
    const open = (url: string, who: typeof maya, isEditing = false) =>
      app.send({ method: 'PUT', url, headers: who, payload: { isEditing } })
    const othersOf = async (...request: Parameters<typeof open>) => {
      const { others } = (await open(...request)).json<{ others: object[] }>()
      return others
    }
    return { database, app, maya, ben, open, othersOf }
  }
  const anInstant = expect.stringMatching(/^\d{4}-.*Z$/)

  it('are visible to other users, editors first', async () => {
    const { maya, ben, othersOf } = await start()
    expect(await othersOf(`${tank}/${page('a')}`, maya)).toEqual([])
    expect(await othersOf(`${tank}/${page('b')}`, ben)).toEqual([
      { name: 'Maya Ortiz', isSelf: false, isEditing: false, since: anInstant },
    ])
    expect(await othersOf(`${tank}/${page('c')}`, maya, true)).toEqual([
      { name: 'Maya Ortiz', isSelf: true, isEditing: false, since: anInstant },
      { name: 'Ben Carter', isSelf: false, isEditing: false, since: anInstant },
    ])
    expect(await othersOf(`${tank}/${page('b')}`, ben)).toEqual([
      { name: 'Maya Ortiz', isSelf: false, isEditing: true, since: anInstant },
    ])
    const pump = tank.replace('tank', 'pump')
    expect(await othersOf(`${pump}/${page('b')}`, ben)).toEqual([])
  })

  it('are closed by the page of the user who opened them', async () => {
    const { app, maya, ben, othersOf } = await start()
    const url = `${tank}/${page('a')}`
    await othersOf(url, maya)
    const close = (headers: typeof maya) => app.send({ method: 'DELETE', url, headers })
    expect((await close(ben)).statusCode).toBe(204)
    expect(await othersOf(`${tank}/${page('b')}`, ben)).toHaveLength(1)
    expect((await close(maya)).statusCode).toBe(204)
    expect((await close(maya)).statusCode).toBe(204)
    expect(await othersOf(`${tank}/${page('b')}`, ben)).toEqual([])
  })

  it('stay closed after a late request of the same page', async () => {
    const { app, maya, ben, othersOf } = await start()
    const url = `${tank}/${page('a')}`
    const close = () => app.send({ method: 'DELETE', url, headers: maya })
    expect((await close()).statusCode).toBe(204)
    await othersOf(url, maya)
    expect(await othersOf(`${tank}/${page('b')}`, ben)).toEqual([])
    await othersOf(`${tank}/${page('c')}`, maya)
    expect(await othersOf(`${tank}/${page('b')}`, ben)).toHaveLength(1)
  })

  it('can be closed repeatedly', async () => {
    const { app, maya } = await start()
    const url = `${tank.replace('tank', 'nothing')}/${page('a')}`
    expect((await app.send({ method: 'DELETE', url, headers: maya })).statusCode).toBe(204)
  })

  it('expire without requests of their page, and are deleted', async () => {
    const { database, maya, ben, othersOf } = await start()
    await othersOf(`${tank}/${page('a')}`, maya)
    await shiftReports(database, openExpiresAfterMs + 1)
    expect(await othersOf(`${tank}/${page('b')}`, ben)).toEqual([])
    const rows = await database.read.selectFrom('open_records').select('person_id').execute()
    expect(rows).toEqual([{ person_id: 'ben' }])
  })

  it('stay open while their page sends requests', async () => {
    const { database, maya, ben, othersOf } = await start()
    await othersOf(`${tank}/${page('a')}`, maya)
    await shiftReports(database, openExpiresAfterMs - 10_000)
    await othersOf(`${tank}/${page('a')}`, maya)
    await shiftReports(database, 20_000)
    expect(await othersOf(`${tank}/${page('b')}`, ben)).toHaveLength(1)
  })

  it('are refused with a reason', async () => {
    const { app, maya, open } = await start()
    expectProblem(await open(`${tank.replace('tank', 'nothing')}/${page('a')}`, maya), 404)
    expectProblem(await open(`${tank}/a`, maya), 400)
    const url = `${tank}/${page('a')}`
    expectProblem(await app.send({ method: 'PUT', url, headers: maya, payload: {} }), 400)
    expectProblem(await app.send({ method: 'PUT', url, payload: { isEditing: true } }), 401)
  })
})

const shiftReports = (database: Database, ms: number) =>
  database.write((transaction) =>
    transaction
      .updateTable('open_records')
      .set(({ eb }) => ({ said_at: eb('said_at', '-', ms) }))
      .execute(),
  )
