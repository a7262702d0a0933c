import { noOwnFields, type OwnFields } from '#domain/features/own-fields.ts'
import type { ReadDatabase, WriteTransaction } from '../../database/database.ts'
import type { OwnFieldsTable } from '../../database/tables.ts'

export type OwnFieldsVersion = { version: number; fields: OwnFields; removed: OwnFields }

export async function readOwnFieldsVersion(read: ReadDatabase, mapId: string): Promise<OwnFieldsVersion> {
  const row = await read
    .selectFrom('own_fields')
    .select(['version', 'fields', 'removed'])
    .where('map_id', '=', mapId)
    .executeTakeFirst()
  if (!row) return { version: 0, fields: noOwnFields, removed: noOwnFields }
  const [fields, removed] = [row.fields, row.removed].map(
    (text): OwnFields => ({ ...noOwnFields, ...JSON.parse(text) }),
  ) as [OwnFields, OwnFields]
  return { version: row.version, fields, removed }
}

export async function readOwnFields(read: ReadDatabase, mapId: string): Promise<OwnFields> {
  return (await readOwnFieldsVersion(read, mapId)).fields
}

export async function storeOwnFields(transaction: WriteTransaction, row: OwnFieldsTable) {
  const { map_id: _, ...changed } = row
  await transaction
    .insertInto('own_fields')
    .values(row)
    .onConflict((conflict) => conflict.column('map_id').doUpdateSet(changed))
    .execute()
}

/** Words of own fields are updated up to this feature; null if all are. */
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
