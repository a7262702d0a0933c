import type { WriteTransaction } from '../../database/database.ts'
import type { LandFilesTable } from '../../database/tables.ts'

type FileMove = { from: string; to: string }

/** The feature of a file that was not removed. */
export async function readFeatureOfFile(
  transaction: WriteTransaction,
  { mapId, fileId }: { mapId: string; fileId: string },
): Promise<string | undefined> {
  const file = await transaction
    .selectFrom('files')
    .select('feature_id')
    .where('map_id', '=', mapId)
    .where('id', '=', fileId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return file?.feature_id
}

/** Files of maintenance entries stay with their entries. */
export async function moveFiles(
  transaction: WriteTransaction,
  { mapId, changeId }: { mapId: string; changeId: string },
  moves: readonly FileMove[],
): Promise<void> {
  for (const { from, to } of moves) {
    const files = await transaction
      .selectFrom('files')
      .select('id')
      .where('map_id', '=', mapId)
      .where('feature_id', '=', from)
      .where('maintenance_id', 'is', null)
      .execute()
    for (const { id } of files) {
      const move = { map_id: mapId, change_id: changeId, file_id: id, origin_id: from, feature_id: to }
      await transaction.insertInto('land_files').values(move).execute()
      await moveFile(transaction, move, { from, to })
    }
  }
}

type MovedFiles = { mapId: string; changeId: string; isUndone: boolean; origins: ReadonlySet<string> }

/** Moves the files that came from the origins back, or again. Leaves those that have moved elsewhere since. */
export async function moveFilesBack(
  transaction: WriteTransaction,
  { mapId, changeId, isUndone, origins }: MovedFiles,
): Promise<void> {
  const moves = await transaction
    .selectFrom('land_files')
    .selectAll()
    .where('map_id', '=', mapId)
    .where('change_id', '=', changeId)
    .execute()
  for (const move of moves) {
    if (!origins.has(move.origin_id)) continue
    const [from, to] = isUndone ? [move.feature_id, move.origin_id] : [move.origin_id, move.feature_id]
    await moveFile(transaction, move, { from, to })
  }
}

async function moveFile(
  transaction: WriteTransaction,
  { map_id, file_id }: Pick<LandFilesTable, 'map_id' | 'file_id'>,
  { from, to }: FileMove,
) {
  await transaction
    .updateTable('files')
    .set({ feature_id: to })
    .where('map_id', '=', map_id)
    .where('id', '=', file_id)
    .where('feature_id', '=', from)
    .execute()
}
