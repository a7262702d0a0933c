import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { onEachEngine } from '#test/databases/databases.ts'
import { anAsset, anIncident, point, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { getOnce, settingsOf, startServer } from '#test/server/server-process.ts'

// A busy server: one thread draws tiles of many features, each at its own address.
const tileCount = 60
const limitOfTiles = 5 * 1_000

onEachEngine('a server that receives a stop signal', (createDatabase) => {
  async function start(settings: Record<string, string> = {}) {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [
      ...['1999-12-31', '2000-12-31'].map((day) => anIncident({ date: `${day}T00:00:00.000Z` })),
      ...Array.from({ length: 1_500 }, (_, index) =>
        anAsset({ geometry: point(-175 + (index % 50) * 7, -60 + Math.floor(index / 50) * 4) }),
      ),
    ])
    return startServer({
      ...settingsOf(database.location),
      TILE_WORKERS: '1',
      RATE_LIMIT_PER_MINUTE: '1000',
      ...settings,
    })
  }

  it('finishes pending requests, despite open connections and event streams', async () => {
    await using server = await start()
    const events = await openEvents(server.url)
    const agent = new Agent({ keepAlive: true, maxSockets: 1_000 })
    let answered = 0
    const requested = Array.from({ length: tileCount }, (_, index) => {
      const day = new Date(Date.UTC(2000, 0, 1 + index)).toISOString().slice(0, 10)
      return statusOf(`${server.url}/api/maps/oak-hills/tiles/0/0/0.mvt?since=${day}`, agent).finally(
        () => answered++,
      )
    })
    await allAreThere(server.url)
    server.kill('SIGTERM')
    await server.waitFor(/Stopping\./)
    const answeredAtStop = answered
    expect(new Set(await Promise.all(requested))).toEqual(new Set([200]))
    expect(answeredAtStop).toBeLessThan(tileCount)
    expect(await server.exited).toBe(0)
    await events.ended
    agent.destroy()
  }, 60_000)

  it('exits at once without pending requests, despite idle connections', async () => {
    await using server = await start()
    const agent = new Agent({ keepAlive: true })
    expect(await statusOf(`${server.url}/api/clients`, agent)).toBe(200)
    const silent = connect(server.port, '127.0.0.1')
    await new Promise((resolve) => silent.once('connect', resolve))
    const { ended } = await openEvents(server.url)
    server.kill('SIGTERM')
    expect(await server.exited).toBe(0)
    await ended
    agent.destroy()
  }, 30_000)

  it('answers a while longer, but is not ready', async () => {
    await using server = await start({ STOP_DELAY_SECONDS: '3' })
    server.kill('SIGTERM')
    await server.waitFor(/Stopping\./)
    expect((await getOnce(`${server.url}/health/ready`)).status).toBe(503)
    expect((await getOnce(`${server.url}/health/live`)).status).toBe(200)
    expect((await getOnce(`${server.url}/api/clients`)).status).toBe(200)
    expect(await server.exited).toBe(0)
  }, 30_000)
})

async function allAreThere(url: string) {
  for (let requested = 1; ; requested++) {
    const { headers } = await getOnce(`${url}/api/maps/oak-hills/tiles/0/9/9.mvt`)
    if (Number(headers['x-ratelimit-remaining']) <= limitOfTiles - tileCount - requested) return
  }
}

function statusOf(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode ?? 0))
      answer.once('error', reject)
    }).once('error', reject)
  })
}

function openEvents(url: string): Promise<{ ended: Promise<void> }> {
  return new Promise((resolve, reject) => {
    get(`${url}/api/events?map=oak-hills`, { agent: false }, (answer) => {
      const ended = new Promise<void>((end) => answer.once('close', end))
      answer.once('data', () => resolve({ ended }))
    }).once('error', reject)
  })
}
