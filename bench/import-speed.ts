import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createReadStream, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { assetTypes } from '#domain/assets/asset-types.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { ImportDraft } from '#domain/imports/import-draft.schema.ts'
import { insertClient } from '#server/clients/store-clients.queries.ts'
import { migrate } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { freePort, type RunningProcess } from '#test/server/processes.ts'
import { signIn } from '#test/server/signed-in.ts'
import { startCommand, timeCommand } from './commands.ts'
import { withServer } from './filled-database.ts'
import { storeGenerated } from './generate-features.ts'
import { shortened, writeFeatures } from './geojson-file.ts'
import { percentile, type Row, rounded } from './row.ts'
import { countText, largeCount } from './scale.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const mapId = 'imported'
const busyMap = 'busy'
const busyCount = 5_000
const requestEveryMs = 20

/** From the command line and the page, while the server answers other requests; compared with GDAL. */
export async function measureImport(): Promise<Row[]> {
  const { folder, remove } = makeTemporaryFolder()
  try {
    const file = join(folder, 'features.geojsonl')
    await writeFeatures(file, largeCount, toRecord, { start: '', between: '\n', end: '\n' })
    // Each in a new database: the second import would find the rows of the first.
    const { rows, seconds } = await withImportServer(folder, 'command', ({ address }, place) =>
      importBeside(address, place, file),
    )
    const again = await importAgain(folder, seconds)
    const fromPage = await withImportServer(folder, 'page', (session) =>
      importFromPage(session, file, seconds),
    )
    return [...rows, ...again, ...fromPage, ...(await compareWithGdal(folder, file, seconds))]
  } finally {
    remove()
  }
}

type Session = { address: string; headers: Record<string, string> }

/** A server with a map to import into, and another map that is read. `place` is its database. */
async function withImportServer<Result>(
  folder: string,
  name: string,
  work: (session: Session, place: string) => Promise<Result>,
): Promise<Result> {
  const place = join(folder, name)
  mkdirSync(place)
  const location = { dataDirectory: place, databaseUrl: undefined }
  const url = `http://localhost:${await freePort()}`
  const database = await openDatabase(location)
  await migrate(database)
  await storeGenerated(database, busyCount, busyMap)
  await database.write((transaction) =>
    insertClient(transaction, { id: mapId, name: 'Imported', location: '', thumbnail: null }, 0),
  )
  const headers = await signIn(database, 'administrator', { settings: { PUBLIC_URL: url } })
  await database.close()
  const settings = { PORT: new URL(url).port, PUBLIC_URL: url, IMPORT_MAX_MB: '10240' }
  return withServer(location, ({ address }) => work({ address, headers }, place), settings)
}

function toRecord({ id, geometry, description }: NewFeature, index: number) {
  const type = assetTypes[index % assetTypes.length]
  const properties = { id, name: `Asset ${index}`, type, status: 'operational', description }
  return { type: 'Feature', properties, geometry: shortened(geometry) }
}

async function importBeside(
  address: string,
  folder: string,
  file: string,
): Promise<{ rows: Row[]; seconds: number }> {
  const questions = startAsking(address)
  const start = performance.now()
  const place = { dataDirectory: folder, databaseUrl: undefined }
  await using importing = startCommand(...importOf(file), place)
  const peak = watchMemory(importing)
  const [exitCode, servedAt] = await Promise.all([importing.exited, waitUntilServed(address, importing)])
  const seconds = (Math.max(servedAt, peak.endedAt()) - start) / 1000
  const answers = await questions.stop()
  if (exitCode !== 0) throw new Error(importing.output())
  const where = countText(largeCount)
  const rows = [
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
      limit: 100,
      note: `${answers.length} tiles and lists, one every ${requestEveryMs} ms; median ${percentile(answers, 50).toFixed(0)} ms, slowest ${Math.max(...answers).toFixed(0)} ms`,
    },
  ]
  return { rows, seconds: (peak.endedAt() - start) / 1000 }
}

const oneIn = 100

/** The next edition of the same file: one of a hundred features changed. */
async function importAgain(folder: string, firstSeconds: number): Promise<Row[]> {
  const file = join(folder, 'next.geojsonl')
  const toChanged = (feature: NewFeature, index: number) =>
    toRecord(index % oneIn === 0 ? { ...feature, description: 'Seen again.' } : feature, index)
  await writeFeatures(file, largeCount, toChanged, { start: '', between: '\n', end: '\n' })
  const place = { dataDirectory: join(folder, 'command'), databaseUrl: undefined }
  const seconds = await timeCommand(...importOf(file), place)
  return [
    {
      figure: `import of ${countText(largeCount)} again with 1 % changed, against the first (SQLite)`,
      value: rounded(seconds / firstSeconds, 2),
      unit: 'times',
      limit: 0.5,
      note: `${rounded(seconds, 1)} s`,
    },
  ]
}

const importOf = (file: string) =>
  ['server/imports/import.cli.ts', [file, '--map', mapId, '--kind', 'asset', '--source', 'bench']] as const

const pieceBytes = 5 * 1024 * 1024

async function importFromPage(
  { address, headers }: Session,
  file: string,
  commandSeconds: number,
): Promise<Row[]> {
  const id = randomUUID()
  const drafts = `${address}/api/maps/${mapId}/import-drafts`
  const ask = async (method: string, path: string, body?: object | Buffer) => {
    const isBytes = body instanceof Buffer
    const type = isBytes ? 'application/octet-stream' : 'application/json'
    const sent = isBytes ? new Uint8Array(body) : JSON.stringify(body)
    const answer = await fetch(`${drafts}${path}`, {
      method,
      headers: { ...headers, origin: address, ...(body ? { 'content-type': type } : {}) },
      ...(body ? { body: sent } : {}),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as ImportDraft
  }
  const becomes = async (state: ImportDraft['state']) => {
    const start = performance.now()
    for (;;) {
      const draft = await ask('GET', `/${id}`)
      if (draft.state === state) return (performance.now() - start) / 1000
      if (draft.problem !== null) throw new Error(draft.problem)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  const size = statSync(file).size
  await ask('POST', '', { id, files: [{ name: 'features.geojsonl', size }] })
  const sentFrom = performance.now()
  let offset = 0
  for await (const piece of createReadStream(file, { highWaterMark: pieceBytes })) {
    await ask('PUT', `/${id}/files/0?offset=${offset}`, piece)
    offset += piece.length
  }
  const sending = (performance.now() - sentFrom) / 1000
  await becomes('examined')
  await ask('PATCH', `/${id}/settings`, { kind: 'asset' })
  const steps: { name: string; seconds: number; waits: number[] }[] = []
  for (const [verb, state] of [
    ['try', 'tried'],
    ['import', 'imported'],
  ] as const) {
    const questions = startAsking(address)
    await ask('POST', `/${id}/${verb}`, {})
    const seconds = await becomes(state)
    steps.push({ name: verb, seconds, waits: await questions.stop() })
  }
  const [trial, done] = steps as [(typeof steps)[number], (typeof steps)[number]]
  const where = countText(largeCount)
  const waits = steps.flatMap((step) => step.waits)
  return [
    {
      figure: `import of ${where} from the page, against the command line (SQLite)`,
      value: rounded(done.seconds / commandSeconds, 2),
      unit: 'times',
      limit: 1.05,
      note: `${rounded(done.seconds, 1)} s from 'Import' until it is done; the command took ${rounded(commandSeconds, 1)} s. Before: sent in ${rounded(sending, 1)} s, tried in ${rounded(trial.seconds, 1)} s`,
    },
    {
      figure: `preview of ${where}, against its import from the page (SQLite)`,
      value: rounded(trial.seconds / done.seconds, 2),
      unit: 'times',
      limit: 0.5,
    },
    {
      figure: 'answers of the server during a trial and an import from the page, p99 (SQLite)',
      value: rounded(percentile(waits, 99)),
      unit: 'ms',
      limit: 100,
      note: `${waits.length} tiles and lists; median ${percentile(waits, 50).toFixed(0)} ms, slowest ${Math.max(...waits).toFixed(0)} ms`,
    },
  ]
}

/** GDAL only writes a GeoPackage: it does not check, rank or index rows, and has no undo. */
async function compareWithGdal(folder: string, file: string, commandSeconds: number): Promise<Row[]> {
  const figure = `import of ${countText(largeCount)} by command line, against ogr2ogr into a GeoPackage`
  const start = performance.now()
  try {
    await promisify(execFile)('ogr2ogr', ['-f', 'GPKG', join(folder, 'gdal.gpkg'), `GeoJSONSeq:${file}`])
  } catch (error) {
    return [{ figure, unit: 'times', failed: (error as Error).message.split('\n')[0] ?? '', isPeer: true }]
  }
  const seconds = (performance.now() - start) / 1000
  return [
    {
      figure,
      value: rounded(commandSeconds / seconds, 2),
      unit: 'times',
      limit: 1.5,
      note: `ogr2ogr took ${rounded(seconds, 1)} s`,
    },
  ]
}

/** The kernel's high-water mark, read until the process ends (Linux). */
function watchMemory({ pid, exited }: RunningProcess) {
  let kilobytes = 0
  let end = Number.NaN
  const readPeak = () => {
    try {
      const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      if (peak !== undefined) kilobytes = Number(peak)
    } catch {}
  }
  const timer = setInterval(readPeak, 50)
  void exited.then(() => {
    clearInterval(timer)
    end = performance.now()
  })
  return { kilobytes: () => kilobytes, endedAt: () => end }
}

/** Until the list has all features, and a tile shows some. */
async function waitUntilServed(address: string, importing: RunningProcess): Promise<number> {
  let hasEnded = false
  void importing.exited.then(() => {
    hasEnded = true
  })
  // Polls once more after the end of the import, which the server notices a moment later.
  for (let pollsAfterEnd = 0; pollsAfterEnd < 200; pollsAfterEnd += hasEnded ? 1 : 0) {
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

/** At fixed times, even if earlier requests are unanswered: otherwise slow answers would lower the load. */
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
    const request = ask()
      .catch((error: unknown) => {
        failure ??= error
      })
      .finally(() => underWay.delete(request))
    underWay.add(request)
  }, requestEveryMs)
  return {
    async stop() {
      clearInterval(asking)
      await Promise.all(underWay)
      if (failure) throw failure
      return times
    },
  }
}
