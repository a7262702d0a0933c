import { readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { recordActivity } from '#server/activity/activity.queries.ts'
import { readPage } from '#server/backup/backup.queries.ts'
import { backedUpTables } from '#server/backup/table-rules.ts'
import type { Database } from '#server/database/database.ts'
import type { DatabaseLocation } from '#server/database/open-database.ts'
import { type RunningProcess, startNode } from '#test/server/processes.ts'
import { settingsOf } from '#test/server/server-process.ts'
import {
  anAsset,
  anIncident,
  aParcel,
  point,
  storeClient,
  storeConfiguration,
  storeFeatures,
  storeMap,
} from './feature-builders.ts'

type Ended = { code: number | null; output: string }
type Command = {
  (location: DatabaseLocation, ...args: string[]): Promise<Ended>
  start(location: DatabaseLocation, ...args: string[]): RunningProcess
  with(settings: Readonly<Record<string, string>>): Command
}

function command(file: string, settings: Readonly<Record<string, string>> = {}): Command {
  const start = (location: DatabaseLocation, ...args: string[]) => {
    const { PATH = '', HOME = '' } = process.env
    return startNode(file, args, { env: { PATH, HOME, ...settingsOf(location), ...settings } })
  }
  const run = async (location: DatabaseLocation, ...args: string[]) => {
    const running = start(location, ...args)
    const code = await running.exited
    return { code, output: running.output() }
  }
  return Object.assign(run, { start, with: (more: typeof settings) => command(file, more) })
}

export const runBackup = command('server/backup/backup.cli.ts')
export const runRestore = command('server/backup/restore.cli.ts')

export const hashIn = ({ output }: Ended) => {
  const [, hash] = /^Content hash: ([0-9a-f]{64})$/m.exec(output) ?? []
  if (!hash) throw new Error(`No hash in: ${output}`)
  return hash
}

export const linesOf = (file: string) => gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')
export const gzipLines = (lines: readonly string[]) => gzipSync(`${lines.join('\n')}\n`)

export const manyPoints = (count: number, name = 'point') =>
  Array.from({ length: count }, (_, index) =>
    anAsset({ id: `${name}-${index}`, geometry: point(-100 - index / 1e4, 40) }),
  )

export async function fillDatabase(
  database: Database,
  { name = 'Oak Hills', points = 0 }: { name?: string; points?: number } = {},
) {
  await storeClient(database, 'oak-hills', { name, location: 'Zürich "am See"\\\n\u2028 🏔', archived: true })
  await storeMap(database, 'sample')
  await storeConfiguration(database, 'oak-hills', 1, { startZoom: 14 })
  await storeFeatures(database, [
    anIncident({ id: 'Z' }),
    anIncident({ id: 'a', severity: null, title: 'Quarry', geometry: point(-111.1 - 1 / 3, 34.05) }),
    anAsset({ id: 'z_', geometry: point(-111.123_456_789_012_3, 34.000_000_000_000_01) }),
    anAsset({ id: 'z-' }),
    aParcel({ id: '10', area: 1e-7 }),
    ...manyPoints(points),
  ])
  const change = { map_id: 'oak-hills', import_id: 'i' }
  await database.write(async (transaction) => {
    const states = {
      created_count: 1,
      updated_count: 1,
      refused_count: 0,
      started_at: 1,
      finished_at: null,
      replaces_edits: 0,
    }
    const imported = { map_id: 'oak-hills', id: 'i', source: '', kind: 'asset', state: 'done' } as const
    await transaction
      .insertInto('imports')
      .values({ ...imported, ...states })
      .execute()
    await transaction
      .insertInto('import_changes')
      .values([
        { ...change, id: 'a', previous: '{"name":"Quarry"}' },
        { ...change, id: 'Z', previous: null },
      ])
      .execute()
    const activity = {
      mapId: 'oak-hills',
      action: 'features.imported',
      actor: { id: null, name: 'Ann' },
    } as const
    await recordActivity(transaction, activity, 1_767_225_600_001)
    const elsewhere = {
      ...activity,
      mapId: 'sample',
      extent: { west: 0.1, south: 0.2, east: 0.3, north: 0.4 },
    }
    await recordActivity(transaction, elsewhere, 1_767_225_600_002)
  })
}

export async function contentOf(database: Database): Promise<Record<string, unknown[]>> {
  const tables = backedUpTables(await database.maintenance.describeTables(database.read))
  const content: Record<string, unknown[]> = {}
  for (const table of tables) {
    const rows = await readPage(database.read, table, undefined, 1_000_000)
    content[table.name] = rows.filter((row) => row.action !== 'database.restored')
  }
  return content
}
