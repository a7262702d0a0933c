import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ActivityAction, activityActions } from '#domain/activity/activity-rules.ts'
import { newFeature } from '#domain/features/feature.schema.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  anAsset,
  anIncident,
  storeClient,
  storeConfiguration,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { aSubscriptionRow } from '#test/databases/subscription-rows.ts'
import { makeStubPage } from '#test/page/stub-page.ts'
import { arbitraryFeatures } from '#test/random/arbitrary-features.ts'
import { type FuzzRequest, nearlyValidRequest, randomRequest } from '#test/random/fuzz-requests.ts'
import { nearlyValidWrite } from '#test/random/fuzz-slips.ts'
import { goodWriteNames, recordedByWrites, roundOfWrites } from '#test/random/fuzz-writes.ts'
import { times } from '#test/random/how-much.ts'
import { makeToken } from '#test/server/api-tokens.ts'
import { type SignedIn, signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'
import { insertSubscription } from './subscriptions/subscriptions.queries.ts'

const requestCount = times(500)

const maxRounds = 20

const notByRequest = [
  'sample.created',
  'features.imported',
  'features.import-undone',
  'features.rebuilt',
  'features.bulk-changing',
  'database.restored',
  'webhook.stopped',
  'notice.sent',
]

const onlyReading = ['preview such a change', 'preview a notice', 'look for features within an area']

const batchSize = 25

const page = makeStubPage()
afterAll(() => page.remove())

onEachEngine('random requests', (createDatabase) => {
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
    await database.write((transaction) => insertSubscription(transaction, aSubscriptionRow({ notices: 1 })))
    staff = await signIn(database)
    app = await startTestApp(database, {
      pageDirectory: page.folder,
      // The answer to a server error does not have its cause.
      settings: { LOG_LEVEL: 'error', SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'land@example.org' },
    })
  })
  afterAll(() => app.close())

  it('cover every change of the interface', () => {
    expect([...recordedByWrites, ...notByRequest].sort()).toEqual([...activityActions].sort())
  })

  it('start from a state in which each valid change succeeds', expectEachChange)

  it.each([
    ['at random', randomRequest],
    ['with one slip', fc.oneof(nearlyValidRequest, nearlyValidWrite)],
  ])(
    'never cause a server error: %s',
    async (_what, request) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(request, { minLength: batchSize, maxLength: batchSize }),
          async (requests) => {
            await Promise.all(requests.filter(hasEnd).map(expectAnswer))
          },
        ),
        { numRuns: Math.ceil(requestCount / batchSize), endOnFailure: true },
      )
    },
    300_000,
  )

  it('leave each valid change possible', expectEachChange)

  it('change nothing with a read-only token', async () => {
    const { bearer } = await makeToken(database, { scopes: ['read'], mapIds: ['oak-hills'] })
    const before = await countChanges()
    for (const [name, { isSignedIn: _, ...request }] of roundOfWrites()) {
      const { statusCode, body } = await app.send({ ...request, headers: { ...request.headers, ...bearer } })
      if (onlyReading.includes(name)) expect(statusCode, `${name}: ${body}`).toBe(200)
      else expect(statusCode, `${name}: ${body}`).toBe(403)
    }
    expect(await countChanges()).toEqual(before)
  })

  async function expectEachChange() {
    const before = await countChanges()
    const refused = new Map(goodWriteNames.map((name) => [name, '']))
    let missing: ActivityAction[] = [...recordedByWrites]
    for (let round = 0; round < maxRounds && refused.size + missing.length > 0; round += 1) {
      for (const [name, request] of roundOfWrites()) {
        const { statusCode, body } = await expectAnswer(request)
        if (statusCode < 300) refused.delete(name)
        else if (refused.has(name)) refused.set(name, body)
      }
      const counts = await countChanges()
      missing = recordedByWrites.filter((action) => counts.get(action) === before.get(action))
    }
    expect([...refused, ...missing], JSON.stringify([...refused])).toEqual([])
  }

  async function countChanges() {
    const rows = await database.read
      .selectFrom('activity')
      .select(['action', (builder) => builder.fn.countAll<number>().as('count')])
      .groupBy('action')
      .execute()
    return new Map(rows.map(({ action, count }) => [action, Number(count)]))
  }

  async function expectAnswer({ isSignedIn, ...asked }: FuzzRequest) {
    const request = { ...asked, headers: { ...(isSignedIn ? staff : {}), ...asked.headers } }
    const answer = await app.send(request)

    expect(answer.statusCode, `${request.method} ${request.url}: ${answer.body.slice(0, 300)}`).toBeLessThan(
      500,
    )
    if (answer.statusCode >= 400 && request.method !== 'HEAD') {
      const { errors } = expectProblem(answer, answer.statusCode)
      for (const { in: place } of errors ?? []) expect(['path', 'query', 'body', 'header']).toContain(place)
    }
    return answer
  }
})

function hasEnd({ method, url }: FuzzRequest): boolean {
  return method !== 'GET' || !/^\/api\/events\/?(\?|$)/.test(url)
}
