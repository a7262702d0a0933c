import { join } from 'node:path'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse, RouteOptions } from 'fastify'
import { expect } from 'vitest'
import { buildApp } from '#server/app.ts'
import { type BlobStore, openDiskStore } from '#server/blob-stores/blob-store.ts'
import type { Database } from '#server/database/database.ts'
import { startPhotoMaker } from '#server/files/photo-maker.ts'
import { problem, problemContentType } from '#server/http/problem.ts'
import { ownJobKinds } from '#server/job-kinds.ts'
import type { AnyJobKind } from '#server/jobs/job-kind.ts'
import { startJobRunner } from '#server/jobs/job-runner.ts'
import { type ChangeFeed, startChangeFeed } from '#server/live-updates/change-feed.ts'
import type { ResolveTxt } from '#server/mail/check-domain.ts'
import { readConfiguration } from '#server/settings/configuration.ts'
import { startTilePool, type TileLimits, type TilePool } from '#server/tiles/tile-pool.ts'
import type { TestDatabase } from '#test/databases/databases.ts'

export type TestApp = {
  app: FastifyInstance
  changes: ChangeFeed
  tilePool: TilePool
  store: BlobStore
  get(url: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  getJson<Answer>(url: string): Promise<Answer>
  post: Write
  put: Write
  patch: Write
  send(request: InjectOptions): Promise<LightMyRequestResponse>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type Write = (
  url: string,
  payload?: object | string,
  headers?: Record<string, string>,
) => Promise<LightMyRequestResponse>

export type TestAppOptions = {
  settings?: Record<string, string>
  pageDirectory?: string | null
  onRoute?: (route: RouteOptions) => void
  store?: BlobStore
  tileLimits?: TileLimits
  /** Default: domains have no records. */
  resolveTxt?: ResolveTxt
}

/** The app closes with its database, unless a test closes it earlier. */
export async function startTestApp(
  database: TestDatabase,
  {
    settings = {},
    pageDirectory = null,
    onRoute,
    tileLimits,
    store: given,
    resolveTxt = async () => [],
  }: TestAppOptions = {},
): Promise<TestApp> {
  const configuration = readConfiguration({
    LOG_LEVEL: 'silent',
    DATA_DIR: database.location.dataDirectory,
    TILE_WORKERS: '1',
    RATE_LIMIT_PER_MINUTE: '1000000',
    // Most tests send reports as programs do.
    REPORT_PROOF_OF_WORK: 'off',
    ...settings,
  })
  const changes = startChangeFeed(database, () => {})
  await changes.poll()
  const tilePool = startOnDemand(() =>
    startTilePool(database.location, configuration.tileWorkers, tileLimits, () =>
      database.replica?.required(),
    ),
  )
  const store = given ?? openDiskStore(join(database.location.dataDirectory, 'files'))
  const photos = startPhotoMaker()
  const app = await buildApp({
    configuration,
    database,
    changes,
    tilePool,
    store,
    photos,
    pageDirectory,
    resolveTxt,
    ...(onRoute ? { onRoute } : {}),
  })
  app.addHook('onClose', async () => {
    await changes.close()
    await tilePool.close()
    photos.close()
  })
  const close = () => app.close()
  const write =
    (method: 'POST' | 'PUT' | 'PATCH'): Write =>
    (url, payload, headers = {}) =>
      app.inject({ method, url, headers, ...(payload && { payload }) })
  database.beforeClose?.(close)
  return {
    app,
    changes,
    tilePool,
    store,
    get: (url, headers = {}) => app.inject({ url, headers }),
    async getJson<Answer>(url: string) {
      const answer = await app.inject(url)
      expect(answer.statusCode, `${url}: ${answer.body}`).toBe(200)
      return answer.json<Answer>()
    },
    post: write('POST'),
    put: write('PUT'),
    patch: write('PATCH'),
    send: (request) => app.inject(request),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Starting threads is slow, and few tests need tiles. */
function startOnDemand(start: () => TilePool): TilePool {
  let pool: TilePool | undefined
  return {
    encode(...request) {
      pool ??= start()
      return pool.encode(...request)
    },
    close: async () => pool?.close(),
  }
}

type Answer = Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'body'>

/** Expects the documented problem shape and returns it. */
export function expectProblem(answer: Answer, status: number) {
  expect(answer.statusCode, answer.body).toBe(status)
  expect(answer.headers['content-type']).toBe(problemContentType)
  const body = problem.strict().parse(JSON.parse(answer.body))
  expect(body.status).toBe(status)
  return body
}

/** Expects a 400 that names the parameter. */
export function expectBadParameter(answer: Answer, place: 'query' | 'path', name: string) {
  const { errors, detail } = expectProblem(answer, 400)
  expect(errors).toContainEqual({ in: place, name, message: expect.stringMatching(/\S/) })
  expect(detail).toContain(name)
}

/** Runs the jobs that are due, and those that they queue, as a new process. */
export async function finishJobs(
  database: Database,
  kinds: readonly AnyJobKind[] = ownJobKinds,
  { mayFail = false } = {},
) {
  const errors: unknown[] = []
  const runner = startJobRunner(database, kinds, { onError: (error) => errors.push(error), pollMs: null })
  await runner.work()
  await runner.work()
  await runner.close()
  if (!mayFail) expect(errors).toEqual([])
}
