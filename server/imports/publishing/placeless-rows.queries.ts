import { sql } from 'kysely'
import type { ReadDatabase, WriteTransaction } from '../../database/database.ts'
import { ImportError } from '../import-error.ts'
import { keptPlace, type RowBatch } from '../reading/read-batches.ts'
import type { ReportedRow } from '../reported-row.ts'
import { inRange, type StagedRange } from './publish.queries.ts'

// Rows of our own export that say no place keep the one that their feature has.

/** Takes those rows out of a batch whose feature is not on the map; returns them as they are refused. */
export async function takeOutPlaceless(
  read: ReadDatabase,
  mapId: string,
  batch: Pick<RowBatch, 'columns' | 'values' | 'placeless'>,
): Promise<ReportedRow[]> {
  const { columns, values, placeless } = batch
  if (placeless.length === 0) return []
  const ids = placeless.map(({ featureId = '' }) => featureId)
  const known = await read
    .selectFrom('features')
    .select('id')
    .where('map_id', '=', mapId)
    .where('id', 'in', ids)
    .execute()
  const there = new Set(known.map(({ id }) => id))
  const refused = placeless.filter(({ featureId = '' }) => !there.has(featureId))
  if (refused.length === 0) return []
  const without = new Set<unknown>(refused.map(({ rowNumber }) => rowNumber))
  const [width, numberAt] = [columns.length, columns.indexOf('row_number')]
  batch.values = values.filter(
    (_, index) => !without.has(values[Math.floor(index / width) * width + numberAt]),
  )
  return refused
}

/** Throws where somebody has removed such a feature since its row was read. */
export async function requirePlaces(transaction: WriteTransaction, range: StagedRange) {
  const row = await transaction
    .selectFrom('staged_features')
    .select('id')
    .where(sql<boolean>`${inRange(range)}`)
    .where('geometry', '=', keptPlace)
    .limit(1)
    .executeTakeFirst()
  if (row) throw new ImportError(`${row.id} was removed while the file was read: import it again.`)
}
