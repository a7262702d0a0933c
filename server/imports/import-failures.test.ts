import { expect, it } from 'vitest'
import { onEachEngine, onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { contentOf, header, options, table } from '#test/imports/hydrant-imports.ts'
import { inputOf } from '#test/imports/import-inputs.ts'
import { withFlag } from './explain-remedy.ts'
import { type ImportOptions, importFeatures } from './import-features.ts'
import { featureColumns } from './publishing/feature-columns.ts'

onEngine('sqlite', 'an import that fails', (createDatabase) => {
  const failing: [string, string, Partial<ImportOptions>, string][] = [
    [
      'for an unknown map',
      `${header}1,A,34,-111,x`,
      { mapId: 'elsewhere', client: undefined },
      'There is no map "elsewhere". Choose an existing map with --map, or add --client-name NAME',
    ],
    [
      'at broken JSON',
      '[{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{}},\n{"a" 1}]',
      {},
      'line 2, column 6',
    ],
    [
      'for a table without a place',
      'a,b\n1,2',
      {},
      'no column for latitude and longitude. Its columns are a and b. Add --field latitude=COLUMN --field longitude=COLUMN.',
    ],
    ['for half a place', 'lat,b\n1,2', {}, 'no column for longitude. Its columns are lat and b'],
    [
      'for a column that is not there',
      `${header}1,A,34,-111,x`,
      { columns: new Map([['name', 'NAME']]) },
      'No row has a column "NAME". The columns are id, name, lat, lng, and note',
    ],
    ['at an empty file', '', {}, 'The file is empty.'],
  ]
  it.each(failing)('%s changes nothing', async (_, content, changes, message) => {
    const database = await createDatabase()
    await importFeatures(database, table('1,A,34,-111,x'), options)
    const before = await contentOf(database)
    const failed = importFeatures(database, inputOf(content), { ...options, ...changes })
    expect(await failed.then(() => '', withFlag)).toContain(message)
    expect(await contentOf(database)).toEqual(before)
  })
})

onEachEngine('an import that fails', (createDatabase) => {
  it('because it was interrupted leaves nothing, at any time', async () => {
    const database = await createDatabase()
    const rows = Array.from({ length: 4_500 }, (_, index) => `${index},A ${index},34,-111,x`)
    const before = await contentOf(database)
    for (const phase of ['reading', 'publishing'] as const) {
      const controller = new AbortController()
      const interrupt = (progress: { phase: string }) => {
        if (progress.phase === phase) controller.abort(new Error('interrupted'))
      }
      const failed = importFeatures(database, table(...rows), options, {
        signal: controller.signal,
        onProgress: interrupt,
      })
      await expect(failed).rejects.toThrow('interrupted')
      expect(await contentOf(database)).toEqual(before)
    }
  })

  it('without a chance to clean up is cleaned up after a day', async () => {
    const database = await createDatabase()
    await importFeatures(database, table('1,A,34,-111,x'), options)
    const visible = await contentOf(database)
    for (const [id, hours] of [
      ['dead', 25],
      ['alive', 23],
    ] as const)
      await leaveBehind(database, id, Date.now() - hours * 3_600_000)
    await importFeatures(database, table('1,A,34,-111,x'), options)
    const after = await contentOf(database)
    expect(after.imports.map(({ id }) => id).sort()).toEqual(['alive', visible.imports[0]?.id].sort())
    expect(after.staged).toHaveLength(1)
    expect(after.features).toEqual(visible.features)
  })
})

async function leaveBehind(database: TestDatabase, id: string, startedAt: number) {
  const [row] = await database.read.selectFrom('features').selectAll().limit(1).execute()
  const all = row as unknown as Record<string, unknown>
  const columns = Object.fromEntries(featureColumns.map((column) => [column, all[column]]))
  await database.write(async (transaction) => {
    await transaction
      .insertInto('imports')
      .values({
        map_id: 'oak-hill',
        id,
        source: 's',
        kind: 'asset',
        state: 'staging',
        created_count: 0,
        updated_count: 0,
        refused_count: 0,
        started_at: startedAt,
        finished_at: null,
        replaces_edits: 0,
      })
      .execute()
    await transaction
      .insertInto('staged_features')
      .values({ ...columns, import_id: id, created_at: startedAt, row_number: 1 } as never)
      .execute()
  })
}
