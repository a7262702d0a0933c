import { expect, it } from 'vitest'
import type { PeoplePage } from '#domain/access/people.schema.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { noteClaim } from '#test/server/api-tokens.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'
import { noteRoles } from './last-roles.queries.ts'

const dayMs = 86_400_000

onEachEngine('the list of people', (createDatabase) => {
  async function start(settings: Record<string, string> = {}) {
    const database: TestDatabase = await createDatabase()
    await storeClient(database, 'oak-hills', { name: 'Oak Hills POA' })
    const app = await startTestApp(database, { settings })
    const headers = await signIn(database, 'administrator', { settings })
    const list = async (query = '') => (await app.get(`/api/people${query}`, headers)).json<PeoplePage>()
    return { database, app, headers, list, [Symbol.asyncDispose]: app.close }
  }
  const namesIn = ({ items }: PeoplePage) => items.map(({ name }) => name)

  it('is for administrators only', async () => {
    await using server = await start()
    expectProblem(await server.app.get('/api/people'), 401)
    for (const claim of [[], ['editor:oak-hills'], ['manager:oak-hills']])
      expectProblem(await server.app.get('/api/people', await signIn(server.database, claim)), 403)
    const answer = await server.app.get('/api/people', server.headers)
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.headers['cache-control']).toBe('private, no-cache')
  })

  it('has the roles of the last sign-in, by map, without ids of the provider', async () => {
    await using server = await start()
    await noteClaim(server.database, 'administrator', 'ana@example.org', 'Ana Byron')
    await noteClaim(server.database, 'administrator', 'rosa@example.org', 'Rosa Delgado')
    await noteClaim(
      server.database,
      ['manager:oak-hills', 'editor:No \0 map'],
      'rosa@example.org',
      'Rosa Delgado',
    )
    const page = await server.list()
    expect(page).toMatchObject({ total: 2, next: null, rolesClaim: null })
    const [rosa, ana] = page.items.toSorted((one, other) => other.name.localeCompare(one.name))
    expect(ana).toMatchObject({ name: 'Ana Byron', isAdministrator: true, maps: [], mapCount: 0 })
    expect(rosa).toMatchObject({ isAdministrator: false, mapCount: 2 })
    expect(rosa?.maps).toContainEqual({ id: 'oak-hills', name: 'Oak Hills POA', role: 'manager' })
    expect(rosa?.maps).toContainEqual({ id: 'No \0 map', name: null, role: 'editor' })
    expect(JSON.stringify(page)).not.toContain('example.org')
  })

  it('names at most 20 maps of a user', async () => {
    await using server = await start()
    await noteClaim(
      server.database,
      Array.from({ length: 30 }, (_, index) => `editor:map-${index}`),
    )
    const [person] = (await server.list()).items
    expect([person?.maps.length, person?.mapCount]).toEqual([20, 30])
  })

  it('is paged, last sign-in first, without sign-ins before 400 days ago', async () => {
    await using server = await start()
    const now = Date.now()
    // From 5 to 1: the cleanup of a later sign-in must not delete earlier ones. Two at one time.
    for (const [index, days] of [401, 5, 3, 3, 1].entries())
      await noteRoles(
        server.database,
        { digest: `digest-${index}`, name: `Person ${index}`, roles: [] },
        now - days * dayMs,
      )
    const names: string[] = []
    let after = ''
    do {
      const page = await server.list(`?limit=1${after}`)
      expect([page.items.length, page.total]).toEqual([1, 4])
      names.push(...namesIn(page))
      after = page.next === null ? '' : `&after=${page.next}`
    } while (after !== '')
    expect(names).toEqual(['Person 4', 'Person 2', 'Person 3', 'Person 1'])
    expectProblem(await server.app.get('/api/people?after=x', server.headers), 400)
    expectProblem(await server.app.get('/api/people?limit=501', server.headers), 400)
  })

  it('is searched by name without accents', async () => {
    await using server = await start()
    await noteClaim(server.database, [], 'a', 'José Núñez')
    await noteClaim(server.database, [], 'b', 'Rosa Delgado')
    expect(namesIn(await server.list('?text=NUNEZ'))).toEqual(['José Núñez'])
    expect(namesIn(await server.list('?text=%25'))).toHaveLength(2)
  })

  it('names the claim of the identity provider', async () => {
    const provider = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'poa' }
    await using server = await start({ ...provider, OIDC_ROLES_CLAIM: 'poa_roles' })
    expect((await server.list()).rolesClaim).toBe('poa_roles')
  })
})
