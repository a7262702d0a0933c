import type { ImportOptions } from '#server/imports/import-features.ts'
import type { TestDatabase } from '#test/databases/databases.ts'
import { inputOf } from './import-inputs.ts'

export const options: ImportOptions = {
  mapId: 'oak-hill',
  kind: 'asset',
  source: 'hydrants',
  client: { name: 'Oak Hill', location: 'Payson, AZ' },
}

export const header = 'id,name,lat,lng,note\n'
export const table = (...rows: string[]) => inputOf(header + rows.join('\n'))

/** Everything that users see or a later import depends on. */
export async function contentOf(database: TestDatabase) {
  const { read } = database
  return {
    maps: await read.selectFrom('maps').selectAll().execute(),
    clients: await read.selectFrom('clients').selectAll().execute(),
    features: await read
      .selectFrom('features')
      .select(['id', 'version', 'name', 'geometry', 'metadata', 'import_id', 'created_at'])
      .orderBy('name')
      .execute(),
    staged: await read.selectFrom('staged_features').select('id').execute(),
    imports: await read.selectFrom('imports').selectAll().execute(),
    changes: await read.selectFrom('import_changes').select(['import_id', 'previous']).execute(),
    activity: await read.selectFrom('activity').selectAll().orderBy('at').execute(),
  }
}
