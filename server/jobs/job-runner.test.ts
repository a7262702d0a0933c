import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { startTestApp } from '#test/server/test-app.ts'
import { type AnyJobKind, defineJob, maxAttempts, whileWanted } from './job-kind.ts'
import { type RunnerOptions, startJobRunner } from './job-runner.ts'
import { insertJob } from './jobs.queries.ts'

const never = () => Promise.reject(new Error('The tank is empty.'))

function paint(step: (name: string) => Promise<'more' | 'done'>, given: string[] = []): AnyJobKind {
  return defineJob({
    name: 'paint',
    payload: z.object({ name: z.string() }),
    step: ({ payload }) => step(payload.name),
    giveUp: async (_transaction, { payload }) => {
      given.push(payload.name)
    },
  })
}

const maps = ['oak-hills', 'pine-ridge', 'elk-meadow', 'birch-lake'] as const

onEachEngine('jobs', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    for (const mapId of maps) await storeClient(database, mapId)
    const errors: unknown[] = []
    const run = (kind: AnyJobKind, options: Partial<RunnerOptions> = {}) => {
      const runner = startJobRunner(database, [kind], {
        onError: (error) => errors.push(error),
        pollMs: null,
        ...options,
      })
      onTestFinished(() => runner.close())
      return runner
    }
    return { database, run, errors }
  }
  const add = (database: TestDatabase, name: string, key = name, kind = 'paint', mapId = 'oak-hills') =>
    database.write((transaction) =>
      insertJob(transaction, { mapId, kind, key, payload: { name } }, Date.now()),
    )
  const rows = ({ read }: TestDatabase) => read.selectFrom('jobs').selectAll().orderBy('job_key').execute()
  const makeDue = (database: TestDatabase) =>
    database.write((transaction) => transaction.updateTable('jobs').set({ run_at: 0 }).execute())

  it('runs jobs step by step, once for each key, and deletes them', async () => {
    const { database, run } = await start()
    await add(database, 'fence')
    await add(database, 'fence again', 'fence')
    await add(database, 'gate')
    await add(database, 'mail', 'mail', 'newer')
    const done: string[] = []
    const runner = run(
      paint(async (name) => {
        done.push(name)
        return done.filter((one) => one === name).length < 3 ? 'more' : 'done'
      }),
    )
    await runner.work()
    expect(done.toSorted()).toEqual(['fence', 'fence', 'fence', 'gate', 'gate', 'gate'])
    expect((await rows(database)).map(({ job_key }) => job_key)).toEqual(['mail'])
  })

  it('rolls a job back with its change', async () => {
    const { database } = await start()
    const change = database.write(async (transaction) => {
      const job = { mapId: 'oak-hills', kind: 'paint', key: 'fence', payload: {} }
      await insertJob(transaction, job, Date.now())
      throw new Error('refused')
    })
    await expect(change).rejects.toThrow('refused')
    expect(await rows(database)).toEqual([])
  })

  it('retries a failing job after growing pauses, then gives it up and reports it to administrators', async () => {
    const { database, run, errors } = await start()
    const given: string[] = []
    const runner = run(paint(never, given))
    await add(database, 'fence')
    const pauses: number[] = []
    for (let attempt = 1; attempt < maxAttempts; attempt++) {
      await makeDue(database)
      const before = Date.now()
      await runner.work()
      const [row] = await rows(database)
      expect(row).toMatchObject({ attempts: attempt, last_error: 'The tank is empty.', locked_by: null })
      pauses.push(((row?.run_at ?? 0) - before) / 1_000)
    }
    for (const [index, pause] of pauses.entries()) expect(Math.abs(pause - 2 ** index)).toBeLessThan(0.9)
    expect(given).toEqual([])
    await using app = await startTestApp(database)
    expect(await app.getJson('/health/ready')).toEqual({ status: 'ok' })

    await makeDue(database)
    await runner.work()
    expect(given).toEqual(['fence'])
    expect(errors.map(String).join()).toContain('The tank is empty.')
    await makeDue(database)
    await runner.work()
    expect((await rows(database))[0]).toMatchObject({ attempts: maxAttempts })
    expect(await app.getJson('/health/ready')).toEqual({
      status: 'ok',
      notes: [expect.stringContaining('1 job of the kind ‘paint’ failed and will not be retried')],
    })

    const administrator = await signIn(database)
    const ask = (method: 'GET' | 'DELETE', url: string) => app.send({ method, url, headers: administrator })
    const { items } = (await ask('GET', '/api/jobs')).json()
    expect(items).toMatchObject([
      { mapId: 'oak-hills', kind: 'paint', state: 'given-up', lastError: 'The tank is empty.' },
    ])
    const address = `/api/maps/oak-hills/jobs/${items[0].id}`
    expect((await ask('DELETE', address)).statusCode).toBe(204)
    expect((await ask('DELETE', address)).statusCode).toBe(404)
    expect(await app.getJson('/health/ready')).toEqual({ status: 'ok' })
  })

  it('takes over a job when its lease ends, and not before', async () => {
    const { database, run } = await start()
    await add(database, 'fence')
    const lease = { locked_by: 'killed', locked_until: Date.now() + 60_000, attempts: 1 }
    await database.write((transaction) => transaction.updateTable('jobs').set(lease).execute())
    let count = 0
    const runner = run(
      paint(async () => {
        count++
        return 'done'
      }),
    )
    await runner.work()
    expect(count).toBe(0)
    const past = { locked_until: Date.now() - 1 }
    await database.write((transaction) => transaction.updateTable('jobs').set(past).execute())
    await runner.work()
    expect(count).toBe(1)
    expect(await rows(database)).toEqual([])
  })

  it('stops a job after the step in which another process took its lease', async () => {
    const { database, run } = await start()
    await add(database, 'fence')
    const lease = { locked_by: 'other', locked_until: Date.now() + 60_000 }
    let steps = 0
    const runner = run(
      paint(async () => {
        steps++
        await database.write((transaction) => transaction.updateTable('jobs').set(lease).execute())
        return steps < 3 ? 'more' : 'done'
      }),
    )
    await runner.work()
    expect(steps).toBe(1)
    expect(await rows(database)).toMatchObject([lease])
  })

  it('gives up a job whose process was killed repeatedly', async () => {
    const { database, run } = await start()
    await add(database, 'fence')
    const tried = { attempts: maxAttempts, locked_by: 'killed', locked_until: 1 }
    await database.write((transaction) => transaction.updateTable('jobs').set(tried).execute())
    const given: string[] = []
    await run(paint(never, given)).work()
    expect(given).toEqual(['fence'])
    expect((await rows(database))[0]).toMatchObject({ last_error: null, dead_at: expect.any(Number) })
  })

  it('renews the lease during a long step, and resets attempts after progress', async () => {
    const { database, run } = await start()
    await add(database, 'fence')
    await database.write((transaction) => transaction.updateTable('jobs').set({ attempts: 5 }).execute())
    const leaseMs = 150
    const seen: { attempts: number; locked_until: number | null }[] = []
    const taken: string[] = []
    const other = run(
      paint(async (name) => {
        taken.push(name)
        return 'done'
      }),
      { leaseMs },
    )
    const runner = run(
      paint(async () => {
        const began = Date.now()
        const [before] = await rows(database)
        await expect
          .poll(async () => (await rows(database))[0]?.locked_until)
          .toBeGreaterThan(began + 2 * leaseMs)
        await other.work()
        if (before) seen.push(before)
        return seen.length < 2 ? 'more' : 'done'
      }),
      { leaseMs },
    )
    await runner.work()
    expect(seen.map(({ attempts }) => attempts)).toEqual([6, 0])
    expect(taken).toEqual([])
  })

  it('counts no attempts before progress, even if the process ends right after it', async () => {
    const { database, run } = await start()
    await add(database, 'fence')
    await database.write((transaction) =>
      transaction
        .updateTable('jobs')
        .set({ attempts: maxAttempts - 1 })
        .execute(),
    )
    const attempts: number[] = []
    const note = async () => attempts.push(...(await rows(database)).map((row) => row.attempts))
    const kind = defineJob({
      name: 'paint',
      payload: z.object({ name: z.string() }),
      async step({ noteProgress }) {
        await note()
        await database.write(noteProgress)
        await note()
        return 'done'
      },
    })
    await run(kind).work()
    expect(attempts).toEqual([maxAttempts, 0])
  })

  it('limits concurrent jobs by kind, without delaying other kinds', async () => {
    const { database } = await start()
    const ended = Promise.withResolvers<void>()
    const begun: string[] = []
    const slow = (name: string, maxAtOnce: number) =>
      defineJob({
        name,
        maxAtOnce,
        payload: z.object({ name: z.string() }),
        async step({ payload }) {
          begun.push(payload.name)
          await ended.promise
          return 'done'
        },
      })
    const quick = paint(async (name) => {
      begun.push(name)
      return 'done'
    })
    const runner = startJobRunner(database, [slow('print', 1), slow('build', 2), quick], {
      onError: (error) => begun.push(String(error)),
      pollMs: 10,
    })
    onTestFinished(() => {
      ended.resolve()
      return runner.close()
    })
    await add(database, 'map', 'map', 'print')
    await expect.poll(() => begun).toEqual(['map'])
    for (const name of ['plan', 'chart']) await add(database, name, name, 'print', 'pine-ridge')
    for (const name of ['barn', 'shed']) await add(database, name, name, 'build', 'elk-meadow')
    await expect.poll(() => begun).toEqual(['map', 'barn'])
    for (const name of ['fence', 'gate']) {
      await add(database, name)
      await expect.poll(() => begun.at(-1)).toBe(name)
    }
    expect(begun).toEqual(['map', 'barn', 'fence', 'gate'])
    ended.resolve()
    await expect
      .poll(() => begun.toSorted())
      .toEqual(['barn', 'chart', 'fence', 'gate', 'map', 'plan', 'shed'])
    await expect.poll(() => rows(database)).toEqual([])
  })

  it('gives each map one lane for long and one for short jobs', async () => {
    const { database } = await start()
    const ended = Promise.withResolvers<void>()
    const begun: string[] = []
    const waiting = (name: string, maxAtOnce?: number) =>
      defineJob({
        name,
        ...(maxAtOnce ? { maxAtOnce } : {}),
        payload: z.object({ name: z.string() }),
        async step({ payload }) {
          begun.push(payload.name)
          await ended.promise
          return 'done'
        },
      })
    const kinds = [waiting('print', 2), waiting('build', 2), waiting('paint')]
    for (const kind of ['print', 'build', 'paint'])
      for (const turn of [1, 2, 3]) await add(database, `${kind} ${turn}`, `${kind} ${turn}`, kind)
    const runner = startJobRunner(database, kinds, {
      onError: (error) => begun.push(String(error)),
      pollMs: 10,
    })
    onTestFinished(() => {
      ended.resolve()
      return runner.close()
    })
    await expect.poll(() => begun).toHaveLength(2)
    for (const kind of ['print', 'build', 'paint']) {
      const mapId = kind === 'build' ? 'elk-meadow' : 'pine-ridge'
      await add(database, `another ${kind}`, 'another', kind, mapId)
      await expect.poll(() => begun.at(-1)).toBe(`another ${kind}`)
    }
    expect(begun.filter((name) => !name.startsWith('another'))).toHaveLength(2)
  })

  it('alternates between maps', async () => {
    const { database, run } = await start()
    for (const turn of [1, 2, 3, 4]) await add(database, `oak ${turn}`)
    const kind = (done: string[]) =>
      defineJob({
        ...paint(async (name) => {
          done.push(name)
          return 'done'
        }),
        maxAtOnce: 1,
      })
    for (const turn of [1, 2]) await add(database, `pine ${turn}`, `pine ${turn}`, 'paint', 'pine-ridge')
    await database.write(async (transaction) => {
      for (const [index, { id }] of (await rows(database)).entries())
        await transaction.updateTable('jobs').set({ run_at: index }).where('id', '=', id).execute()
    })
    const done: string[] = []
    await run(kind(done)).work()
    expect(done).toEqual(['oak 1', 'pine 1', 'oak 2', 'pine 2', 'oak 3', 'oak 4'])
  })

  it('retries a job every two seconds while the disk is full', async () => {
    const { database, run } = await start()
    await add(database, 'fence')
    let isFull = true
    const runner = run(
      paint(async () => {
        if (isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
        return 'done'
      }),
    )
    for (let attempt = 0; attempt < maxAttempts + 2; attempt++) {
      await makeDue(database)
      await runner.work()
      const [row] = await rows(database)
      expect(row).toMatchObject({ attempts: 0, dead_at: null })
      expect((row?.run_at ?? 0) - Date.now()).toBeLessThanOrEqual(2_000)
    }
    isFull = false
    await makeDue(database)
    await runner.work()
    expect(await rows(database)).toEqual([])
  })

  it('does not take a running job again after its lease ended', async () => {
    const { database } = await start()
    const ended = Promise.withResolvers<void>()
    const begun: string[] = []
    const kind = paint(async (name) => {
      begun.push(name)
      if (name === 'fence') await ended.promise
      return 'done'
    })
    const runner = startJobRunner(database, [kind], {
      onError: (error) => begun.push(String(error)),
      pollMs: 10,
    })
    onTestFinished(() => {
      ended.resolve()
      return runner.close()
    })
    await add(database, 'fence')
    await expect.poll(() => begun).toEqual(['fence'])
    await database.write((transaction) => transaction.updateTable('jobs').set({ locked_until: 0 }).execute())
    for (const name of ['gate', 'barn']) {
      await add(database, name, name, 'paint', 'pine-ridge')
      await expect.poll(() => begun.at(-1)).toBe(name)
    }
    expect(begun).toEqual(['fence', 'gate', 'barn'])
  })

  it('releases jobs when it is closed', async () => {
    const { database, run } = await start()
    await add(database, 'fence')
    let closing: Promise<void> | undefined
    const runner = run(
      paint(async () => {
        closing ??= runner.close()
        return 'more'
      }),
    )
    await runner.work()
    await closing
    expect(await rows(database)).toMatchObject([{ locked_by: null, locked_until: null, attempts: 0 }])
  })
})

it('aborts a long part without an error when it is canceled', async () => {
  const { signal } = new AbortController()
  const untilEnded = (ending: AbortSignal) =>
    new Promise<void>((_, reject) => ending.addEventListener('abort', () => reject(ending.reason)))
  await whileWanted({ isWanted: async () => false, signal }, untilEnded)
  const stopping = AbortSignal.abort(new Error('stopped'))
  const working = whileWanted({ isWanted: async () => true, signal: stopping }, async (ending) =>
    ending.throwIfAborted(),
  )
  await expect(working).rejects.toThrow('stopped')
})
