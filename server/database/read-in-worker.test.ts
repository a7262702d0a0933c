import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { onEachEngine, onEngine } from '#test/databases/databases.ts'
import { aQueueClient, askEndlessly } from '#test/databases/endless-query.ts'
import type { Database } from './database.ts'
import type { WorkerLimits } from './fair-queue.ts'
import { openDatabase } from './open-database.ts'

const anHour = 3_600_000

onEachEngine('readInWorker', (createDatabase, { engine }) => {
  async function open(limits: Partial<WorkerLimits>) {
    const { location } = await createDatabase()
    const database = await openDatabase(location, undefined, { timeLimitMs: anHour, ...limits })
    onTestFinished(() => database.close())
    return database
  }

  function ask(database: Database, mapId = 'a-map', signal?: AbortSignal): Promise<unknown> {
    return database
      .readInWorker(
        aQueueClient(mapId, signal),
        async (read) => (await sql`select 1 as one`.execute(read)).rows,
      )
      .catch((error: unknown) => error)
  }
  const answer = [{ one: 1 }]

  async function countUnderWay({ read }: Database): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from pg_stat_activity
      where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`.execute(read)
    return rows[0]?.count ?? 0
  }

  it('ends at the time limit', async () => {
    const database = await open({ atOnce: 1, timeLimitMs: 500 })
    const { outcome } = await askEndlessly(database)
    expect(await outcome).toMatchObject({ reason: 'too long' })
    if (engine === 'postgres') expect(await countUnderWay(database)).toBe(0)
    expect(await ask(database)).toEqual(answer)
  })

  it('ends when the client disconnects', async () => {
    const database = await open({ atOnce: 1 })
    const { outcome, leave } = await askEndlessly(database)
    leave()
    expect(await outcome).toMatchObject({ reason: 'left' })
    if (engine === 'postgres') expect(await countUnderWay(database)).toBe(0)
    expect(await ask(database)).toEqual(answer)
  })

  it('frees its place when the client disconnects', async () => {
    const database = await open({ atOnce: 1, maxWaiting: 1 })
    const { leave } = await askEndlessly(database)
    const client = new AbortController()
    const first = ask(database, 'a-map', client.signal)
    client.abort()
    expect(await first).toMatchObject({ reason: 'left' })
    const second = ask(database)
    leave()
    expect(await second).toEqual(answer)
    expect(await ask(database, 'a-map', AbortSignal.abort())).toMatchObject({ reason: 'left' })
  })

  it('rejects a query if the queue is full', async () => {
    const database = await open({ atOnce: 1, maxWaiting: 2 })
    const { leave } = await askEndlessly(database)
    const waiting = [ask(database), ask(database), ask(database)]
    expect(await waiting[0]).toMatchObject({ reason: 'full' })
    leave()
    expect(await Promise.all(waiting.slice(1))).toEqual([answer, answer])
  })

  it('takes turns by map', async () => {
    const database = await open({ atOnce: 1, maxWaiting: 4 })
    const { leave } = await askEndlessly(database, 'crowded')
    const order: string[] = []
    const noted = (mapId: string) =>
      ask(database, mapId).then((outcome) =>
        order.push(outcome instanceof Error ? `${mapId} refused` : mapId),
      )
    const all = ['crowded', 'crowded', 'crowded', 'crowded', 'quiet', 'other'].map(noted)
    leave()
    await Promise.all(all)
    expect(order).toEqual(['crowded refused', 'crowded refused', 'crowded', 'quiet', 'other', 'crowded'])
  })

  it('leaves a place for other maps', async () => {
    const database = await open({ atOnce: 2 })
    const { leave, outcome } = await askEndlessly(database, 'crowded')
    const waiting = ask(database, 'crowded')
    expect(await ask(database, 'quiet')).toEqual(answer)
    leave()
    expect(await waiting).toEqual(answer)
    expect(await outcome).toMatchObject({ reason: 'left' })
  })

  it('does not prevent closing the database', async () => {
    const { location } = await createDatabase()
    const database = await openDatabase(location, undefined, { timeLimitMs: anHour })
    const { outcome } = await askEndlessly(database)
    await database.close()
    expect(await outcome).toMatchObject({ reason: 'closed' })
  })
})

onEngine('postgres', 'readInWorker', (createDatabase) => {
  it('ends at its time limit without a connection for the cancellation', async () => {
    const { location } = await createDatabase()
    const database = await openDatabase(location, undefined, { timeLimitMs: 500 })
    onTestFinished(() => database.close())
    const { outcome } = await askEndlessly(database)
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    const begun = Array.from({ length: 10 }, () => Promise.withResolvers<void>())
    const holding = begun.map(({ resolve }) =>
      database.write(async (transaction) => {
        await sql`select 1`.execute(transaction)
        resolve()
        await isOver
      }),
    )
    await Promise.all(begun.map(({ promise }) => promise))
    expect(await outcome).toMatchObject({ reason: 'too long' })
    end()
    await Promise.all(holding)
  })
})
