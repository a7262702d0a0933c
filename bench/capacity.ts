import { readdirSync, statSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '#server/database/database.ts'
import { type DatabaseLocation, openDatabase } from '#server/database/open-database.ts'
import { freePort } from '#test/server/processes.ts'
import { type SignedIn, signIn } from '#test/server/signed-in.ts'
import { timeCommand } from './commands.ts'
import { type BenchServer, fill, filledDatabase, maps, withServer } from './filled-database.ts'
import { land } from './generate-features.ts'
import { writeFeatures } from './geojson-file.ts'
import { residentMegabytes } from './idle-memory.ts'
import { median, type Row, rounded } from './row.ts'
import { countText, largeCount, tenthCount, usualCounts } from './scale.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const featuresEach = 1_000
/** A thousand associations have as many features as the large map. */
const associationCounts = [largeCount / 100_000, largeCount / 10_000, largeCount / 1_000]
const requestsEach = 150
const importedRows = 2_000
const openPages = 1_000
const tileZoom = 12

/** How costs grow with the number of associations and with the size of one, and what a page and a feature take. */
export async function measureCapacity(): Promise<Row[]> {
  const rows: Row[] = []
  for (const engine of ['sqlite', 'postgres'] as const) {
    rows.push(...(await ofAssociations(engine)))
    rows.push(...(await ofOneMap(engine)))
  }
  return rows
}

/** One server for each number of associations, asked in turns. */
async function ofAssociations(engine: Database['engine']): Promise<Row[]> {
  const filled = []
  const importFile = makeTemporaryFolder()
  try {
    const file = join(importFile.folder, 'assets.geojsonl')
    const toAsset = ({ id, geometry }: { id: string; geometry: unknown }) => ({
      type: 'Feature',
      properties: { id: `imported-${id}`, type: 'road' },
      geometry,
    })
    await writeFeatures(file, importedRows, toAsset, { start: '', between: '\n', end: '\n' })
    for (const count of associationCounts) {
      const ids = Array.from({ length: count }, (_, index) => [`map-${index}`, featuresEach] as const)
      filled.push({ count, ...(await fill(engine, ids)) })
    }
    const measured = await withServers(
      filled.map(({ location }) => location),
      async (targets) => {
        const subjects = targets.map((target, index) => {
          const count = associationCounts[index] as number
          return { ...target, mapAt: (request: number) => `map-${(request * 7_919) % count}` }
        })
        return { times: await askInTurns(subjects), bytes: await bytesPerPage(targets[0] as Target) }
      },
    )
    const imports = []
    const args = [file, '--map', 'map-0', '--kind', 'asset', '--source', 'bench']
    for (const { location } of filled) {
      const seconds = await timeCommand('server/imports/import.cli.ts', args, location)
      imports.push([1_000 * seconds])
    }
    const rows = slopesOf({ ...measured.times, import: imports }, associationCounts, {
      what: `from ${associationCounts.map(countText).join(' to ')} associations (${engine})`,
      limit: 0.1,
    })
    const page = { figure: `memory of an open page (${engine})`, value: measured.bytes, unit: 'kB' }
    return [...rows, page]
  } finally {
    importFile.remove()
    for (const { discard } of filled) await discard()
  }
}

async function ofOneMap(engine: Database['engine']): Promise<Row[]> {
  const location = await filledDatabase(engine)
  const sizes = [usualCounts.tenThousand, tenthCount, largeCount]
  const mapIds = [maps.tenThousand, maps.tenth, maps.large]
  const times = await withServers([location], async ([target]) =>
    askInTurns(mapIds.map((mapId) => ({ ...(target as Target), mapAt: () => mapId }))),
  )
  const what = `from ${sizes.map(countText).join(' to ')} features of one map (${engine})`
  const bytes = await databaseBytes(location)
  const stored = sizes.reduce((sum, size) => sum + size, 0)
  return [
    ...slopesOf(times, sizes, { what }),
    { figure: `database size of a feature (${engine})`, value: rounded(bytes / stored), unit: 'bytes' },
  ]
}

type Target = BenchServer & { headers: SignedIn & { origin: string } }

async function withServers<Result>(
  locations: readonly DatabaseLocation[],
  work: (targets: Target[]) => Promise<Result>,
  targets: Target[] = [],
): Promise<Result> {
  const [location, ...others] = locations
  if (!location) return work(targets)
  const url = `http://localhost:${await freePort()}`
  const database = await openDatabase(location)
  const headers = {
    ...(await signIn(database, 'administrator', { settings: { PUBLIC_URL: url } })),
    origin: url,
  }
  await database.close()
  const settings = {
    PORT: new URL(url).port,
    PUBLIC_URL: url,
    MAX_EVENT_STREAMS_PER_ADDRESS: String(openPages),
    MAX_CONNECTIONS_PER_ADDRESS: String(2 * openPages),
  }
  return withServer(
    location,
    (server) => withServers(others, work, [...targets, { ...server, headers }]),
    settings,
  )
}

type Subject = Target & { mapAt(request: number): string }
type Times = Record<'cold tile' | 'list of 50' | 'save', number[][]>

/** Milliseconds for each subject. The first requests warm up. */
async function askInTurns(subjects: readonly Subject[]): Promise<Times> {
  const times: Times = { 'cold tile': [], 'list of 50': [], save: [] }
  for (const all of Object.values(times)) all.push(...subjects.map(() => []))
  for (let request = -10; request < requestsEach; request++)
    for (const [index, { address, headers, mapAt }] of subjects.entries()) {
      const map = `${address}/api/maps/${mapAt(request + 10)}`
      const note = (what: keyof Times, time: number) => {
        if (request >= 0) times[what][index]?.push(time)
      }
      note('cold tile', await timeOf(`${map}/tiles/${tileAt(request + 10)}.mvt`))
      note('list of 50', await timeOf(`${map}/features?limit=50&offset=${(request + 10) * 3}`))
      const assets = await (await fetch(`${map}/features?kind=asset&limit=1&offset=${request + 10}`)).json()
      const body = JSON.stringify({ status: request % 2 === 0 ? 'offline' : 'maintenance' })
      const [{ id, version }] = assets.items
      const sending = { ...headers, 'content-type': 'application/json', 'if-match': `"${version}"` }
      const sent = { method: 'PUT', headers: sending, body }
      note('save', await timeOf(`${map}/features/${id}/status`, sent))
    }
  return times
}

/** Each is requested once, so that no cache has it. */
function tileAt(request: number): string {
  const across = 2 ** tileZoom
  const west = Math.floor(((land.west + 180) / 360) * across)
  const columns = Math.floor((land.width / 360) * across)
  const y = 1_640 - Math.floor(request / columns)
  return `${tileZoom}/${west + (request % columns)}/${y}`
}

async function timeOf(url: string, init: RequestInit = {}): Promise<number> {
  const start = performance.now()
  const answer = await fetch(url, init)
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
  return performance.now() - start
}

/** Kilobytes of the server for each page that receives live updates (Linux). */
async function bytesPerPage({ address, pid }: Target): Promise<number> {
  const before = residentMegabytes(pid)
  const pages = await Promise.all(
    Array.from(
      { length: openPages },
      () =>
        new Promise<{ destroy(): void }>((resolve, reject) => {
          const page = get(`${address}/api/events?map=map-0`, { agent: false }, (answer) => {
            if (answer.statusCode === 200) answer.once('data', () => resolve(page))
            else reject(new Error(`live updates: ${answer.statusCode}`))
          })
          page.once('error', reject)
        }),
    ),
  )
  const kilobytes = ((residentMegabytes(pid) - before) * 1024) / openPages
  for (const page of pages) page.destroy()
  return rounded(kilobytes)
}

async function databaseBytes(location: DatabaseLocation): Promise<number> {
  if (location.databaseUrl === undefined)
    return readdirSync(location.dataDirectory)
      .filter((name) => /\.sqlite/.test(name))
      .reduce((sum, name) => sum + statSync(join(location.dataDirectory, name)).size, 0)
  const database = await openDatabase(location)
  try {
    const size = sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`
    const { rows } = await size.execute(database.read)
    return Number(rows[0]?.bytes)
  } finally {
    await database.close()
  }
}

/** In double logarithmic scale: 0 if it costs the same at any size, 1 if twice the size costs twice as much. */
function slopesOf(
  times: Record<string, number[][]>,
  sizes: readonly number[],
  { what, limit }: { what: string; limit?: number },
): Row[] {
  return Object.entries(times).map(([name, ofEach]) => {
    const medians = ofEach.map(median)
    const value = rounded(slope(sizes.map(Math.log), medians.map(Math.log)), 2)
    const note = `${medians.map((time) => time.toFixed(1)).join(', ')} ms`
    // The time of an import command is mostly that of its start.
    return {
      figure: `${name}: slope ${what}`,
      value,
      unit: '',
      note,
      ...(name === 'import' ? {} : { limit }),
    }
  })
}

function slope(xs: readonly number[], ys: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(xs), mean(ys)]
  const covariance = mean(xs.map((one, index) => (one - x) * ((ys[index] as number) - y)))
  return covariance / mean(xs.map((one) => (one - x) ** 2))
}
