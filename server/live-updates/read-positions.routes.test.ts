import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { positionName } from '#domain/values/position.ts'
import { migrate } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open-database.ts'
import type { TestDatabase } from '#test/databases/databases.ts'
import { anAsset, aParcel, home, storeChange, storeClient } from '#test/databases/feature-builders.ts'
import { type PostgresCluster, startPostgres } from '#test/databases/postgres-cluster.ts'
import { startTcpProxy } from '#test/databases/tcp-proxy.ts'
import { listen } from '#test/server/event-streams.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'
import { findPostgres } from '../../scripts/find-tools.mjs'

// With a real replica whose replay stops: later changes are only on the primary.

const zoom = 12
const column = Math.floor(((home.lng + 180) / 360) * 2 ** zoom)
const row = Math.floor(((1 - Math.asinh(Math.tan((home.lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** zoom)
const listOf = (mapId: string) => `/api/maps/${mapId}/features`
const readsOf = (mapId: string) => [
  listOf(mapId),
  `${listOf(mapId)}?text=tank`,
  `${listOf(mapId)}/tank`,
  `/ogc/${mapId}/collections/assets.points/items`,
  `/api/maps/${mapId}/tiles/${zoom}/${column}/${row}.mvt`,
]

describe.skipIf(inject('postgresUrl') === null)('reads from a replica', () => {
  const binaries = findPostgres() as string
  let primary: PostgresCluster
  let replica: PostgresCluster
  let onReplica: pg.Client
  const closing: (() => unknown)[] = []
  /** Each test has its own. */
  let mapId = 'map-0'
  let list = ''
  let reads: string[] = []

  beforeAll(async () => {
    primary = await startPostgres(binaries)
    const database = await openDatabase({ databaseUrl: primary.url('postgres'), dataDirectory: '' })
    await migrate(database)
    await database.close()
    replica = await startPostgres(binaries, { replicaOf: primary.url('postgres') })
  })
  afterAll(() => Promise.all([replica.stop(), primary.stop()]))

  beforeEach(async () => {
    mapId = `map-${Number(mapId.slice(4)) + 1}`
    list = listOf(mapId)
    reads = readsOf(mapId)
    onReplica = new pg.Client({ connectionString: replica.url('postgres') })
    onReplica.on('error', () => {})
    await onReplica.connect()
  })
  afterEach(async () => {
    // One test stops the replica.
    await onReplica.query('select pg_wal_replay_resume()').catch(() => {})
    await onReplica.end().catch(() => {})
    for (const close of closing.splice(0).reverse()) await close()
  })

  async function startServer(
    primaryUrl = primary.url('postgres'),
  ): Promise<TestApp & { database: TestDatabase }> {
    const folder = mkdtempSync(join(tmpdir(), 'poa-test-'))
    const location = {
      dataDirectory: folder,
      databaseUrl: primaryUrl,
      databaseReadUrl: replica.url('postgres'),
    }
    const database = Object.assign(await openDatabase(location), { location })
    const app = await startTestApp(database)
    closing.push(async () => {
      await app.close()
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    })
    return { ...app, database }
  }

  async function startTwoServers(otherUrl?: string) {
    const servers = [await startServer(), await startServer(otherUrl)] as const
    const [{ database }] = servers
    await storeClient(database, mapId)
    const parcel = aParcel({ id: 'lot', mapId, owner: 'Rosa Whitfield' })
    await storeChange(database, mapId, [anAsset({ id: 'tank', mapId, name: 'Tank' }), parcel])
    for (const { changes } of servers) await changes.poll()
    await replayed(await (database.replica as NonNullable<typeof database.replica>).position())
    return servers
  }

  async function replayed(position: number) {
    const isReached = async () => {
      const { rows } = await onReplica.query(
        `select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') >= $1 as is_reached`,
        [position],
      )
      return rows[0].is_reached
    }
    await expect.poll(isReached, { timeout: 20_000, interval: 10 }).toBe(true)
  }

  const stopReplay = () => onReplica.query('select pg_wal_replay_pause()')

  const rename = async ({ app, database }: TestApp & { database: TestDatabase }, name: string) => {
    const headers = {
      ...(await signIn(database)),
      'if-match': '"1"',
      'content-type': 'application/merge-patch+json',
    }
    const answer = await app.inject({
      method: 'PATCH',
      url: `${list}/tank`,
      headers,
      payload: { name, status: 'maintenance' },
    })
    expect(answer.statusCode, answer.body).toBe(200)
    return { cookie: `${positionName}=${answer.headers[positionName]}` }
  }

  it('include a change with its position, on every server', async () => {
    const [one, other] = await startTwoServers()
    await stopReplay()
    // What both servers have cached is outdated by the change.
    for (const { get } of [one, other]) for (const url of reads) expect((await get(url)).statusCode).toBe(200)
    const before = await Promise.all(reads.map(async (url) => (await other.get(url)).body))
    const headers = await rename(one, 'Tower tank')
    const after = await Promise.all(reads.map(async (url) => (await other.get(url, headers)).body))
    for (const [index, url] of reads.entries()) expect(after[index], url).not.toBe(before[index])
    for (const url of reads.slice(0, 4)) expect((await other.get(url, headers)).body).toContain('Tower tank')
  })

  it('see what the page was notified of', async () => {
    const [one, other] = await startTwoServers()
    const stream = await listen(one, `?map=${mapId}`)
    await stopReplay()
    await rename(one, 'North tank')
    await one.changes.poll()
    const [{ position }] = stream.changes()
    expect(position).toBeGreaterThan(0)
    const answer = await other.get(`${list}/tank`, { cookie: `${positionName}=${position}` })
    expect(answer.json()).toMatchObject({ name: 'North tank' })
  })

  it('are late on the replica, without a position', async () => {
    const [one, other] = await startTwoServers()
    await stopReplay()
    await other.database.write((transaction) =>
      transaction
        .updateTable('features')
        .set({ description: 'silent' })
        .where('map_id', '=', mapId)
        .execute(),
    )
    expect((await one.get(`${list}/tank`)).json()).toMatchObject({ description: '' })
    const token = { cookie: `${positionName}=999999999999999` }
    expect((await one.get(`${list}/tank`, token)).json()).toMatchObject({ description: 'silent' })
  })

  it('check the session on the primary', async () => {
    const [one] = await startTwoServers()
    const headers = await signIn(one.database)
    await replayed(await (one.database.replica?.position() as Promise<number>))
    expect((await one.get(`${list}/lot`, headers)).json()).toMatchObject({ owner: 'Rosa Whitfield' })
    await stopReplay()
    await one.database.write((transaction) => transaction.deleteFrom('sessions').execute())
    expect((await one.get(`${list}/lot`, headers)).json()).toMatchObject({ owner: null })
  })

  it('go on without the replica', async () => {
    const [one] = await startTwoServers()
    for (const url of reads) expect((await one.get(url)).statusCode, url).toBe(200)
    await replica.stop()
    one.database.replica?.require(await one.database.replica.position())
    for (const url of reads) expect((await one.get(url)).statusCode, url).toBe(200)
    replica = await startPostgres(binaries, { replicaOf: primary.url('postgres') })
  })

  describe('while a server loses the primary', () => {
    async function start() {
      const address = new URL(primary.url('postgres'))
      const proxy = await startTcpProxy(Number(address.port))
      closing.push(proxy.close)
      address.port = String(proxy.port)
      return { proxy, servers: await startTwoServers(address.href) }
    }

    it('wait a second for the change that the page has made', async () => {
      const { proxy, servers } = await start()
      const [one, other] = servers
      proxy.freeze()
      const headers = await rename(one, 'Tower tank')
      await replayed(await (one.database.replica?.position() as Promise<number>))
      const requested = performance.now()
      expect((await other.get(`${list}/tank`, headers)).json()).toMatchObject({ name: 'Tower tank' })
      expect(performance.now() - requested).toBeLessThan(1_900)
      await proxy.cut()
    })

    it('fail rather than return the state before it', async () => {
      const { proxy, servers } = await start()
      const [one, other] = servers
      await stopReplay()
      await proxy.cut()
      const headers = await rename(one, 'Tower tank')
      expect((await other.get(`${list}/tank`)).json()).toMatchObject({ name: 'Tank' })
      expectProblem(await other.get(`${list}/tank`, headers), 503)
    })
  })

  it('go on without the primary', async () => {
    const [one] = await startTwoServers()
    expect((await one.get('/health/ready')).json()).toEqual({ status: 'ok' })
    await primary.stop()
    for (const url of reads) expect((await one.get(url)).statusCode, url).toBe(200)
    const ready = await one.get('/health/ready')
    expect(ready.statusCode).toBe(200)
    expect(ready.json().notes).toEqual(['Cannot reach the primary database: reading works, changes do not.'])
  })
})
