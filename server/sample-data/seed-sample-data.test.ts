import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { openDatabase } from '../database/open-database.ts'
import { readConfigurationOfMap } from '../map-configuration/map-configuration.queries.ts'
import { readSampleMaps, seedSampleData } from './seed-sample-data.ts'

const now = new Date('2026-11-21T05:00:00Z')
let dataDirectory: string
let database: Database

beforeEach(async () => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'poa-sample-'))
  database = await openDatabase({ dataDirectory, databaseUrl: undefined })
  await migrate(database)
})

afterEach(async () => {
  await database.close()
  rmSync(dataDirectory, { recursive: true })
})

const idsIn = (table: 'features' | 'activity') =>
  database.read.selectFrom(table).select(['map_id', 'id']).orderBy('map_id').orderBy('id').execute()

test('inserts every map, client and feature, and returns true', async () => {
  expect(await seedSampleData(database, now)).toBe(true)
  const maps = await readSampleMaps(now)
  expect(await idsIn('features')).toHaveLength(maps.flatMap((map) => map.features).length)
  const clients = await database.read.selectFrom('clients').select('map_id').execute()
  expect(clients.map((client) => client.map_id).sort()).toEqual(
    maps.flatMap((map) => map.client?.id ?? []).sort(),
  )
  const activity = await database.read.selectFrom('activity').selectAll().execute()
  expect(activity.map((row) => row.map_id).sort()).toEqual(maps.map((map) => map.mapId).sort())
  for (const row of activity) expect(row).toMatchObject({ action: 'sample.created', at: now.getTime() })
})

test('applies a configuration to each map: owners as in the specification, metadata of `sample` only', async () => {
  await seedSampleData(database, now)
  for (const { mapId } of await readSampleMaps(now)) {
    const { isApplied, version, configuration } = await readConfigurationOfMap(database, mapId)
    expect({ isApplied, version }, mapId).toEqual({ isApplied: true, version: 1 })
    const { showPersonalData, publicMetadata } = configuration
    const isSample = mapId === 'sample'
    expect({ showPersonalData, publicMetadata }, mapId).toEqual({
      showPersonalData: !isSample,
      publicMetadata: isSample ? ['customField1', 'notes', 'flag'] : [],
    })
  }
  const { configuration } = await readConfigurationOfMap(database, 'pine-ridge')
  expect(configuration).toMatchObject({
    center: { lat: 34.05, lng: -111.09 },
    startZoom: 14,
    mapBounds: null,
  })
  expect(configuration.mapTypes).toEqual(['street', 'satellite', 'terrain'])
})

test('does nothing the second time', async () => {
  await seedSampleData(database, now)
  const before = [await idsIn('features'), await idsIn('activity')]
  expect(await seedSampleData(database, new Date('2027-01-01T00:00:00Z'))).toBe(false)
  expect([await idsIn('features'), await idsIn('activity')]).toEqual(before)
})

test('runs once for two concurrent calls in one process', async () => {
  const done = await Promise.all([seedSampleData(database, now), seedSampleData(database, now)])
  expect(done.sort()).toEqual([false, true])
})

test('runs once in three concurrent processes', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => seedInOtherProcess(dataDirectory)))
  expect(answers.sort()).toEqual(['false', 'false', 'true'])
  expect(await idsIn('features')).toHaveLength(
    (await readSampleMaps(now)).flatMap((map) => map.features).length,
  )
}, 30_000)

test('rolls back when it fails', async () => {
  await database.write(async (transaction) => {
    await transaction
      .insertInto('maps')
      .values({ map_id: 'wagon-creek', created_at: 0, updated_at: 0 })
      .execute()
  })
  await expect(seedSampleData(database, now)).rejects.toThrow(/unique/i)
  expect(await idsIn('features')).toEqual([])
})

async function seedInOtherProcess(directory: string): Promise<string> {
  const script = `
    import { openDatabase } from '#server/database/open-database.ts'
    import { seedSampleData } from '#server/sample-data/seed-sample-data.ts'
    const database = await openDatabase({ dataDirectory: process.argv[1] })
    process.stdout.write(String(await seedSampleData(database, new Date('${now.toISOString()}'))))
    await database.close()`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let answer = ''
  child.stdout.on('data', (chunk: Buffer) => {
    answer += chunk
  })
  const [code] = await once(child, 'close')
  expect(code).toBe(0)
  return answer
}
