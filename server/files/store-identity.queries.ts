import type { ReadDatabase, WriteTransaction } from '../database/database.ts'

/** The id of the file store that belongs to this database; undefined before the first start. */
export async function readStoreId(database: ReadDatabase): Promise<string | undefined> {
  const row = await database.selectFrom('file_store').select('id').executeTakeFirst()
  return row?.id
}

/** Returns whether this was the first id; waits for another server that is storing one. */
export async function insertStoreId(transaction: WriteTransaction, id: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await transaction
    .insertInto('file_store')
    .values({ kind: 'files', id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}
