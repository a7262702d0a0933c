import type { ReadDatabase, WriteTransaction } from '../database/database.ts'

export async function readStoreId(database: ReadDatabase): Promise<string | undefined> {
  const row = await database.selectFrom('file_store').select('id').executeTakeFirst()
  return row?.id
}

export async function insertStoreId(transaction: WriteTransaction, id: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await transaction
    .insertInto('file_store')
    .values({ kind: 'files', id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}
