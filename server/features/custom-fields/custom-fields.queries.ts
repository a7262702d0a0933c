import { type CustomFields, noCustomFields } from '#domain/features/custom-fields.ts'
import type { ReadDatabase, WriteTransaction } from '../../database/database.ts'
import type { CustomFieldsTable } from '../../database/tables.ts'

export type CustomFieldsVersion = { version: number; fields: CustomFields; removed: CustomFields }

export async function readCustomFieldsVersion(
  read: ReadDatabase,
  mapId: string,
): Promise<CustomFieldsVersion> {
  const row = await read
    .selectFrom('own_fields')
    .select(['version', 'fields', 'removed'])
    .where('map_id', '=', mapId)
    .executeTakeFirst()
  if (!row) return { version: 0, fields: noCustomFields, removed: noCustomFields }
  const [fields, removed] = [row.fields, row.removed].map(
    (text): CustomFields => ({ ...noCustomFields, ...JSON.parse(text) }),
  ) as [CustomFields, CustomFields]
  return { version: row.version, fields, removed }
}

export async function readCustomFields(read: ReadDatabase, mapId: string): Promise<CustomFields> {
  return (await readCustomFieldsVersion(read, mapId)).fields
}

export async function storeCustomFields(transaction: WriteTransaction, row: CustomFieldsTable) {
  const { map_id: _, ...changed } = row
  await transaction
    .insertInto('own_fields')
    .values(row)
    .onConflict((conflict) => conflict.column('map_id').doUpdateSet(changed))
    .execute()
}

/** Words of custom fields are updated up to this feature; null if all are. */
export async function readWordsAfter(read: ReadDatabase, mapId: string): Promise<string | null> {
  const row = await read
    .selectFrom('own_fields')
    .select('words_after')
    .where('map_id', '=', mapId)
    .executeTakeFirst()
  return row?.words_after ?? null
}

export async function noteWordsAfter(transaction: WriteTransaction, mapId: string, after: string | null) {
  await transaction
    .updateTable('own_fields')
    .set({ words_after: after })
    .where('map_id', '=', mapId)
    .execute()
}
