import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assetTypes } from '#domain/assets/asset-types.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import { insertClient } from '#server/clients/store-clients.queries.ts'
import { migrate } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { type RunningProcess, startNode } from '#test/processes.ts'
import { withServer } from './filled-database.ts'
import { storeGenerated } from './generate-features.ts'
import { shortened, writeFeatures } from './geojson-file.ts'
import { percentile, type Row, rounded } from './row.ts'
import { countText, largeCount } from './scale.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const mapId = 'imported'
/** Another map of the same server, which people look at meanwhile. */
const busyMap = 'busy'
const busyCount = 5_000
const askedEveryMs = 20

/** `npm run import` of a file, while the server runs and is asked all the time. */
export async function measureImport(): Promise<Row[]> {
  const { folder, remove } = makeTemporaryFolder()
  try {
    const file = join(folder, 'features.geojsonl')
    await writeFeatures(file, largeCount, toRecord, { start: '', between: '\n', end: '\n' })
    const location = { dataDirectory: folder, databaseUrl: undefined }
    const database = await openDatabase(location)
    await migrate(database)
    await storeGenerated(database, busyCount, busyMap)
    await database.write((transaction) =>
      insertClient(transaction, { id: mapId, name: 'Imported', location: '', thumbnail: null }, 0),
    )
    await database.close()
    return await withServer(location, ({ address }) => importBeside(address, folder, file))
  } finally {
    remove()
  }
}

/** As a county would give its things away: all of one kind, whatever their shape. */
function toRecord({ id, geometry, description }: NewFeature, index: number) {
  const type = assetTypes[index % assetTypes.length]
  const properties = { id, name: `Asset ${index}`, type, status: 'operational', description }
  return { type: 'Feature', properties, geometry: shortened(geometry) }
}

async function importBeside(address: string, folder: string, file: string): Promise<Row[]> {
  const questions = startAsking(address)
  const start = performance.now()
  const args = [file, '--map', mapId, '--kind', 'asset', '--source', 'bench']
  const env = { ...process.env, DATA_DIR: folder, DATABASE_URL: '' }
  await using importing = startNode('server/imports/import.cli.ts', args, { env })
  const peak = watchMemory(importing)
  const [exitCode, servedAt] = await Promise.all([importing.exited, waitUntilServed(address, importing)])
  const seconds = (Math.max(servedAt, peak.endedAt()) - start) / 1000
  const answers = await questions.stop()
  if (exitCode !== 0) throw new Error(importing.output())
  const where = countText(largeCount)
  return [
    {
      figure: `import of ${where}, from file to ranked and served (SQLite)`,
      value: rounded(seconds, 1),
      unit: 's',
      limit: 60,
      note: `its process took ${((peak.endedAt() - start) / 1000).toFixed(1)} s`,
    },
    {
      figure: `import of ${where}, most memory (SQLite)`,
      value: rounded((peak.kilobytes() * 1024) / 1e6),
      unit: 'MB',
      limit: 600,
    },
    {
      figure: `answers of the server during the import, p99 (SQLite)`,
      value: rounded(percentile(answers, 99)),
      unit: 'ms',
      limit: 250,
      note: `${answers.length} tiles and lists, one every ${askedEveryMs} ms; median ${percentile(answers, 50).toFixed(0)} ms, slowest ${Math.max(...answers).toFixed(0)} ms`,
    },
  ]
}

/** The kernel keeps the highest value; the last look before the process ends is taken (Linux). */
function watchMemory({ pid, exited }: RunningProcess) {
  let kilobytes = 0
  let end = Number.NaN
  const look = () => {
    try {
      const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      if (peak !== undefined) kilobytes = Number(peak)
    } catch {
      // Gone already.
    }
  }
  const looking = setInterval(look, 50)
  void exited.then(() => {
    clearInterval(looking)
    end = performance.now()
  })
  return { kilobytes: () => kilobytes, endedAt: () => end }
}

/** Until the list knows all of them and a tile shows some. */
async function waitUntilServed(address: string, importing: RunningProcess): Promise<number> {
  let hasEnded = false
  void importing.exited.then(() => {
    hasEnded = true
  })
  // One more look after the import has ended: the server hears of it a moment later.
  for (let looksAfter = 0; looksAfter < 200; looksAfter += hasEnded ? 1 : 0) {
    const list = await fetch(`${address}/api/maps/${mapId}/features?limit=1`)
    const { total } = (await list.json()) as { total: number }
    if (total === largeCount) {
      const tile = await fetch(`${address}/api/maps/${mapId}/tiles/6/12/25.mvt`)
      if ((await tile.arrayBuffer()).byteLength > 100) return performance.now()
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`the server does not show what was imported:\n${importing.output()}`)
}

/** Asks at fixed times, whether or not earlier questions have been answered: who waits is counted as often as it waits. */
function startAsking(address: string) {
  const paths = [
    ...[6, 7, 8, 9].map(
      (z) => `/api/maps/${busyMap}/tiles/${z}/${Math.floor(0.191 * 2 ** z)}/${Math.floor(0.4 * 2 ** z)}.mvt`,
    ),
    `/api/maps/${busyMap}/features?limit=100`,
    `/api/maps/${busyMap}/features?kind=asset&limit=100&text=asset`,
    `/api/maps/${mapId}/features?limit=100`,
    `/api/maps/${mapId}/tiles/7/24/51.mvt`,
  ]
  const times: number[] = []
  const underWay = new Set<Promise<void>>()
  let number = 0
  const ask = async () => {
    const start = performance.now()
    const path = paths[number++ % paths.length] as string
    const answer = await fetch(`${address}${path}`)
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
    times.push(performance.now() - start)
  }
  let failure: unknown
  const asking = setInterval(() => {
    const question = ask()
      .catch((error: unknown) => {
        failure ??= error
      })
      .finally(() => underWay.delete(question))
    underWay.add(question)
  }, askedEveryMs)
  return {
    async stop() {
      clearInterval(asking)
      await Promise.all(underWay)
      if (failure) throw failure
      return times
    },
  }
}
