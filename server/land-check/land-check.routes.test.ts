import { expect, it, onTestFinished } from 'vitest'
import type { LandCheckAnswer } from '#domain/land-check/land-check.schema.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { aParcel, square, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'
import { startJobRunner } from '../jobs/job-runner.ts'
import { landCheckJob } from './land-check-job.ts'

const url = '/api/maps/oak-hills/land-check'
const side = 0.001

onEachEngine('a check of the land', (createDatabase) => {
  async function start(database: TestDatabase) {
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [
      aParcel({ id: 'west', name: 'Lot 1', geometry: square(10, 20, side) }),
      aParcel({ id: 'over', name: 'Lot 2', geometry: square(10 + side / 2, 20, side) }),
      aParcel({ id: 'apart', name: 'Lot 3', geometry: square(11, 20, side) }),
    ])
    const app = await startTestApp(database)
    onTestFinished(() => app.close())
    const jobs = startJobRunner(database, [landCheckJob(database.location)], {
      onError: () => {},
      pollMs: null,
    })
    onTestFinished(() => jobs.close())
    const editor = await signIn(database, ['editor:oak-hills'])
    const read = async () => (await app.get(url, editor)).json<{ check: LandCheckAnswer | null }>().check
    const begin = async () => {
      const answer = await app.send({ method: 'POST', url, headers: editor })
      expect(answer.statusCode, answer.body).toBe(202)
      return answer.json<{ check: LandCheckAnswer }>().check
    }
    return { app, jobs, editor, read, begin }
  }

  it('finds problems in the background, and tells which may be outdated', async () => {
    const database = await createDatabase()
    const { app, jobs, editor, read, begin } = await start(database)
    expect(await read()).toBeNull()
    const begun = await begin()
    expect(begun).toMatchObject({ state: 'waiting', progress: 0, problems: [], finishedAt: null })
    expect(await begin()).toEqual(begun)
    await jobs.work()
    const done = await read()
    expect(done).toMatchObject({ state: 'done', progress: 1, parcels: 3, failure: null, isOutdated: false })
    expect(done?.counts).toMatchObject({ overlap: 1, gap: 0, 'missing-corner': 4 })
    const overlap = done?.problems.find((problem) => problem.class === 'overlap')
    expect(overlap).toMatchObject({ ids: ['over', 'west'], names: ['Lot 2', 'Lot 1'], isCurrent: true })
    expect(overlap?.box.map((value) => Number(value.toFixed(4)))).toEqual([10.0005, 20, 10.001, 20.001])

    const change = await app.send({
      method: 'PATCH',
      url: '/api/maps/oak-hills/features/over',
      headers: { ...editor, 'if-match': '*' },
      payload: { geometry: square(10 + side, 20, side) },
    })
    expect(change.statusCode, change.body).toBe(200)
    expect((await read())?.problems.map(({ isCurrent }) => isCurrent)).toEqual(Array(5).fill(false))
    expect(await read()).toMatchObject({ isOutdated: true })
    await begin()
    await jobs.work()
    expect(await read()).toMatchObject({
      state: 'done',
      isOutdated: false,
      problems: [],
      counts: { overlap: 0 },
    })
  })

  it('can be canceled, also before its job begins', async () => {
    const database = await createDatabase()
    const { app, jobs, editor, read, begin } = await start(database)
    await begin()
    const removed = await app.send({ method: 'DELETE', url, headers: editor })
    expect(removed.statusCode).toBe(204)
    await jobs.work()
    expect(await read()).toBeNull()
  })

  it('is for editors', async () => {
    const database = await createDatabase()
    const { app } = await start(database)
    expectProblem(await app.get(url), 401)
    const viewer = await signIn(database, 'viewer')
    expectProblem(await app.get(url, viewer), 403)
    expectProblem(await app.send({ method: 'POST', url, headers: viewer }), 403)
    expectProblem(await app.get('/api/maps/nowhere/land-check', await signIn(database)), 404)
  })
})
