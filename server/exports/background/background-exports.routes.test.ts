import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { BackgroundExport } from '#domain/exports/background-export.schema.ts'
import { onEachEngine, onEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  anAsset,
  aParcel,
  point,
  storeClient,
  storeFeatures,
  storeMap,
} from '#test/databases/feature-builders.ts'
import { makeToken } from '#test/server/api-tokens.ts'
import { aBackgroundExportRow, aPiece, pieceOf } from '#test/server/background-exports.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectBadParameter, expectProblem, startTestApp } from '#test/server/test-app.ts'
import type { BlobStore } from '../../blob-stores/blob-store.ts'
import { removeUnusedFiles } from '../../files/remove-unused-files.ts'
import { startJobRunner } from '../../jobs/job-runner.ts'
import { withScratchFile } from '../../processes/scratch-file.ts'
import { insertExport } from '../background-exports.queries.ts'
import { backgroundExportJob } from './background-export-job.ts'
import { removeExpiredExports } from './background-exports.commands.ts'

const features = [
  anAsset({ id: 'tank', name: 'Tank', status: 'offline', geometry: point(-111.08, 34.06) }),
  anAsset({ id: 'gate', name: 'Gate 10', geometry: point(-111.07, 34.06) }),
  anAsset({ id: 'pump', name: 'Gate 2', geometry: point(-0.5, -34.06) }),
  aParcel({ id: 'lot', name: 'Mill', owner: 'Ann Zabriskie' }),
]
const hourMs = 3_600_000

async function start(database: TestDatabase) {
  await storeClient(database, 'oak-hills')
  await storeFeatures(database, features)
  const app = await startTestApp(database)
  onTestFinished(() => app.close())
  const { dataDirectory } = database.location
  const maya = await signIn(database, ['editor:oak-hills'])
  const url = '/api/maps/oak-hills/exports'
  type Ask = { query?: string; payload?: object; headers?: Record<string, string> }
  const ask = ({ query = '', payload = {}, headers = maya }: Ask = {}) =>
    app.send({
      method: 'POST',
      url: `${url}?format=gpkg${query}`,
      headers,
      payload: { id: randomUUID(), ...payload },
    })
  const startRunner = (places: { store?: BlobStore; timeLimitMs?: number } = {}) => {
    const kinds = [backgroundExportJob({ store: app.store, dataDirectory, ...places })]
    const runner = startJobRunner(database, kinds, { onError: () => {}, pollMs: null })
    onTestFinished(() => runner.close())
    return runner
  }
  return {
    app,
    database,
    maya,
    ask,
    startRunner,
    async begin(asked?: Ask) {
      const answer = await ask(asked)
      expect(answer.statusCode, answer.body).toBe(202)
      return answer.json<BackgroundExport>()
    },
    stateOf: async ({ id }: { id: string }) => (await app.get(`${url}/${id}`, maya)).json<BackgroundExport>(),
    fetchFile: ({ id }: { id: string }, headers: Record<string, string> = maya) =>
      app.get(`${url}/${id}/file`, headers),
    list: async (headers = maya) => (await app.get(url, headers)).json<{ items: BackgroundExport[] }>().items,
    remove: ({ id }: { id: string }, headers = maya) =>
      app.send({ method: 'DELETE', url: `${url}/${id}`, headers }),
    async stored() {
      const keys: string[] = []
      for await (const { key } of app.store.list()) keys.push(key)
      return keys
    },
    leftBehind: () => readdir(join(dataDirectory, 'exports')).catch(() => []),
  }
}

const rowsOf = (bytes: Uint8Array) =>
  withScratchFile('file.gpkg', bytes, (path) => {
    const file = new DatabaseSync(path)
    const layer = file.prepare('select table_name from gpkg_contents').get() as { table_name: string }
    const rows = file.prepare(`select * from "${layer.table_name}" order by fid`).all()
    file.close()
    return rows as Record<string, unknown>[]
  })

function slowStore(store: BlobStore) {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  return {
    reached: reached.promise,
    release: released.resolve,
    store: {
      ...store,
      async put(key: string, bytes: Uint8Array) {
        reached.resolve()
        await released.promise
        await store.put(key, bytes)
      },
    },
  }
}

onEachEngine('an export in the background', (createDatabase) => {
  it('is written in turn with the query of the export, and can be downloaded', async () => {
    const { ask, begin, startRunner, stateOf, fetchFile, list, leftBehind } = await start(
      await createDatabase(),
    )
    const begun = await begin({ query: '&kind=asset,parcel&sort=-name&columns=owner,name' })
    expect(begun).toMatchObject({ state: 'waiting', rows: 0, total: 4, bytes: null, keptUntil: null })
    expectProblem(await fetchFile(begun), 409)
    await startRunner().work()
    const made = await stateOf(begun)
    expect(made).toMatchObject({ state: 'done', format: 'gpkg', rows: 4, total: 4, problem: null })
    expect(await list()).toEqual([made])
    const file = await fetchFile(begun)
    expect(file.headers).toMatchObject({
      'content-type': 'application/geopackage+sqlite3',
      'content-length': String(made.bytes),
      'content-disposition': `attachment; filename="${made.fileName}"`,
      'cache-control': 'private, no-cache',
    })
    expect(made.fileName).toMatch(/^oak-hills-features-\d{4}-\d\d-\d\d\.gpkg$/)
    const rows = await rowsOf(file.rawPayload)
    expect(rows.map(({ name }) => name)).toEqual(['Tank', 'Mill', 'Gate 10', 'Gate 2'])
    expect(Object.keys(rows[0] ?? {})).toEqual(['fid', 'geom', 'id', 'kind', 'mapId', 'owner', 'name'])
    expect(rows[1]).toMatchObject({ id: 'lot', owner: 'Ann Zabriskie' })
    expect(await leftBehind()).toEqual([])
    const { id } = begun
    const again = await ask({ query: '&kind=asset,parcel&sort=-name&columns=owner,name', payload: { id } })
    expect(again.json()).toEqual(made)
    expectProblem(await ask({ payload: { id } }), 409)
    const query = '&kind=asset,parcel&sort=-name&columns=owner,name'
    expectProblem(await ask({ query, payload: { id, selection: { ids: ['tank'] } } }), 409)
  })

  it('can reuse the id of a removed one', async () => {
    const { ask, remove, startRunner, stateOf } = await start(await createDatabase())
    const payload = { id: randomUUID() }
    await ask({ payload })
    await remove(payload)
    await ask({ payload })
    await startRunner().work()
    expect(await stateOf(payload)).toMatchObject({ state: 'done' })
  })

  it('restarts after the server stopped, and appears once', async () => {
    const database = await createDatabase()
    const { app, begin, startRunner, stateOf, fetchFile, remove, stored } = await start(database)
    const begun = await begin()
    const slow = slowStore(app.store)
    const first = startRunner({ store: slow.store })
    const working = first.work()
    await slow.reached
    const closing = first.close()
    slow.release()
    await Promise.all([working, closing])
    expect(await stateOf(begun)).toMatchObject({ state: 'writing' })
    await startRunner().work()
    expect(await stateOf(begun)).toMatchObject({ state: 'done' })
    expect(await rowsOf((await fetchFile(begun)).rawPayload)).toHaveLength(4)
    expect(await stored()).toHaveLength(1)
    await remove(begun)
    expect(await stored()).toEqual([])
    await app.store.put(pieceOf(aBackgroundExportRow({ id: begun.id })), aPiece)
    await removeUnusedFiles(database, app.store, Date.now() + 25 * hourMs)
    expect(await stored()).toEqual([])
  })

  it('expires after a day', async () => {
    const database = await createDatabase()
    const { app, fetchFile, list, stored, remove } = await start(database)
    const now = Date.now()
    const [recent, over, waiting] = [
      aBackgroundExportRow({ id: randomUUID(), finished_at: now - 23 * hourMs }),
      aBackgroundExportRow({ id: randomUUID(), finished_at: now - 24 * hourMs }),
      aBackgroundExportRow({ id: randomUUID(), state: 'waiting', finished_at: null, created_at: 0 }),
    ]
    for (const row of [recent, over, waiting]) {
      await database.write((transaction) => insertExport(transaction, row))
      await app.store.put(pieceOf(row), aPiece)
    }
    expect((await list()).map(({ id }) => id)).toEqual([recent.id, waiting.id])
    expect((await fetchFile(recent)).body).toBe('a file')
    expectProblem(await fetchFile(over), 404)
    await removeExpiredExports(database, app.store, now)
    expect((await stored()).toSorted()).toEqual([pieceOf(recent), pieceOf(waiting)].toSorted())
    await removeUnusedFiles(database, app.store, now + 48 * hourMs)
    expect((await stored()).toSorted()).toEqual([pieceOf(recent), pieceOf(waiting)].toSorted())
    await removeExpiredExports(database, app.store, now + hourMs)
    expect(await stored()).toEqual([pieceOf(waiting)])
    await remove(waiting)
    expect(await stored()).toEqual([])
  })
})

onEngine('sqlite', 'an export in the background', (createDatabase) => {
  it('is removed even if the store is unreachable', async () => {
    const { app, begin, remove, list, startRunner } = await start(await createDatabase())
    const begun = await begin()
    await startRunner().work()
    vi.spyOn(app.store, 'remove').mockRejectedValue(new Error('away'))
    expect((await remove(begun)).statusCode).toBe(204)
    expect(await list()).toEqual([])
  })

  it('reports at once a field that was removed meanwhile', async () => {
    const { begin, database, startRunner, stateOf } = await start(await createDatabase())
    const begun = await begin({ query: '&columns=name' })
    await database.write((transaction) =>
      transaction
        .updateTable('background_exports')
        .set({ question: '{"format":"gpkg","columns":["own.gone"]}' })
        .execute(),
    )
    await startRunner().work()
    const problem = expect.stringContaining('unknown field: ‘own.gone’')
    expect(await stateOf(begun)).toMatchObject({ state: 'failed', problem })
  })

  it('contains only selected features', async () => {
    const { begin, startRunner, fetchFile } = await start(await createDatabase())
    const some = await begin({
      query: '&sort=name',
      payload: { selection: { ids: ['tank', 'pump', 'gone'] } },
    })
    const others = await begin({
      query: '&sort=name&kind=asset',
      payload: { selection: { except: ['tank'] } },
    })
    expect([some.total, others.total]).toEqual([3, 3])
    await startRunner().work()
    const idsOf = async (made: BackgroundExport) =>
      (await rowsOf((await fetchFile(made)).rawPayload)).map(({ id }) => id)
    expect(await idsOf(some)).toEqual(['pump', 'tank'])
    expect(await idsOf(others)).toEqual(['pump', 'gate'])
  })

  it('is visible only to its creator, as long as they are staff', async () => {
    const database = await createDatabase()
    const { begin, startRunner, fetchFile, list, remove } = await start(database)
    const begun = await begin()
    await startRunner().work()
    const grace = await signIn(database, ['manager:oak-hills'], { id: 'grace', name: 'Grace' })
    expectProblem(await fetchFile(begun, grace), 404)
    expectProblem(await remove(begun, grace), 404)
    expect(await list(grace)).toEqual([])
    expectProblem(await fetchFile(begun, {}), 401)
    expectProblem(await fetchFile(begun, await signIn(database, ['editor:elsewhere'])), 403)
    const { bearer } = await makeToken(database, { scopes: ['read'] })
    expect((await fetchFile(begun, bearer)).statusCode).toBe(200)
    expect(await list()).toHaveLength(1)
  })

  it('can be canceled, and leaves no files', async () => {
    const { app, begin, startRunner, stateOf, remove, list, stored, leftBehind } = await start(
      await createDatabase(),
    )
    const begun = await begin()
    const slow = slowStore(app.store)
    const working = startRunner({ store: slow.store }).work()
    await slow.reached
    expect(await stateOf(begun)).toMatchObject({ state: 'writing', rows: 4 })
    expect((await remove(begun)).statusCode).toBe(204)
    expectProblem(await remove(begun), 404)
    slow.release()
    await working
    expect(await list()).toEqual([])
    expect(await stored()).toEqual([])
    expect(await leftBehind()).toEqual([])
    await remove(await begin())
    await startRunner().work()
    expect(await stored()).toEqual([])
  })

  it('is rejected for an invalid query and for unauthorized users', async () => {
    const database = await createDatabase()
    const { app, ask } = await start(database)
    const answer = await app.send({
      method: 'POST',
      url: '/api/maps/oak-hills/exports?format=csv',
      headers: await signIn(database, ['editor:oak-hills']),
      payload: { id: randomUUID() },
    })
    expectBadParameter(answer, 'query', 'format')
    expect(answer.json().detail).toContain('Use GET /api/maps/{mapId}/export for other formats')
    expectBadParameter(await ask({ query: '&columns=nothing' }), 'query', 'columns')
    expectProblem(await ask({ payload: { id: 'x' } }), 400)
    expectProblem(await ask({ payload: { selection: { ids: [] } } }), 400)
    expectProblem(await ask({ headers: {} }), 401)
    expectProblem(await ask({ headers: await signIn(database, ['editor:elsewhere']) }), 403)
    const url = `/api/maps/nowhere/exports?format=gpkg`
    const payload = { id: randomUUID() }
    expectProblem(await app.send({ method: 'POST', url, headers: await signIn(database), payload }), 404)
  })

  it('is rejected if it would exceed the memory of its process', async () => {
    const database = await createDatabase()
    const { app } = await start(database)
    await storeMap(database, 'vast')
    await storeFeatures(database, [anAsset({ id: 'one', mapId: 'vast' })])
    const headers = await signIn(database)
    const ask = async (format: string, count: number) => {
      await database.write((transaction) =>
        transaction.updateTable('feature_counts').set({ count }).where('map_id', '=', 'vast').execute(),
      )
      const url = `/api/maps/vast/exports?format=${format}`
      return app.send({ method: 'POST', url, headers, payload: { id: randomUUID() } })
    }
    expect((await ask('gpkg', 1_000_000)).statusCode).toBe(202)
    expect(expectProblem(await ask('gpkg', 1_000_001), 400).detail).toBe(
      'format: GeoPackage exports have at most 1,000,000 features, but 1,000,001 match. ' +
        'Use GeoJSON, GeoJSON lines, or CSV, which have no limit, or narrow the filter.',
    )
  })

  it('reports why the process failed', async () => {
    const { begin, startRunner, stateOf, fetchFile, leftBehind } = await start(await createDatabase())
    const begun = await begin()
    await startRunner({ timeLimitMs: 1 }).work()
    const problem = expect.stringContaining('took too long or needed too much memory')
    expect(await stateOf(begun)).toMatchObject({ state: 'failed', problem, keptUntil: expect.any(String) })
    expect(expectProblem(await fetchFile(begun), 409).detail).toEqual(problem)
    expect(await leftBehind()).toEqual([])
  })

  it('is limited to five per user and map', async () => {
    const database = await createDatabase()
    const { ask, begin, remove } = await start(database)
    const [first] = [await begin(), await begin(), await begin(), await begin(), await begin()]
    expect(expectProblem(await ask(), 409).detail).toContain('Delete one of them first')
    const grace = await signIn(database, ['editor:oak-hills'], { id: 'grace', name: 'Grace' })
    expect((await ask({ headers: grace })).statusCode).toBe(202)
    await remove(first as BackgroundExport)
    expect((await ask()).statusCode).toBe(202)
    await database.write((transaction) =>
      transaction
        .updateTable('background_exports')
        .set({ state: 'failed', finished_at: Date.now() })
        .where('person_id', '=', 'maya')
        .execute(),
    )
    expect((await ask()).statusCode).toBe(202)
  })

  it('is stored in pieces, and downloaded as one file', async () => {
    const database = await createDatabase()
    const { begin, startRunner, fetchFile, stored } = await start(database)
    const long = Array.from({ length: 10 }, (_, index) =>
      anAsset({ id: `long${index}`, name: `Long ${index}`, description: String(index).repeat(1_000_000) }),
    )
    await storeFeatures(database, long)
    const begun = await begin({ query: '&text=long' })
    await startRunner().work()
    expect(await stored()).toHaveLength(2)
    const rows = await rowsOf((await fetchFile(begun)).rawPayload)
    expect(rows.map(({ description }) => description)).toEqual(long.map(({ description }) => description))
  })

  it('reports a file that is missing in the store', async () => {
    const { app, begin, startRunner, fetchFile, stored } = await start(await createDatabase())
    const begun = await begin()
    await startRunner().work()
    for (const key of await stored()) await app.store.remove(key)
    expect(expectProblem(await fetchFile(begun), 404).detail).toContain('no longer on the server')
  })
})
