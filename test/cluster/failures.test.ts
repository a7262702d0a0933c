import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { aPdf, sha256Of } from '#test/imports/file-bytes.ts'
import { isLong } from '#test/random/how-much.ts'
import { type SignedIn, signIn } from '#test/server/signed-in.ts'
import { type Cluster, missingPackages, startCluster } from './cluster.ts'
import { type Load, startLoad } from './load.ts'
import { type OpenPages, openPages } from './open-pages.ts'

// CLUSTER_ROUNDS repeats each failure. Each prints a line of measurements.

const rounds = Number(process.env.CLUSTER_ROUNDS ?? 1)
const startMs = 240_000
const pageCount = 500
const longestWithoutWriteMs = 15_000
const longestWithoutReadMs = 2_000

/** Long enough for a standby to take over. */
const failureMs = 15_000
const withoutStoreMs = rounds > 1 ? 60_000 : failureMs

describe.runIf(isLong && missingPackages().length === 0)('a cluster', () => {
  const stopping = new AbortController()
  let cluster: Cluster
  let database: Database
  let headers: SignedIn
  let mapId: string
  let pages: OpenPages

  beforeAll(async () => {
    cluster = await startCluster({ servers: 3, signal: stopping.signal, settings: { SAMPLE_DATA: 'off' } })
    database = await openDatabase({ databaseUrl: cluster.databaseUrl, dataDirectory: '' }, () => {})
    headers = await signIn(database, 'administrator', { settings: { PUBLIC_URL: cluster.app } })
    mapId = (
      (await (await post('/api/clients', { name: 'Oak Hills', location: '' })).json()) as { id: string }
    ).id
    expect((await addAsset('shown')).status).toBe(201)
    pages = openPages(cluster.app, mapId, pageCount)
    await pages.connected()
  }, startMs)
  afterAll(async () => {
    stopping.abort()
    pages?.close()
    await database?.close()
    await cluster?.stop()
  }, startMs)

  const send = (method: string, path: string, body: BodyInit, type: string) =>
    fetch(`${cluster.app}${path}`, { method, headers: { ...headers, 'content-type': type }, body })
  const post = (path: string, body: object) => send('POST', path, JSON.stringify(body), 'application/json')
  const addAsset = (id: string) =>
    post(`/api/maps/${mapId}/features`, {
      ...{ kind: 'asset', id, name: id },
      geometry: { type: 'Point', coordinates: [-111, 34] },
    })

  type Failure = {
    name: string
    /** Returns how to end it. */
    begin(): Promise<() => unknown>
    during?(): Promise<void>
    lastsMs?: number
  }

  const killed = async (name: string) => {
    await cluster.part(name).kill()
    return () => cluster.part(name).start()
  }
  const stopped = async (name: string) => {
    await cluster.part(name).stop()
    return () => cluster.part(name).start()
  }
  const inRole = async (role: Parameters<Cluster['inRole']>[0]) => (await cluster.inRole(role))[0] ?? ''

  const failures: Failure[] = [
    { name: 'a server is killed', begin: () => killed('server2') },
    { name: 'the PostgreSQL primary is killed', begin: async () => killed(await inRole('primary')) },
    { name: 'the asynchronous replica is killed', begin: async () => killed(await inRole('asynchronous')) },
    {
      name: 'PgBouncer restarts',
      async begin() {
        const start = await killed('pgbouncer')
        start()
        return () => {}
      },
    },
    { name: 'etcd stops', begin: () => stopped('etcd') },
    {
      name: 'the object store stops',
      begin: () => stopped('objects'),
      lastsMs: withoutStoreMs,
      async during() {
        const refused = await upload()
        expect(refused.status).toBe(503)
        expect(await refused.json()).toMatchObject({
          detail: 'Cannot reach the store of photos and documents. No data was lost. Try again.',
        })
      },
    },
  ]

  async function upload(): Promise<Response> {
    const [id, bytes] = [randomUUID(), aPdf()]
    const start = { id, featureId: 'shown', name: 'deed.pdf', size: bytes.length, sha256: sha256Of(bytes) }
    const begun = await post(`/api/maps/${mapId}/uploads`, start)
    expect(begun.status).toBe(201)
    const path = `/api/maps/${mapId}/uploads/${id}?offset=0`
    return send('PUT', path, new Uint8Array(bytes), 'application/octet-stream')
  }

  const cases = Array.from({ length: rounds }, (_, index) =>
    failures.map((failure) => ({ failure, round: index + 1 })),
  )
  it.each(cases.flat().map(({ failure, round }) => [failure.name, round, failure] as const))(
    'loses nothing while %s (round %i)',
    async (name, round, { begin, during, lastsMs = failureMs }) => {
      const prefix = `${name.replaceAll(/\W/g, '')}${round}`
      const load = startLoad({ origin: cluster.app, mapId, headers, prefix })
      try {
        await load.answered()
        const start = Date.now()
        const end = await begin()
        const pagesLater = wait(1_000).then(pages.connected)
        await Promise.all([during?.(), wait(lastsMs), pagesLater])
        await load.answered()
        const hearing = pages.countHearing(`${prefix}-after`)
        const isMade = (await addAsset(`${prefix}-after`)).status === 201
        const hearingCount = await hearing
        await end()
        await cluster.whole()
        await load.answered()
        const { writesMs, readsMs } = load.longestPauses(start)
        await load.stop()
        const { lost, duplicated } = await compare(load, prefix)
        console.log(
          JSON.stringify({
            ...{
              failure: name,
              round,
              confirmed: load.confirmed.features.size + load.confirmed.clients.size,
            },
            ...{ lost, duplicated, withoutWriteMs: writesMs, withoutReadMs: readsMs },
            ...{ pages: hearingCount, pagesConnectedMs: (await pagesLater) + 1_000 },
            failed: Object.fromEntries(load.failures),
          }),
        )
        expect(load.mistakes).toEqual([])
        expect({ lost, duplicated, isMade, hearingCount }).toEqual({
          ...{ lost: 0, duplicated: 0, isMade: true, hearingCount: pageCount },
        })
        expect(writesMs).toBeLessThanOrEqual(longestWithoutWriteMs)
        expect(readsMs).toBeLessThanOrEqual(longestWithoutReadMs)
        expect((await upload()).status).toBe(200)
      } finally {
        await load.stop()
      }
    },
    300_000,
  )

  async function compare({ confirmed }: Load, prefix: string) {
    const rows = await database.read
      .selectFrom('activity')
      .select(['action', 'map_id', 'subject', 'details'])
      .where('action', 'in', ['asset.added', 'client.added'])
      .execute()
    const features = await database.read
      .selectFrom('features')
      .select('id')
      .where('map_id', '=', mapId)
      .where('id', 'like', `${prefix}-%`)
      .execute()
    const clients = await database.read
      .selectFrom('clients')
      .select(['map_id', 'name'])
      .where('name', 'like', `${prefix}-%`)
      .execute()
    const stored = new Set([...features.map(({ id }) => id), ...clients.map(({ map_id }) => map_id)])
    const made = [...confirmed.features, ...confirmed.clients.values()]
    const added = rows.flatMap(({ action, map_id, subject }) =>
      action === 'client.added' ? [map_id] : subject?.startsWith(`${prefix}-`) ? [subject] : [],
    )
    const names = clients.map(({ name }) => name)
    return {
      lost: made.filter((id) => !stored.has(id)).length,
      duplicated: countRepeated(added) + countRepeated(names),
    }
  }
})

const countRepeated = (values: readonly string[]) => values.length - new Set(values).size
