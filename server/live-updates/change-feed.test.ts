import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { onEngine } from '#test/databases/databases.ts'
import { storeChange, storeClient } from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { startTestApp } from '#test/server/test-app.ts'
import { startChangeFeed } from './change-feed.ts'

onEngine('sqlite', 'the change feed', (createDatabase) => {
  afterEach(() => {
    vi.useRealTimers()
  })

  async function pass(ms: number) {
    await vi.advanceTimersByTimeAsync(ms)
    for (let task = 0; task < 5; task++) await setImmediate()
  }

  it('reads twice a second, and soon after a write of its own server', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const feed = startChangeFeed(database, () => {})
    await feed.poll()
    await pass(0)
    const heard = vi.fn()
    feed.listen(heard)
    await storeChange(database, 'oak-hills', [])
    await pass(400)
    expect(heard).toHaveBeenCalledTimes(0)
    await pass(100)
    expect(heard).toHaveBeenCalledTimes(1)
    await storeChange(database, 'oak-hills', [])
    feed.pollSoon()
    await pass(100)
    expect(heard).toHaveBeenCalledTimes(2)
    await feed.close()
  })

  it('is triggered by writes that succeed', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    const app = await startTestApp(database)
    const pollSoon = vi.spyOn(app.changes, 'pollSoon')
    const headers = await signIn(database)
    const send = (payload: object) => app.send({ method: 'POST', url: '/api/clients', headers, payload })
    await app.get('/api/clients')
    expect((await send({})).statusCode).toBe(400)
    expect(pollSoon).not.toHaveBeenCalled()
    expect((await send({ name: 'Elm Park', location: 'Ohio' })).statusCode).toBe(201)
    expect(pollSoon).toHaveBeenCalledOnce()
  })
})
