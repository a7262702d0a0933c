import { sql } from 'kysely'
import type { ReadDatabase } from '../../database/database.ts'

// Reports and features share ids: the incident of a report has its id.

/** Whether the map has or had a feature with this id. */
export async function wasFeature(read: ReadDatabase, mapId: string, id: string): Promise<boolean> {
  const uses = [
    ['features', 'id'],
    ['removed_features', 'id'],
    ['feature_history', 'feature_id'],
    ['merges', 'source_id'],
    ['files', 'feature_id'],
    ['incident_notes', 'incident_id'],
    ['work_links', 'incident_id'],
  ].map(
    ([table = '', column = '']) =>
      sql`exists (select 1 from ${sql.table(table)} where map_id = ${mapId} and ${sql.ref(column)} = ${id})`,
  )
  const { rows } = await sql`select 1 where ${sql.join(uses, sql` or `)}`.execute(read)
  return rows.length > 0
}

export async function readIdsOfReports(
  read: ReadDatabase,
  mapId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await read
    .selectFrom('reports')
    .select('id')
    .where('map_id', '=', mapId)
    .where('id', 'in', ids)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
