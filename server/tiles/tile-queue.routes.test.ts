import { sql } from 'kysely'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '#server/database/open-database.ts'
import { onEngine } from '#test/databases/databases.ts'
import { anAsset, storeFeatures, storeMap } from '#test/databases/feature-builders.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'

const pollOptions = { timeout: 20_000, interval: 5 }

// PostgreSQL can block the threads; the queue before them does not depend on the engine.

onEngine('postgres', 'pending tiles', (createDatabase) => {
  /** Locks the table until `release`. Three tiles are then in progress, and five may wait. */
  async function startLocked(table = 'features') {
    const database = await createDatabase()
    await storeMap(database, 'oak-hills')
    await storeFeatures(database, [anAsset({ id: 'oak' })])
    const held = Promise.withResolvers<void>()
    const holder = await openDatabase(database.location)
    const isHeld = Promise.withResolvers<void>()
    const holding = holder.write(async (transaction) => {
      await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(transaction)
      isHeld.resolve()
      await held.promise
    })
    onTestFinished(async () => {
      held.resolve()
      await holding
      await holder.close()
    })
    await isHeld.promise

    const tileLimits = { maxWaiting: 5, timeLimitMs: 60_000, workLimitMs: 60_000 }
    const app = await startTestApp(database, { tileLimits })
    const encode = vi.spyOn(app.tilePool, 'encode')
    async function ask(x: number) {
      const before = encode.mock.calls.length
      const leaving = new AbortController()
      const { signal } = leaving
      const url = `/api/maps/oak-hills/tiles/17/${x}/0.mvt`
      const answer = app.app.inject({ url, signal })
      const status = answer.then(
        ({ statusCode }) => statusCode,
        () => 'left',
      )
      await expect.poll(() => encode.mock.calls.length, pollOptions).toBe(before + 1)
      return { answer, status, leave: () => leaving.abort() }
    }
    const askAll = async (...all: number[]) => {
      const requests = []
      for (const x of all) requests.push(await ask(x))
      return requests
    }
    return { database, app, encode, askAll, release: held.resolve }
  }

  it('wait in a limited queue, which rejects the oldest', async () => {
    const { app, askAll, release } = await startLocked()
    await using _ = app
    const requests = await askAll(0, 1, 2, 3, 4, 5, 6, 7, 8)
    const refused = await requests[3]?.answer
    if (!refused) throw new Error('there is no such request')
    expectProblem(refused, 503)
    expect(refused.headers['retry-after']).toBe('5')
    release()
    const statuses = await Promise.all(requests.map(({ status }) => status))
    expect(statuses).toEqual([200, 200, 200, 503, 200, 200, 200, 200, 200])
    expect((await app.get('/api/maps/oak-hills/tiles/17/3/0.mvt')).statusCode).toBe(200)
  })

  it('leave the queue when all clients have disconnected', async () => {
    const { app, askAll, release } = await startLocked()
    await using _ = app
    const stayed = await askAll(0, 1, 2, 3)
    const gone = await askAll(4, 5, 6, 7)
    for (const { leave } of gone) leave()
    expect(await Promise.all(gone.map(({ status }) => status))).toEqual(['left', 'left', 'left', 'left'])
    const next = await askAll(8, 9, 10, 11)
    release()
    const statuses = await Promise.all([...stayed, ...next].map(({ status }) => status))
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it.each([
    ['tiles', 'tiles/17/0/0.mvt'],
    ['searches', 'features?text=oak'],
    ['positions', 'features/oak/position?sort=name'],
  ])('and %s are skipped for disconnected clients', async (_what, path) => {
    const { database, app, encode, release } = await startLocked('maps')
    await using _ = app
    const inWorker = vi.spyOn(database, 'readInWorker')
    const leaving = new AbortController()
    const { signal } = leaving
    const abandoned = app.app.inject({ url: `/api/maps/oak-hills/${path}`, signal }).catch(() => 'left')
    const waiting = sql`select 1 from pg_locks where relation = 'maps'::regclass and not granted`
    await expect
      .poll(async () => (await waiting.execute(database.read)).rows.length, pollOptions)
      .toBeGreaterThan(0)
    leaving.abort()
    expect(await abandoned).toBe('left')
    release()
    const begun = () => [...encode.mock.calls, ...inWorker.mock.calls]
    await expect.poll(() => begun().length, pollOptions).toBe(1)
    expect(begun().map(([{ signal }]) => signal.aborted)).toEqual([true])
  })
})
