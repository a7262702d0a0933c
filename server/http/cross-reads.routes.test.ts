import { expect, it } from 'vitest'
import { onEachEngine } from '#test/databases/databases.ts'
import {
  anIncident,
  aParcel,
  storeChange,
  storeClient,
  storeConfiguration,
} from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'

/** Only staff of oak-hills may read these. */
const secrets = ['Harold Vasquez', 'Rosa Whitfield', '1234.5', 'never to be told']

onEachEngine('data of one client', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    for (const id of ['oak-hills', 'elm-park']) await storeClient(database, id)
    await storeClient(database, 'closed', { name: 'never to be told', archived: true })
    const of = { mapId: 'oak-hills' }
    await storeChange(database, 'oak-hills', [
      aParcel({ ...of, id: 'lot' }),
      anIncident({ ...of, id: 'fire', parcelId: 'lot' }),
    ])
    await storeConfiguration(database, 'oak-hills', 1, { showPersonalData: false })
    await storeConfiguration(database, 'elm-park', 1, { showPersonalData: true })
    return { database, app: await startTestApp(database) }
  }

  it.each([
    ['a visitor', null],
    ['a user without a role', []],
    ['staff of another client', ['manager:elm-park', 'editor:closed']],
  ])('is hidden from %s', async (_who, claim) => {
    const { database, app } = await start()
    await using _ = app
    const headers: Record<string, string> = claim === null ? {} : await signIn(database, claim)
    for (const path of ['activity', 'configuration/versions', 'drawings'])
      expectProblem(await app.get(`/api/maps/oak-hills/${path}`, headers), claim === null ? 401 : 403)
    for (const path of [
      '/api/maps/oak-hills/features',
      '/api/maps/oak-hills/features?text=harold',
      '/api/maps/oak-hills/features?sort=parcel',
      '/api/maps/oak-hills/features/lot',
      '/api/maps/oak-hills/features/fire',
      '/api/maps/oak-hills',
      '/api/clients',
      '/api/clients?text=told',
    ]) {
      const answer = await app.get(path, headers)
      expect(answer.statusCode, path).toBe(200)
      for (const secret of secrets) expect(answer.body, path).not.toContain(secret)
    }
    expect((await app.get('/api/clients?state=archived', headers)).statusCode).toBe(
      claim === null ? 401 : 403,
    )
    for (const path of ['/api/clients/closed', '/api/maps/closed', '/api/maps/closed/features'])
      expectProblem(await app.get(path, headers), 404)
  })

  it('is shown to its own staff, and not cached for others', async () => {
    const { database, app } = await start()
    await using _ = app
    for (const claim of [['editor:oak-hills'], ['manager:oak-hills'], 'administrator']) {
      const headers = await signIn(database, claim)
      const lot = await app.get('/api/maps/oak-hills/features/lot', headers)
      expect(lot.json()).toMatchObject({ owner: 'Harold Vasquez', taxInfo: { annualAmount: 1234.5 } })
      expect((await app.get('/api/maps/oak-hills/features/fire', headers)).body).toContain('Rosa Whitfield')
      for (const answer of [
        lot,
        await app.get('/api/maps/oak-hills/activity', headers),
        await app.get('/api/maps/oak-hills/configuration/versions', headers),
        await app.get('/api/maps/oak-hills/drawings', headers),
        await app.get('/api/clients?mine=true', headers),
      ]) {
        expect(answer.statusCode).toBe(200)
        expect(answer.headers['cache-control']).toBe('private, no-cache')
        expect(String(answer.headers.vary)).toMatch(/cookie/i)
      }
    }
    const answer = await app.get('/api/maps/oak-hills/features/lot')
    expect(answer.headers).toMatchObject({ 'cache-control': 'private, no-cache', etag: '"1"' })
    expect(String(answer.headers.vary)).toMatch(/cookie/i)
  })
})
