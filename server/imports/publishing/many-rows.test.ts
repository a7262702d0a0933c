import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { inputOf } from '#test/imports/import-inputs.ts'
import type { ImportOptions } from '../import-features.ts'
import { importFeatures } from '../import-features.ts'

const options: ImportOptions = {
  mapId: 'oak-hill',
  kind: 'asset',
  source: 'poles',
  client: { name: 'Oak Hill', location: 'Payson, AZ' },
}

const manyRows = 100_200

const poles = (count: number, name: string) =>
  inputOf(
    `id,name,lat,lng\n${Array.from(
      { length: count },
      (_, index) => `${index},${name} ${index},${34 + (index % 317) / 1000},${-111 - (index % 331) / 1000}`,
    ).join('\n')}`,
  )

async function rowsOf<Row>({ read }: TestDatabase, query: string): Promise<Row[]> {
  const { rows } = await sql.raw<Row>(query).execute(read)
  return rows
}

const schemaOf = (database: TestDatabase) =>
  rowsOf(database, `select type, name, tbl_name, sql from sqlite_schema order by type, name`)

async function expectSound(database: TestDatabase, count: number) {
  expect(await rowsOf(database, `pragma integrity_check('features')`)).toEqual([{ integrity_check: 'ok' }])
  expect(await rowsOf(database, `select rtreecheck('feature_extents') as it`)).toEqual([{ it: 'ok' }])
  const boxes = await rowsOf(
    database,
    `select count(*) as boxes,
      sum(f.east >= e.west and f.west <= e.east and f.north >= e.south and f.south <= e.north
        and min(f.size_zoom, 31) = e.first_layer % 32) as fitting
    from feature_extents as e left join features as f on f.feature_key = e.feature_key`,
  )
  expect(boxes).toEqual([{ boxes: count, fitting: count }])
}

const countOf = async (database: TestDatabase, word: string) =>
  (
    await database.read
      .selectFrom('features')
      .select('id')
      .where(database.dialect.matchesWords(options.mapId, [word]))
      .execute()
  ).length

onEngine('sqlite', 'an import of many rows', (createDatabase) => {
  it('keeps every index complete', async () => {
    const database = await createDatabase()
    const schema = await schemaOf(database)
    const seen: string[] = []
    const result = await importFeatures(database, poles(manyRows, 'Pole'), options, {
      onProgress: ({ phase, rows }) => seen.push(`${phase} ${rows}`),
    })
    expect(result).toMatchObject({ created: manyRows })
    expect(seen).toEqual(expect.arrayContaining(['publishing 100000', `publishing ${manyRows}`]))
    expect(await schemaOf(database)).toEqual(schema)
    await expectSound(database, manyRows)
    expect(await countOf(database, 'pole')).toBe(manyRows)

    const again = await importFeatures(database, poles(1_500, 'Mast'), options)
    expect(again).toMatchObject({ created: 0, updated: 1_500 })
    await expectSound(database, manyRows)
    expect(await countOf(database, 'mast')).toBe(1_500)
    expect(await countOf(database, 'pole')).toBe(manyRows - 1_500)
  }, 120_000)

  it('keeps every index if it fails while one is dropped', async () => {
    const database = await createDatabase()
    await importFeatures(database, poles(10, 'Pole'), options)
    const schema = await schemaOf(database)
    const failed = importFeatures(database, poles(500, 'Mast'), options, {
      onProgress({ phase }) {
        if (phase === 'publishing') throw new Error('interrupted')
      },
    })
    await expect(failed).rejects.toThrow('interrupted')
    expect(await schemaOf(database)).toEqual(schema)
    await expectSound(database, 10)
  })

  it('removes its staged rows, and alternates with another import', async () => {
    const database = await createDatabase()
    const [poles10, poles20] = await Promise.all([
      importFeatures(database, poles(10, 'Pole'), options),
      importFeatures(database, poles(20, 'Mast'), { ...options, source: 'masts' }),
    ])
    expect([poles10.created, poles20.created]).toEqual([10, 20])
    await expectSound(database, 30)
    const remaining = await database.write((transaction) =>
      sql<{ name: string }>`select name from temp.sqlite_schema`.execute(transaction),
    )
    expect(remaining.rows).toEqual([])
  })
})
