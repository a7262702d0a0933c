import { expect, it } from 'vitest'
import { onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { inputOf } from '#test/imports/import-inputs.ts'
import { importFeatures } from '../import-features.ts'

const readIncidents = async (database: TestDatabase) => {
  const rows = await database.read
    .selectFrom('features')
    .select(['name', 'type', 'status', 'severity', 'date', 'fields'])
    .orderBy('name')
    .execute()
  return rows.map(({ fields, ...row }) => ({ ...row, ...JSON.parse(fields) }))
}

onEngine('sqlite', 'a value that is not understood', (createDatabase) => {
  it('keeps the stored value and its derived values, and is listed', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    const importRows = (...rows: string[]) =>
      importFeatures(
        database,
        inputOf(['id,title,lat,lon,type,severity,date,resolved date', ...rows].join('\n')),
        { mapId: 'oak-hills', kind: 'incident', source: 'trees' },
      )
    await importRows(
      '1,A,42.39,-71.09,Fire,high,2021-03-04,2021-03-05',
      '2,B,42.39,-71.08,Flood,low,2021-03-04,2021-03-05',
    )
    const [first, second] = await readIncidents(database)
    expect(first).toMatchObject({ type: 'fire', severity: 'high', status: 'resolved' })

    const { updated, filled } = await importRows(
      '1,A,42.39,-71.09,Fyre,grave,soon,later',
      '2,B,42.39,-71.08,Flood,medium,2021-03-04,',
      '3,C,42.39,-71.07,Flood,low,soon,',
    )
    expect(updated).toBe(2)
    expect(filled).toContainEqual(
      expect.objectContaining({
        field: 'date',
        notUnderstood: 2,
        unknownRows: expect.arrayContaining([{ row: 1, value: 'soon' }]),
      }),
    )
    const [kept, changed, created] = await readIncidents(database)
    expect(kept).toEqual(first)
    expect(changed).toEqual({ ...second, severity: 'medium', status: 'unresolved', resolvedDate: null })
    expect(created).toMatchObject({ name: 'C', date: null })
  })
})
