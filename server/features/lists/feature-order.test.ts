import { CompiledQuery } from 'kysely'
import { expect, it } from 'vitest'
import { featureSorts } from '#domain/features/feature-sort.ts'
import { onEngine } from '#test/databases/databases.ts'
import { queriesOf } from '#test/databases/queries-of.ts'
import type { ReadDatabase } from '../../database/database.ts'
import type { FeatureFilter } from './feature-filter.ts'
import { readIdsInOrder } from './feature-order.queries.ts'

// A map of 100,000 features is sorted from its index in a fifth of the time that reading its rows takes.

onEngine('sqlite', 'the order of features', (createDatabase) => {
  // The parcel is a generated column, for which SQLite reads the rows.
  const sorts = featureSorts.filter((sort) => !sort.endsWith('parcel'))
  const filters: FeatureFilter[] = [{}, { status: ['operational', 'unresolved'] }, { kind: ['asset'] }]
  const cases = [undefined, ...sorts].flatMap((sort) => filters.map((filter) => ({ sort, filter })))
  // List order is the order of the index: no sorting, and skipped rows are not read.
  const sorted = cases.filter(({ sort, filter }) => sort !== undefined || filter.status !== undefined)

  it.each(sorted)('uses an index only: $sort, $filter', async ({ sort, filter }) => {
    const database = await createDatabase()
    const plan = await planOf(database.read, (read) =>
      readIdsInOrder(database, read, 'map', filter, { sort, offset: 100, limit: 100 }),
    )
    expect(plan.filter((step) => / features /.test(step))).toEqual([
      expect.stringContaining('USING COVERING INDEX'),
    ])
  })
})

async function planOf(read: ReadDatabase, work: (read: ReadDatabase) => Promise<unknown>): Promise<string[]> {
  const steps: string[] = []
  for (const { sql, parameters } of await queriesOf(read, work)) {
    const explained = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters])
    const { rows } = await read.executeQuery<{ detail: string }>(explained)
    steps.push(...rows.map(({ detail }) => detail))
  }
  return steps
}
