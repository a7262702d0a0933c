import type { ExportFormat } from '#domain/exports/export-format.ts'
import { type BenchServer, filledDatabase, maps, withServer } from './filled-database.ts'
import { residentMegabytes } from './idle-memory.ts'
import { median, percentile, type Row, rounded } from './row.ts'
import { countText, largeCount, tenthCount } from './scale.ts'

/** The whole map as streamed text, and a tenth of it as a GeoPackage, which another process writes. */
const exports = [
  { format: 'csv', mapId: maps.large, count: largeCount },
  { format: 'geojson', mapId: maps.large, count: largeCount },
  { format: 'geojsonl', mapId: maps.large, count: largeCount },
  { format: 'gpkg', mapId: maps.tenth, count: Math.min(tenthCount, 100_000) },
] as const satisfies { format: ExportFormat; mapId: string; count: number }[]

const requestEveryMs = 50

/** The server has exported one file before. Lists are requested meanwhile. */
export async function measureExports(): Promise<Row[]> {
  const location = await filledDatabase('sqlite')
  const rows: Row[] = []
  for (const one of exports) rows.push(...(await withServer(location, (server) => measureOne(server, one))))
  return rows
}

async function measureOne(
  { address, pid }: BenchServer,
  { format, mapId, count }: (typeof exports)[number],
): Promise<Row[]> {
  await download(`${address}/api/maps/${maps.small}/export?format=${format}`)
  const before = residentMegabytes(pid)
  let most = before
  const watching = setInterval(() => {
    most = Math.max(most, residentMegabytes(pid))
  }, 100)
  const others = askOthers(address)
  const start = performance.now()
  const bytes = await download(`${address}/api/maps/${mapId}/export?format=${format}`)
  const seconds = (performance.now() - start) / 1000
  clearInterval(watching)
  const waits = await others.stop()
  const what = `export of ${countText(count)} as ${format} (SQLite)`
  return [
    { figure: what, value: rounded(seconds, 1), unit: 's', note: `${rounded(bytes / 1e6)} MB` },
    {
      figure: `${what}, memory of the server meanwhile`,
      value: rounded(most - before),
      unit: 'MB',
      limit: 400,
      note: `on top of ${rounded(before)} MB; flat, however many rows there are`,
    },
    {
      figure: `${what}, answers to others, p99`,
      value: rounded(percentile(waits, 99)),
      unit: 'ms',
      limit: 250,
      note: `${waits.length} lists, median ${rounded(median(waits))} ms, slowest ${rounded(Math.max(...waits))} ms`,
    },
  ]
}

async function download(url: string): Promise<number> {
  const answer = await fetch(url)
  if (answer.status !== 200 || !answer.body) throw new Error(`${url}: ${answer.status}`)
  let bytes = 0
  for await (const chunk of answer.body) bytes += chunk.length
  return bytes
}

function askOthers(address: string) {
  const waits: number[] = []
  const underWay = new Set<Promise<void>>()
  const ask = async () => {
    const start = performance.now()
    const answer = await fetch(`${address}/api/maps/${maps.thousand}/features?limit=100`)
    await answer.arrayBuffer()
    waits.push(performance.now() - start)
  }
  const asking = setInterval(() => {
    const request = ask().finally(() => underWay.delete(request))
    underWay.add(request)
  }, requestEveryMs)
  return {
    async stop() {
      clearInterval(asking)
      await Promise.all(underWay)
      return waits
    },
  }
}
