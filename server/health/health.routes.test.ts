import { describe, expect, it, onTestFinished } from 'vitest'
import { onEachEngine } from '#test/databases/databases.ts'
import { anAsset, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { startTcpProxy } from '#test/databases/tcp-proxy.ts'
import { getOnce, startServer } from '#test/server/server-process.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'
import { openDatabase } from '../database/open-database.ts'
import { outageOf } from '../database/outage.ts'

onEachEngine('health', (createDatabase, { engine }) => {
  it('is ok while the database answers', async () => {
    await using app = await startTestApp(await createDatabase())
    expect(await app.getJson('/health/live')).toEqual({ status: 'ok' })
    expect(await app.getJson('/health/ready')).toEqual({ status: 'ok' })
  })

  if (engine === 'sqlite') return
  describe('while the database is unreachable', () => {
    async function start() {
      const database = await createDatabase()
      await storeClient(database, 'oak-hills')
      await storeFeatures(database, [anAsset()])
      const address = new URL(database.location.databaseUrl ?? '')
      const proxy = await startTcpProxy(Number(address.port))
      onTestFinished(() => proxy.close())
      address.port = String(proxy.port)
      const server = await startServer({
        DATA_DIR: database.location.dataDirectory,
        DATABASE_URL: address.href,
      })
      expect((await getOnce(`${server.url}/health/ready`)).status).toBe(200)
      expect((await getOnce(`${server.url}/api/clients`)).status).toBe(200)
      return { proxy, server, address }
    }

    async function expectAway(url: string): Promise<number> {
      const requested = Date.now()
      const { status, headers, body } = await getOnce(url)
      const took = Date.now() - requested
      expectProblem({ statusCode: status, headers: headers as Record<string, string>, body }, 503)
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
      return took
    }

    async function expectBack(url: string) {
      await expect.poll(async () => (await getOnce(url)).status, { timeout: 30_000 }).toBe(200)
    }

    it('reports it at once, or within 2.5 seconds if packets are lost, and recovers without a restart', async () => {
      const { proxy, server } = await start()
      await using _ = server
      const tile = `${server.url}/api/maps/oak-hills/tiles/0/0/0.mvt?kind=asset`
      for (let round = 0; round < 2; round++) {
        await proxy.cut()
        await expectAway(`${server.url}/health/ready`)
        await expectAway(`${server.url}/api/clients`)
        await expectAway(`${server.url}/api/maps/oak-hills/features`)
        await expectAway(tile)
        expect((await getOnce(`${server.url}/health/live`)).status).toBe(200)
        await proxy.restore()
        await expectBack(`${server.url}/health/ready`)
        await expectBack(`${server.url}/api/maps/oak-hills/features`)
        await expectBack(tile)
      }

      proxy.freeze()
      const ready = `${server.url}/health/ready`
      const together = await Promise.all(Array.from({ length: 12 }, () => expectAway(ready)))
      const alone = [await expectAway(ready), await expectAway(ready)]
      expect(Math.min(...together, ...alone)).toBeLessThan(2_500)
      expect((await getOnce(`${server.url}/health/live`)).status).toBe(200)
      await proxy.restore()
      await expectBack(ready)
      await expectBack(`${server.url}/api/clients`)
    }, 60_000)

    it('detects a connection lost between two statements of a transaction', async () => {
      const { proxy, server, address } = await start()
      await using _ = server
      const database = await openDatabase({ databaseUrl: address.href, dataDirectory: '' }, () => {})
      const failure = database.write(async (transaction) => {
        await transaction.selectFrom('maps').select('map_id').execute()
        await proxy.cut()
        await transaction
          .selectFrom('maps')
          .select('map_id')
          .execute()
          .catch(() => {})
        await transaction.selectFrom('maps').select('map_id').execute()
      })
      const error = await failure.catch((error) => error)
      expect(outageOf(error), String(error)).toBe('away')
      await database.close()
    })
  })
})
