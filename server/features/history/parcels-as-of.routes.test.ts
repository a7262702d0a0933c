import { expect, it, onTestFinished, vi } from 'vitest'
import type { FeatureHistory } from '#domain/features/history.schema.ts'
import type { ParcelsAsOf } from '#domain/features/parcels-as-of.schema.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { anAsset, aParcel, square, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'

onEachEngine('parcels as of a time', (createDatabase) => {
  const [small, large] = [square(10, 20, 0.01), square(10, 20, 0.02)]

  async function start(database: TestDatabase) {
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [
      aParcel({ id: 'changed', name: 'Lot 1', geometry: small }),
      aParcel({ id: 'removed', name: 'Lot 2', geometry: square(10.1, 20, 0.01) }),
      aParcel({ id: 'same', name: 'Lot 3', geometry: square(10.2, 20, 0.01) }),
      aParcel({ id: 'elsewhere', geometry: square(40, 20, 0.01) }),
      anAsset({ id: 'pipe', geometry: square(10, 20, 0.01) }),
    ])
    const app = await startTestApp(database)
    onTestFinished(() => app.close())
    const staff = await signIn(database, ['editor:oak-hills'])
    const base = '/api/maps/oak-hills'
    const send = async (method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
      const headers = { ...staff, 'if-match': '*' }
      const answer = await app.send({ method, url: base + url, headers, ...(payload && { payload }) })
      expect(answer.statusCode, answer.body).toBeLessThan(300)
    }
    const asOf = async (at: string) =>
      (await app.get(`${base}/parcels-as-of?at=${at}&bbox=9,19,11,21`, staff)).json<ParcelsAsOf>()
    /** When the feature was changed last. */
    const changeOf = async (id: string) => {
      const { items } = (await app.get(`${base}/features/${id}/history`, staff)).json<FeatureHistory>()
      return Date.parse(items[0]?.at ?? '')
    }
    return { app, send, asOf, changeOf }
  }
  const textOf = (ms: number) => new Date(ms).toISOString()
  const statesOf = ({ items }: ParcelsAsOf) =>
    Object.fromEntries(items.map(({ id, name, since }) => [id, `${name} ${since}`]))

  it('have the names and shapes of that time', async () => {
    const { send, asOf, changeOf } = await start(await createDatabase())
    await send('PATCH', '/features/changed', { geometry: large, name: 'Lot 1A' })
    await send('DELETE', '/features/removed')
    await send('POST', '/features', aParcel({ id: 'added', name: 'Lot 4', geometry: square(10.3, 20, 0.01) }))
    const changedAt = await changeOf('changed')

    const before = await asOf(textOf(changedAt - 1))
    expect(statesOf(before)).toEqual({
      changed: 'Lot 1 changed',
      removed: 'Lot 2 removed',
      same: 'Lot 3 same',
    })
    expect(before).toMatchObject({ added: 1, isComplete: true })
    expect(before.items.find(({ id }) => id === 'changed')?.geometry).toEqual(small)

    expect((await asOf('2001-01-01T00:00:00Z')).items).toEqual([])

    const after = await asOf(textOf(await changeOf('added')))
    expect(statesOf(after)).toEqual({
      changed: 'Lot 1A same',
      same: 'Lot 3 same',
      added: 'Lot 4 same',
    })
    expect(after.items.find(({ id }) => id === 'changed')?.geometry).toEqual(large)
  })

  it('follow changes that were undone, and other fields', async () => {
    const { send, asOf, changeOf } = await start(await createDatabase())
    await send('PATCH', '/features/changed', { geometry: large })
    const changedAt = await changeOf('changed')
    await send('PATCH', '/features/changed', { geometry: small, owner: 'Rosa Ortiz' })
    const then = await asOf(textOf(changedAt - 1))
    expect(statesOf(then).changed).toBe('Lot 1 same')
  })

  it('can be those of any time until the end of the current day', async () => {
    const database = await createDatabase()
    const { app, asOf } = await start(database)
    await database.write((transaction) =>
      transaction.updateTable('clients').set({ time_zone: 'America/Phoenix' }).execute(),
    )
    vi.useFakeTimers({ now: Date.parse('2026-11-28T20:00:00Z'), toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    expect((await asOf('2026-11-29T06:59:59.999Z')).items).toHaveLength(3)
    const staff = await signIn(database, ['editor:oak-hills'])
    const future = '/api/maps/oak-hills/parcels-as-of?at=2026-11-29T07:00:00Z&bbox=9,19,11,21'
    const { detail } = expectProblem(await app.get(future, staff), 400)
    expect(detail).toBe('at: must not be in the future')
  })

  it('are for staff', async () => {
    const database = await createDatabase()
    const { app } = await start(database)
    const url = '/api/maps/oak-hills/parcels-as-of?at=2026-01-01T00:00:00Z&bbox=9,19,11,21'
    expectProblem(await app.get(url), 401)
    const staff = await signIn(database)
    expectProblem(await app.get(url.replace('T00:00:00Z', ''), staff), 400)
    expectProblem(await app.get(url.replace('oak-hills', 'nowhere'), staff), 404)
  })
})
