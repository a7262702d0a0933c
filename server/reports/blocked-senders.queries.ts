import type { ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { BlockedSendersTable } from '../database/tables.ts'

/** Blocks in force. */
export const listBlocks = (read: ReadDatabase, mapId: string, now: number): Promise<BlockedSendersTable[]> =>
  read
    .selectFrom('blocked_senders')
    .selectAll()
    .where('map_id', '=', mapId)
    .where('until', '>', now)
    .orderBy('until')
    .orderBy('sender')
    .execute()

/** Replaces an earlier block of the same sender. */
export async function storeBlock(transaction: WriteTransaction, row: BlockedSendersTable) {
  const { map_id: _, sender: _sender, ...changed } = row
  await transaction
    .insertInto('blocked_senders')
    .values(row)
    .onConflict((conflict) => conflict.columns(['map_id', 'sender']).doUpdateSet(changed))
    .execute()
}

export async function deleteBlock(
  transaction: WriteTransaction,
  { mapId, reportId }: { mapId: string; reportId: string },
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('blocked_senders')
    .where('map_id', '=', mapId)
    .where('report_id', '=', reportId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteOldBlocks(transaction: WriteTransaction, now: number) {
  await transaction.deleteFrom('blocked_senders').where('until', '<=', now).execute()
}
