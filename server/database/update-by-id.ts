import type { WriteTransaction } from './database.ts'
import type { Tables } from './tables.ts'

type TableWithIds = 'drawings' | 'files' | 'incident_notes' | 'reports' | 'subscriptions' | 'work_links'

export async function updateById<Name extends TableWithIds>(
  transaction: WriteTransaction,
  table: Name,
  { mapId, id }: { mapId: string; id: string },
  columns: Partial<Tables[Name]>,
) {
  await transaction
    // Kysely cannot infer that each of the tables has the columns of the key.
    .updateTable(table as 'reports')
    .set(columns as Partial<Tables['reports']>)
    .where('map_id', '=', mapId)
    .where('id', '=', id)
    .execute()
}
