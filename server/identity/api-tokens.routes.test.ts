import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ApiToken, MadeApiToken } from '#domain/access/api-token.schema.ts'
import { onEachEngine, onEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  anAsset,
  aParcel,
  storeClient,
  storeConfiguration,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { makeToken, noteClaim } from '#test/server/api-tokens.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'

const dayMs = 86_400_000
const soon = (days: number) => new Date(Date.now() + days * dayMs).toISOString()
const lot = '/api/maps/oak-hills/features/lot'
const tank = '/api/maps/oak-hills/features/tank'

const valid = { name: 'County sync', scopes: ['read', 'write'], mapIds: ['oak-hills'] }

function startWith(createDatabase: () => Promise<TestDatabase>) {
  return async (settings: Record<string, string> = {}) => {
    const database = await createDatabase()
    for (const id of ['oak-hills', 'elm-park']) await storeClient(database, id, { name: `Name of ${id}` })
    await storeFeatures(database, [anAsset({ id: 'tank' }), aParcel({ id: 'lot' })])
    await storeConfiguration(database, 'oak-hills', 1, { showPersonalData: false })
    const app = await startTestApp(database, { settings })
    const make = (headers: Record<string, string>, valid: object) =>
      app.send({ method: 'POST', url: '/api/tokens', headers, payload: valid })
    const list = async (headers: Record<string, string>, url = '/api/tokens') =>
      ((await app.get(url, headers)).json() as { items: ApiToken[] }).items
    const patch = (headers: Record<string, string>, change: object = { description: 'Full' }, version = 1) =>
      app.send({
        method: 'PATCH',
        url: tank,
        headers: { ...headers, 'if-match': `"${version}"` },
        payload: change,
      })
    return { database, app, make, list, patch, [Symbol.asyncDispose]: app.close }
  }
}

onEachEngine('API tokens', (createDatabase) => {
  const start = startWith(createDatabase)

  describe('are created', () => {
    it('by staff, with a secret that is shown once and stored as a hash', async () => {
      await using server = await start()
      const { database, make, list } = server
      const maya = await signIn(database, ['editor:oak-hills'])
      const answer = await make(maya, { ...valid, name: '  County sync ' })
      expect(answer.statusCode, answer.body).toBe(201)
      expect(answer.headers['cache-control']).toBe('no-store')
      const { secret, ...token } = answer.json<MadeApiToken>()
      expect(secret).toMatch(/^poa_[\w-]{43}$/)
      expect(token).toMatchObject({
        name: 'County sync',
        scopes: ['read', 'write'],
        maps: [{ id: 'oak-hills', name: 'Name of oak-hills' }],
        madeBy: 'Maya Ortiz',
        lastUsedAt: null,
      })
      const lastsMs = Date.parse(token.expiresAt) - Date.parse(token.createdAt)
      expect(lastsMs).toBe(365 * dayMs)
      expect(await list(maya)).toEqual([token])
      const rows = await database.read.selectFrom('api_tokens').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(secret.slice(4))
    })

    it('only by users with a role, for existing maps', async () => {
      await using server = await start()
      expectProblem(await server.make({}, valid), 401)
      expectProblem(await server.make(await signIn(server.database, []), valid), 400)
      const grace = await signIn(server.database)
      expectProblem(await server.make(grace, { ...valid, mapIds: ['nowhere'] }), 404)
    })

    it('up to 50 per user', async () => {
      await using server = await start()
      const maya = await signIn(server.database)
      for (let made = 0; made < 50; made++) await makeToken(server.database)
      expectProblem(await server.make(maya, valid), 409)
      const rosa = await signIn(server.database, 'administrator', { id: 'rosa' })
      expect((await server.make(rosa, valid)).statusCode).toBe(201)
    })
  })

  describe('are accepted', () => {
    it('as bearer tokens, and as a password with any user name', async () => {
      await using server = await start()
      const { secret, bearer, basic } = await makeToken(server.database)
      const ownerSeenBy = async (authorization: string) =>
        (await server.app.get(lot, { authorization })).json<{ owner?: string }>().owner
      expect(await ownerSeenBy(bearer.authorization)).toBe('Harold Vasquez')
      expect(await ownerSeenBy(basic.authorization)).toBe('Harold Vasquez')
      expect(await ownerSeenBy(`bearer  ${secret}`)).toBe('Harold Vasquez')
      expect(await ownerSeenBy(`Basic ${Buffer.from(`:${secret}`).toString('base64')}`)).toBe(
        'Harold Vasquez',
      )
      expect((await server.app.get(lot)).json().owner).toBeNull()
      const exported = '/api/maps/oak-hills/export?format=csv&kind=parcel'
      expect((await server.app.get(exported, bearer)).body).toContain('Harold Vasquez')
      expect((await server.app.get(exported)).body).not.toContain('Harold Vasquez')
    })

    it('until they expire or are revoked', async () => {
      await using server = await start()
      const { database, app } = server
      const ended = await makeToken(database)
      await database.write((transaction) =>
        transaction
          .updateTable('api_tokens')
          .set({ expires_at: Date.now() - 1 })
          .execute(),
      )
      expectProblem(await app.get(lot, ended.bearer), 401)
      const revoked = await makeToken(database)
      expect((await app.get(lot, revoked.bearer)).statusCode).toBe(200)
      const headers = await signIn(database)
      const gone = await app.send({ method: 'DELETE', url: `/api/tokens/${revoked.id}`, headers })
      expect(gone.statusCode).toBe(204)
      expectProblem(await app.get(lot, revoked.bearer), 401)
      expectProblem(await app.send({ method: 'DELETE', url: `/api/tokens/${revoked.id}`, headers }), 404)
    })
  })

  describe('have access', () => {
    it('by their scopes, and name a missing one', async () => {
      await using server = await start()
      const { database, app, patch } = server
      const reads = await makeToken(database, { scopes: ['read'] })
      const writes = await makeToken(database, { scopes: ['write'] })
      const imports = await makeToken(database, { scopes: ['import'] })
      expect((await app.get(lot, reads.bearer)).statusCode).toBe(200)
      expect(expectProblem(await patch(reads.bearer), 403).detail).toMatch(/lacks the scope 'write'/)
      expect((await app.get(lot, writes.bearer)).statusCode).toBe(200)
      expect((await patch(writes.bearer)).statusCode).toBe(200)
      const drafts = '/api/maps/oak-hills/import-drafts'
      const draft = { id: randomUUID(), files: [{ name: 'lots.csv', size: 4 }] }
      const begun = await app.send({ method: 'POST', url: drafts, headers: imports.bearer, payload: draft })
      expect(begun.json()).toMatchObject({ startedBy: 'Maya Ortiz, by token "County sync"' })
      expect(expectProblem(await app.get(drafts, reads.bearer), 403).detail).toMatch(
        /lacks the scope 'import'/,
      )
    })

    it('to their maps only, also for public data', async () => {
      await using server = await start()
      const { bearer } = await makeToken(server.database, { mapIds: ['elm-park'] })
      expect((await server.app.get('/api/maps/elm-park/features', bearer)).statusCode).toBe(200)
      expect(expectProblem(await server.app.get(lot, bearer), 403).detail).toMatch(
        /not valid for the map oak-hills/,
      )
    })

    it('as far as the current roles of their creator, and none without', async () => {
      await using server = await start()
      const { database, app, patch } = server
      const { bearer } = await makeToken(database, { mapIds: ['oak-hills', 'elm-park'] })
      expect((await patch(bearer)).statusCode).toBe(200)
      await noteClaim(database, ['editor:elm-park'])
      expect(expectProblem(await patch(bearer, { description: '' }, 2), 403).detail).toMatch(
        /no longer has a role/,
      )
      expect((await app.get('/api/maps/elm-park/activity', bearer)).statusCode).toBe(200)
      await noteClaim(database, [])
      for (const url of [lot, '/api/maps/elm-park/activity', '/ogc/oak-hills'])
        expectProblem(await app.get(url, bearer), 403)
      await database.write((transaction) => transaction.deleteFrom('last_roles').execute())
      expectProblem(await app.get(lot, bearer), 403)
      await noteClaim(database, 'administrator')
      expect((await app.get(lot, bearer)).statusCode).toBe(200)
    })

    it('to the list of their maps', async () => {
      await using server = await start()
      const { bearer } = await makeToken(server.database, { mapIds: ['elm-park'] })
      const { items } = (await server.app.get('/api/clients?mine=true', bearer)).json()
      expect(items.map(({ id }: { id: string }) => id)).toEqual(['elm-park'])
    })
  })

  it('appear in the history of a record and in the activity', async () => {
    await using server = await start()
    const { database, app, patch } = server
    const { id, bearer } = await makeToken(database)
    await patch(bearer)
    await patch(await signIn(database), { description: 'Empty' }, 2)
    const signed = { actor: 'Maya Ortiz, by token "County sync"', tokenId: id }
    const plain = { actor: 'Maya Ortiz', tokenId: null }
    const headers = await signIn(database)
    const history = (await app.get(`${tank}/history`, headers)).json()
    expect(history.items).toMatchObject([plain, signed])
    const activity = (await app.get('/api/maps/oak-hills/activity?limit=2', headers)).json()
    expect(activity.items).toMatchObject([plain, signed])
  })

  it('store their last use, once a minute at most', async () => {
    await using server = await start()
    const { database, app, list } = server
    const { bearer } = await makeToken(database)
    const headers = await signIn(database)
    await app.get(lot, bearer)
    await expect.poll(async () => (await list(headers))[0]?.lastUsedAt).not.toBeNull()
    const lastUsed = async () =>
      (await database.read.selectFrom('api_tokens').selectAll().executeTakeFirstOrThrow()).last_used_at
    const use = async (agoMs: number) => {
      const last_used_at = Date.now() - agoMs
      await database.write((transaction) =>
        transaction.updateTable('api_tokens').set({ last_used_at }).execute(),
      )
      await app.get(lot, bearer)
      return last_used_at
    }
    const recent = await use(30_000)
    const old = await use(61_000)
    await expect.poll(lastUsed).toBeGreaterThan(old)
    expect(await lastUsed()).toBeGreaterThan(recent)
  })

  it('are valid only with the same identity provider', async () => {
    await using server = await start()
    const { bearer } = await makeToken(server.database, {}, { issuer: 'https://login.example.org' })
    expectProblem(await server.app.get(lot, bearer), 401)
  })

  it('are shown to managers without their other maps, and revoked on that map only', async () => {
    await using server = await start()
    const { database, app, list } = server
    const mine = await makeToken(database, { mapIds: ['oak-hills', 'elm-park'] })
    const elsewhere = await makeToken(database, { mapIds: ['elm-park'] })
    const manager = await signIn(database, ['manager:oak-hills'], { id: 'rosa' })
    const url = '/api/maps/oak-hills/tokens'
    const listed = await list(manager, url)
    expect(listed.map(({ id }) => id)).toEqual([mine.id])
    expect(listed[0]).toMatchObject({ madeBy: 'Maya Ortiz', maps: [{ id: 'oak-hills' }] })
    expect(JSON.stringify(listed)).not.toContain('elm-park')
    expect(await list(manager)).toEqual([])
    const revoke = (path: string, id: string) =>
      app.send({ method: 'DELETE', url: `${path}/${id}`, headers: manager })
    expectProblem(await revoke('/api/tokens', mine.id), 404)
    expectProblem(await revoke(url, elsewhere.id), 404)
    expect((await app.get(lot, mine.bearer)).statusCode).toBe(200)
    expect((await revoke(url, mine.id)).statusCode).toBe(204)
    expectProblem(await app.get(lot, mine.bearer), 403)
    expect(await list(manager, url)).toEqual([])
    for (const { bearer } of [mine, elsewhere])
      expect((await app.get('/api/maps/elm-park/features', bearer)).statusCode).toBe(200)
    const last = await makeToken(database, { mapIds: ['oak-hills'] })
    expect((await revoke(url, last.id)).statusCode).toBe(204)
    expectProblem(await revoke(url, last.id), 404)
    expectProblem(await app.get(lot, last.bearer), 401)
  })
})

onEngine('sqlite', 'requests with API tokens', (createDatabase) => {
  const start = startWith(createDatabase)

  it('are created only with valid values, and name the invalid ones', async () => {
    await using server = await start()
    const maya = await signIn(server.database, ['editor:oak-hills'])
    for (const [field, change] of [
      ['name', { name: ' ' }],
      ['name', { name: 'a\u0007b' }],
      ['name', { name: 'right \u202e left' }],
      ['name', { name: 'x'.repeat(81) }],
      ['scopes', { scopes: [] }],
      ['scopes', { scopes: ['read', 'read'] }],
      ['scopes.0', { scopes: ['admin'] }],
      ['mapIds', { mapIds: [] }],
      ['mapIds.1', { mapIds: ['oak-hills', 'elm-park'] }],
      ['mapIds.0', { mapIds: ['nowhere'] }],
      ['expiresAt', { expiresAt: soon(-1) }],
      ['expiresAt', { expiresAt: soon(366) }],
      ['expiresAt', { expiresAt: 'tomorrow' }],
    ] as const) {
      const { errors } = expectProblem(await server.make(maya, { ...valid, ...change }), 400)
      expect(
        errors?.map(({ name }) => name),
        JSON.stringify(change),
      ).toContain(field)
    }
  })

  it('are accepted only if valid, also on public routes', async () => {
    await using server = await start()
    for (const [what, authorization] of [
      ['a wrong one', `Bearer poa_${'x'.repeat(43)}`],
      ['one of another shape', 'Bearer poa_x'],
      ['nothing', 'Bearer'],
      ['a wrong password', `Basic ${Buffer.from(`token:poa_${'x'.repeat(43)}`).toString('base64')}`],
      ['no password', `Basic ${Buffer.from('token').toString('base64')}`],
      ['another scheme', 'Digest username="maya"'],
    ] as const)
      for (const url of [lot, '/api/clients', '/ogc/oak-hills', '/api/maps/oak-hills/activity']) {
        const answer = await server.app.get(url, { authorization })
        expect(expectProblem(answer, 401).detail, what).toMatch(/invalid, has expired, or was revoked/)
        const challenge = authorization.startsWith('Basic')
          ? /^Basic realm=/
          : /^Bearer realm=.*invalid_token/
        expect(answer.headers['www-authenticate'], what).toMatch(challenge)
      }
  })

  it('are never accepted in the URL', async () => {
    await using server = await start()
    const { secret } = await makeToken(server.database)
    for (const name of ['token', 'access_token', 'api_key', 'key']) {
      const answer = await server.app.get(`${lot}?${name}=${secret}`)
      expect(answer.body).not.toContain('Harold')
    }
  })

  it('cause no password prompt of browsers for visitors', async () => {
    await using server = await start()
    const answer = await server.app.get('/api/maps/oak-hills/activity')
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="POA Land Management"')
  })

  it('have no access to users, settings, clients or tokens', async () => {
    await using server = await start()
    const { bearer } = await makeToken(server.database)
    for (const url of ['/api/tokens', '/api/jobs', '/api/session', '/api/maps/oak-hills/tokens'])
      expect(expectProblem(await server.app.get(url, bearer), 403).detail).toMatch(
        /not available to access tokens/,
      )
    expectProblem(await server.make(bearer, valid), 403)
    expectProblem(await server.app.get('/api/clients?state=archived', bearer), 403)
  })

  it('ignore the session of a cookie', async () => {
    await using server = await start()
    const { database, app, patch } = server
    const maya = await signIn(database)
    const { bearer } = await makeToken(database, { scopes: ['read'] })
    expectProblem(await patch({ ...maya, ...bearer }), 403)
    expect((await app.get('/api/clients?state=archived', maya)).statusCode).toBe(200)
    expectProblem(await app.get('/api/clients?state=archived', { ...maya, ...bearer }), 403)
    expectProblem(await app.get(lot, { ...maya, authorization: 'Bearer poa_x' }), 401)
  })

  it('are accepted from any origin without a cookie, otherwise from our own page only', async () => {
    await using server = await start()
    const { database, patch } = server
    const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const { bearer, basic } = await makeToken(database)
    const { cookie } = await signIn(database)
    expectProblem(await patch({ ...bearer, ...evil, cookie }), 403)
    expectProblem(await patch({ ...bearer, cookie }), 403)
    expectProblem(await patch({ ...basic, ...evil }), 403)
    expect((await patch({ ...bearer, ...evil })).statusCode).toBe(200)
    expect((await patch(basic, { description: 'Empty' }, 2)).statusCode).toBe(200)
  })

  it('are limited separately', async () => {
    await using server = await start({ TOKEN_RATE_LIMIT_PER_MINUTE: '3' })
    const { database, app } = server
    const [one, other] = [await makeToken(database), await makeToken(database)]
    for (let count = 0; count < 3; count++) expect((await app.get(lot, one.bearer)).statusCode).toBe(200)
    const answer = await app.get('/ogc/oak-hills', one.basic)
    expect(expectProblem(answer, 429).detail).toMatch(/This token reached the limit of 3 requests/)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect((await app.get(lot, other.bearer)).statusCode).toBe(200)
    expect((await app.get(lot)).statusCode).toBe(200)
  })

  it('are limited by address if they are invalid', async () => {
    await using server = await start({ RATE_LIMIT_PER_MINUTE: '3' })
    const wrong = { authorization: `Bearer poa_${'x'.repeat(43)}` }
    for (let count = 0; count < 3; count++) expectProblem(await server.app.get(lot, wrong), 401)
    expect(expectProblem(await server.app.get(lot, wrong), 429).detail).toMatch(
      /This address reached the limit of 3 requests/,
    )
  })

  it('count all invalid requests of one IPv6 network together', async () => {
    const settings = { RATE_LIMIT_PER_MINUTE: '2', TRUSTED_PROXIES: '1' }
    await using app = await startTestApp(await createDatabase(), { settings })
    const ask = (address: string) =>
      app.get('/api/clients', { authorization: 'Bearer nothing', 'x-forwarded-for': address })
    expectProblem(await ask('2001:db8:1:2::1'), 401)
    expectProblem(await ask('2001:db8:1:2::2'), 401)
    expectProblem(await ask('2001:db8:1:2::3'), 429)
    expectProblem(await ask('2001:db8:1:3::1'), 401)
  })

  it('give pages of other origins the reason of a rejection', async () => {
    await using server = await start()
    const answer = await server.app.get('/ogc/oak-hills', { authorization: 'Bearer nothing' })
    expectProblem(answer, 401)
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.headers['access-control-expose-headers']).toContain('WWW-Authenticate')
  })
})
