import { Agent, get } from 'node:http'
import { startNode } from '#test/server/processes.ts'
import type { CrowdResult } from './crowd.ts'
import { filledDatabase, maps, withServer } from './filled-database.ts'
import { percentile, type Row, rounded } from './row.ts'
import { sampleTiles, tilePath } from './sample-tiles.ts'
import { countText, largeCount } from './scale.ts'

const crowdSeconds = 30
/** The crowd is complete after five seconds; earlier requests do not count. */
const warmUpMs = 6_000
const measuredMs = 20_000
const aloneMs = 5_000
const limitMs = 250

/** How long others wait, on the same map and on other maps, while 2,000 people search one map. */
export async function measureSearchingCrowd(): Promise<Row[]> {
  const rows: Row[] = []
  for (const engine of ['sqlite', 'postgres'] as const) {
    const where = `${countText(largeCount)}, ${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`
    try {
      const location = await filledDatabase(engine)
      const [tile] = await sampleTiles(location, maps.large, { fullest: 1, others: 0 })
      if (!tile) throw new Error('there is no tile')
      const paths = {
        health: '/health/ready',
        'a tile': tilePath(maps.large, tile),
        details: `/api/maps/${maps.large}/features/feature-00000000`,
        'the list': `/api/maps/${maps.large}/features?kind=asset`,
        'the map': `/api/maps/${maps.large}`,
        'a search on another map': `/api/maps/${maps.small}/features?text=feature`,
      }
      rows.push(...(await withServer(location, ({ address }) => measure(address, paths, where))))
    } catch (error) {
      rows.push({ figure: `beside a crowd (${where})`, unit: 'ms', failed: (error as Error).message })
    }
  }
  return rows
}

async function measure(address: string, paths: Record<string, string>, where: string): Promise<Row[]> {
  // First requests take longer, with or without a crowd.
  for (const path of Object.values(paths)) await time(address, path)
  const alone = await timeInTurns(address, paths, aloneMs)
  await using crowd = startNode('bench/crowd.ts', [address, maps.large, String(crowdSeconds)])
  await new Promise((resolve) => setTimeout(resolve, warmUpMs))
  const times = await timeInTurns(address, paths, measuredMs)
  const [, result = '{}'] = await crowd.waitFor(/^result (.*)$/m)
  const { answered, refused, givenUp } = JSON.parse(result) as CrowdResult
  const note = `the crowd: ${answered} answered, ${refused} refused, ${givenUp} given up in ${crowdSeconds} s`
  return Object.entries(times).map(([what, took], index) => ({
    figure: `${what} beside 2,000 who search, p99 (${where})`,
    value: rounded(percentile(took, 99)),
    unit: 'ms',
    limit: limitMs,
    note:
      `${took.length} times, median ${percentile(took, 50).toFixed(1)} ms; ` +
      `${percentile(alone[what] ?? [], 99).toFixed(0)} ms without them${index === 0 ? `; ${note}` : ''}`,
  }))
}

async function timeInTurns(address: string, paths: Record<string, string>, forMs: number) {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(paths).map((what) => [what, []]))
  const end = performance.now() + forMs
  // In parallel, so that a slow one does not reduce the samples of the others.
  await Promise.all(
    Object.entries(paths).map(async ([what, path]) => {
      while (performance.now() < end) {
        times[what]?.push(await time(address, path))
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }),
  )
  return times
}

const agent = new Agent({ keepAlive: true })

function time(address: string, path: string): Promise<number> {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    get(`${address}${path}`, { agent }, (answer) => {
      answer.resume()
      answer.once('end', () => {
        if (answer.statusCode === 200) resolve(performance.now() - start)
        else reject(new Error(`${path}: ${answer.statusCode}`))
      })
    }).once('error', reject)
  })
}
