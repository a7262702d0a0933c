import { setTimeout as passed } from 'node:timers/promises'
import { serveProject } from '#test/e2e/served-project.ts'
import { startNode } from '#test/server/processes.ts'
import { type Attack, attacks, measured } from './attacks.ts'
import { DemoClient } from './demo-client.ts'
import { percentile, type Row, rounded } from './row.ts'

const limitMs = 250
const warmUpMs = 3_000
const measuredMs = 15_000
const giveUpMs = 10_000

/** How long other clients wait. Each attack has a new server with the settings of `npm start`. */
export async function measureFairness(): Promise<Row[]> {
  const rows: Row[] = []
  for (const attack of [null, ...attacks])
    try {
      console.log(`  ${attack?.what ?? 'nobody'} ...`)
      rows.push(...(await measure(attack)))
    } catch (error) {
      rows.push({ figure: `beside ${attack?.what}`, unit: 'ms', failed: (error as Error).message })
    }
  return rows
}

async function measure(attack: Attack | null): Promise<Row[]> {
  await using server = await serveProject({
    tileAddress: () => 'off',
    hasSampleData: true,
    settings: attack?.settings ?? {},
  })
  const other = await DemoClient.signIn(server.url, 'grace')
  const paths = {
    health: '/health/ready',
    'the list': `/api/maps/${measured}/features?kind=asset`,
    'the map': `/api/maps/${measured}`,
    'OGC items': `/ogc/${measured}/collections/parcels/items?limit=10`,
  }
  for (const path of Object.values(paths)) {
    const { status } = await other.ask('GET', path)
    if (status !== 200) throw new Error(`${path}: ${status}`)
  }
  const what = attack?.what ?? 'nobody'
  const attackers = attack ? startNode('bench/attack.process.ts', [what, server.url]) : null
  await attackers?.waitFor(/attacking/)
  await passed(warmUpMs)
  const end = performance.now() + measuredMs
  const bystander = attack?.bystander
  const bystanderResult = bystander
    ? { what: bystander.what, took: timed(() => bystander.once(other)) }
    : null
  const times = Object.entries(paths).map(async ([request, path]) => {
    const took: number[] = []
    while (performance.now() < end) {
      took.push(await timed(() => other.ask('GET', path, undefined, giveUpMs)))
      await passed(20)
    }
    return { request, took }
  })
  const rows = (await Promise.all(times)).map(
    ({ request, took }): Row => ({
      figure: `${request} beside ${what}, p99`,
      value: rounded(percentile(took, 99)),
      unit: 'ms',
      limit: limitMs,
      note: `${took.length} times, median ${percentile(took, 50).toFixed(1)} ms`,
    }),
  )
  if (bystanderResult) {
    const value = rounded(await bystanderResult.took)
    rows.push({ figure: `${bystanderResult.what} beside ${what}`, value, unit: 'ms' })
  }
  await attackers?.stop()
  other.close()
  return rows
}

/** Failed requests count with the time that they took. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  const hasFailed = await work().then(
    () => false,
    () => true,
  )
  const took = performance.now() - start
  return hasFailed ? Math.max(took, giveUpMs) : took
}
