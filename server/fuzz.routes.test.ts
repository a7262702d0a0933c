import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newFeature } from '#domain/features/feature.schema.ts'
import { arbitraryFeatures } from '#test/arbitrary-features.ts'
import { onEachEngine, type TestDatabase } from '#test/databases.ts'
import {
  anAsset,
  anIncident,
  storeClient,
  storeConfiguration,
  storeFeatures,
} from '#test/feature-builders.ts'
import { type FuzzRequest, nearlyValidRequest, randomRequest } from '#test/fuzz-requests.ts'
import { nearlyValidWrite } from '#test/fuzz-writes.ts'
import { type SignedIn, signIn } from '#test/signed-in.ts'
import { makeStubPage } from '#test/stub-page.ts'
import { expectProblem, startTestApp, type TestApp } from '#test/test-app.ts'

/** How many requests of each sort are sent to each engine. */
const requestCount = Number(process.env.FUZZ_RUNS ?? 10_000)

/** So many at a time, as a busy server has them. */
const batchSize = 25

const page = makeStubPage()
afterAll(() => page.remove())

onEachEngine('whatever is asked', (createDatabase) => {
  let database: TestDatabase
  let app: TestApp
  let staff: SignedIn
  beforeAll(async () => {
    database = await createDatabase()
    await storeClient(database, 'oak-hills', { thumbnail: 'data:image/svg+xml,<svg/>' })
    await storeClient(database, 'closed', { archived: true })
    await storeClient(database, 'elm-park')
    await storeConfiguration(database, 'oak-hills', 1, { showPersonalData: false })
    const features = fc
      .sample(arbitraryFeatures, { numRuns: 10, seed: 3 })
      .flat()
      .filter((feature) => newFeature.safeParse(feature).success)
    await storeFeatures(
      database,
      features.map((feature, index) => ({ ...feature, id: `f${index}`, mapId: 'oak-hills' })),
    )
    await storeFeatures(database, [anAsset({ id: 'tank' }), anIncident({ id: 'smoke' })])
    staff = await signIn(database)
    app = await startTestApp(database, { pageDirectory: page.folder })
  })
  afterAll(() => app.close())

  it.each([
    ['at random', randomRequest],
    ['with one slip', fc.oneof(nearlyValidRequest, nearlyValidWrite)],
  ])(
    '%s, is answered or refused, and never fails',
    async (_what, request) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(request, { minLength: batchSize, maxLength: batchSize }),
          async (requests) => {
            await Promise.all(requests.map(expectAnswer))
          },
        ),
        { numRuns: Math.ceil(requestCount / batchSize), endOnFailure: true },
      )
    },
    300_000,
  )

  it('was often enough a good request: things have changed', async () => {
    const rows = await database.read.selectFrom('activity').select('action').distinct().execute()
    const actions = rows.map(({ action }) => action)
    // Usually there are ten kinds of changes. Which of them come about is up to chance; that only few do is not.
    expect(actions.length, actions.join()).toBeGreaterThanOrEqual(5)
  })

  async function expectAnswer({ isSignedIn, ...asked }: FuzzRequest) {
    const request = { ...asked, headers: { ...(isSignedIn ? staff : {}), ...asked.headers } }
    // The event stream has no end.
    if (/^\/api\/events\/?(\?|$)/.test(request.url) && request.method === 'GET') return
    const answer = await app.send(request)

    expect(answer.statusCode, `${request.method} ${request.url}: ${answer.body.slice(0, 300)}`).toBeLessThan(
      500,
    )
    if (answer.statusCode >= 400 && request.method !== 'HEAD') {
      const { errors } = expectProblem(answer, answer.statusCode)
      for (const { in: place } of errors ?? []) expect(['path', 'query', 'body', 'header']).toContain(place)
    }
  }
})
