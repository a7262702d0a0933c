import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPdf, sha256Of } from '#test/imports/file-bytes.ts'
import { isLong } from '#test/random/how-much.ts'
import { type Cluster, missingPackages } from './cluster.ts'
import { type LoadedCluster, pageCount, startLoadedCluster } from './loaded-cluster.ts'

// CLUSTER_ROUNDS repeats each failure. Each prints a line of measurements.

const rounds = Number(process.env.CLUSTER_ROUNDS ?? 1)
const longestWithoutWriteMs = 15_000
const longestWithoutReadMs = 2_000

/** Long enough for a standby to take over. */
const failureMs = 15_000
const withoutStoreMs = rounds > 1 ? 60_000 : failureMs
const startMs = 240_000
const caseMs = 300_000

describe.runIf(isLong && missingPackages().length === 0)('a cluster', () => {
  let loaded: LoadedCluster
  beforeAll(async () => {
    loaded = await startLoadedCluster()
  }, startMs)
  afterAll(() => loaded?.close(), startMs)

  type Failure = {
    name: string
    /** Returns how to end it. */
    begin(round: number): Promise<() => unknown>
    during?(): Promise<void>
    lastsMs?: number
    /** Changes may have to wait until it is over. */
    canStopChanges?: true
  }

  const end = async (name: string, how: 'stop' | 'kill') => {
    const part = loaded.cluster.part(name)
    await part[how]()
    return part.start
  }
  const killInRole = async (role: Parameters<Cluster['inRole']>[0]) =>
    end((await loaded.cluster.inRole(role))[0] ?? '', 'kill')

  const failures: Failure[] = [
    // Another one each time: one that was restarted has no open pages.
    { name: 'a server is killed', begin: (round) => end(`server${1 + (round % 3)}`, 'kill') },
    { name: 'the PostgreSQL primary is killed', begin: () => killInRole('primary') },
    { name: 'the synchronous standby is killed', begin: () => killInRole('synchronous') },
    { name: 'the asynchronous replica is killed', begin: () => killInRole('asynchronous') },
    {
      name: 'PgBouncer restarts',
      async begin() {
        const start = await end('pgbouncer', 'kill')
        start()
        return () => {}
      },
    },
    { name: 'one of three etcds is killed', begin: (round) => end(`etcd${1 + (round % 3)}`, 'kill') },
    {
      name: 'all etcds stop',
      async begin() {
        const starts = await Promise.all(['etcd1', 'etcd2', 'etcd3'].map((name) => end(name, 'stop')))
        return () => {
          for (const start of starts) start()
        }
      },
      // The primary goes on, unless etcd stops while Patroni renews its lease: then it becomes a replica.
      canStopChanges: true,
    },
    {
      name: 'the object store stops',
      begin: () => end('objects', 'stop'),
      async during() {
        const refused = await upload()
        expect(refused.status).toBe(503)
        expect(await refused.json()).toMatchObject({
          detail: 'Cannot reach the store of photos and documents. No data was lost. Try again.',
        })
      },
      lastsMs: withoutStoreMs,
    },
  ]

  async function upload(): Promise<Response> {
    const { mapId, send, addAsset } = loaded
    const [id, bytes] = [randomUUID(), aPdf()]
    // A record can have few files.
    expect((await addAsset(`with-${id}`)).status).toBe(201)
    const path = `/api/maps/${mapId}/uploads`
    const start = {
      id,
      featureId: `with-${id}`,
      name: 'deed.pdf',
      size: bytes.length,
      sha256: sha256Of(bytes),
    }
    expect((await send('POST', path, JSON.stringify(start))).status).toBe(201)
    return send('PUT', `${path}/${id}?offset=0`, new Uint8Array(bytes), 'application/octet-stream')
  }

  const cases = Array.from({ length: rounds }, (_, index) =>
    failures.map((failure) => [failure.name, index + 1, failure] as const),
  ).flat()
  it.each(cases)(
    'loses nothing while %s (round %i)',
    async (name, round, { begin, during, lastsMs = failureMs, canStopChanges }) => {
      const { cluster, pages, addAsset } = loaded
      const prefix = `${name.replaceAll(/\W/g, '')}${round}`
      const load = loaded.startLoad(prefix)
      let restore: (() => unknown) | undefined
      const restoreOnce = async () => {
        const work = restore
        restore = undefined
        await work?.()
      }
      try {
        await load.answered()
        const start = Date.now()
        restore = await begin(round)
        const reconnecting = wait(1_000).then(pages.connected)
        await Promise.all([during?.(), wait(lastsMs), reconnecting])
        if (canStopChanges) await restoreOnce()
        await load.answered()
        const hearing = pages.countHearing(`${prefix}-after`)
        const isMade = (await addAsset(`${prefix}-after`)).status === 201
        const hearingCount = await hearing
        await restoreOnce()
        await cluster.whole()
        await load.answered()
        const { writesMs, readsMs } = load.longestPauses(start)
        await load.stop()
        const { lost, duplicated } = await loaded.findFaults(load, prefix)
        const { confirmed, failures, mistakes } = load
        console.log(
          JSON.stringify({
            failure: name,
            round,
            confirmed: confirmed.features.size + confirmed.clients.size,
            lost,
            duplicated,
            withoutWriteMs: writesMs,
            withoutReadMs: readsMs,
            pages: hearingCount,
            reconnectedMs: 1_000 + (await reconnecting),
            failures: Object.fromEntries(failures),
          }),
        )
        expect(mistakes).toEqual([])
        expect({ lost, duplicated, isMade }).toEqual({ lost: 0, duplicated: 0, isMade: true })
        expect(hearingCount).toBe(pageCount)
        expect(writesMs).toBeLessThanOrEqual(longestWithoutWriteMs + (canStopChanges ? lastsMs : 0))
        expect(readsMs).toBeLessThanOrEqual(longestWithoutReadMs)
        expect((await upload()).status).toBe(200)
      } finally {
        await restoreOnce()
        await load.stop()
      }
    },
    caseMs,
  )
})
