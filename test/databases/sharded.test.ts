import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery, sql } from 'kysely'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { readTileGeometries } from '#server/thinning/read-tile.queries.ts'
import { isLong } from '#test/random/how-much.ts'
import { startProcess } from '#test/server/processes.ts'
import { readVitestReport } from '../../scripts/test-reports.mjs'
import { onEngine } from './databases.ts'
import { anAsset, storeFeatures, storeMap } from './feature-builders.ts'
import { queriesOf } from './queries-of.ts'
import { isSharded } from './sharded-templates.ts'

/** Tests that can fail with postgres_fdw. */
const limits: Readonly<Record<string, string>> = {
  'changing clients on postgres gives each client its own id':
    'Transactions on the second server are repeatable read, so that concurrent changes of a row can fail.',
  'npm run rebuild on postgres fixes wrong derived data and skips correct rows while the server runs':
    'A divided table has no primary key, which the command asks for.',
}

describe.skipIf(!isLong || inject('postgresUrl') === null)('two databases with half of the maps each', () => {
  it('pass the tests of features, tiles and clients', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'poa-test-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const report = join(folder, 'report.json')
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', '-t', 'on postgres']
    const output = ['--reporter=json', `--outputFile=${report}`]
    const files = ['server/features/', 'server/tiles/', 'server/clients/', 'test/databases/sharded.test.ts']
    const { TEST_LONG: _, ...env } = process.env
    await using run = startProcess(process.execPath, [...vitest, ...output, ...files], {
      env: { ...env, TEST_SHARDED: 'yes' },
    })
    const exitCode = (await run.exited) ?? 1
    const { passed, failures } = readVitestReport(report, { exitCode, lastWords: run.output() })
    const isLimit = ({ test }: { test: string }) => Object.keys(limits).some((title) => test.endsWith(title))
    expect(failures.filter((failure) => !isLimit(failure))).toEqual([])
    expect(passed).toBeGreaterThan(400)
  })
})

describe.runIf(isSharded)('divided tables', () => {
  onEngine('postgres', 'a map', (createDatabase) => {
    it.each([
      ['oak-hills', 'first', 'second', 'Index Scan using features_of_zoom_'],
      ['quiet', 'second', 'first', 'OPERATOR(public.&&)'],
    ])('%s is stored and found in the %s database alone', async (mapId, own, other, search) => {
      const database = await createDatabase()
      await storeMap(database, mapId)
      await storeFeatures(database, [anAsset({ mapId, id: 'a' })])
      const { rows } = await sql<{ name: string }>`
        select tableoid::regclass::text as name from features
        union all select tableoid::regclass::text from maps`.execute(database.read)
      expect(rows.map(({ name }) => name)).toEqual([`features_${own}`, `maps_${own}`])
      const tile = { z: 2, x: 0, y: 1 }
      const all = { kinds: [], types: [], since: undefined }
      const [query] = await queriesOf(database.read, (read) =>
        readTileGeometries({ ...database, read }, mapId, tile, { margin: 0, limit: 1 }, all),
      )
      const explained = CompiledQuery.raw(`explain (verbose) ${query?.sql}`, [...(query?.parameters ?? [])])
      const plan = JSON.stringify(await database.read.executeQuery(explained))
      expect(plan).toContain(`features_${own}`)
      expect(plan).toContain(search)
      expect(plan).not.toContain(`features_${other}`)
    })
  })
})
