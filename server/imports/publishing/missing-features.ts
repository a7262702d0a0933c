import type { Metadata } from '#domain/values/common.schema.ts'
import type { Actor } from '../../activity/activity.queries.ts'
import type { Database, WriteTransaction } from '../../database/database.ts'
import { changePartIn } from '../../features/changes/change-features.commands.ts'
import { readRowsOf } from '../../features/rows/feature-rows.queries.ts'
import { type MissingFeature, recordRemovals } from './earlier-changes.queries.ts'
import { featureColumns } from './feature-columns.ts'
import { type ImportKey, StagingInsert } from './imports.queries.ts'

// Features that an earlier edition of the file created, and that the file no longer has.

export const missingMark = 'No longer in the file'

const featuresPerPart = 500

/** Features that already have a mark stay unchanged. */
export async function stageMarked(
  transaction: WriteTransaction,
  key: ImportKey,
  missing: readonly MissingFeature[],
  { lastRow, now }: { lastRow: number; now: number },
): Promise<number> {
  const staging = new StagingInsert()
  const mark = { name: missingMark, value: new Date(now).toISOString().slice(0, 10) }
  const columns = [...featureColumns, 'row_number'] as const
  let marked = 0
  for (const ids of partsOf(missing)) {
    const rows = await readRowsOf(transaction, key.mapId, ids)
    const values = [...rows.values()].flatMap((row) => {
      const metadata: Metadata = JSON.parse(row.metadata)
      if (metadata.some(({ name }) => name === missingMark)) return []
      const changed = {
        metadata: JSON.stringify([...metadata, mark]),
        import_id: key.importId,
        updated_at: now,
      }
      const staged = { ...row, ...changed, row_number: lastRow + ++marked }
      return columns.map((column) => staged[column])
    })
    if (values.length > 0) await staging.execute(transaction, { columns, values })
  }
  return marked
}

export async function removeMissing(
  database: Database,
  transaction: WriteTransaction,
  key: ImportKey,
  missing: readonly MissingFeature[],
  actor: Actor | null | undefined,
): Promise<number> {
  const change = { mapId: key.mapId, changeId: key.importId, person: personOf(actor) }
  let removed = 0
  for (const ids of partsOf(missing)) {
    const operations = ids.map((id) => ({ action: 'remove' as const, id, isExpected: () => true }))
    const { changed } = await changePartIn(database, transaction, change, operations)
    const removedIds = changed.map(({ id }) => id)
    await recordRemovals(transaction, key, removedIds)
    removed += changed.length
  }
  return removed
}

export const personOf = (actor: Actor | null | undefined) => ({
  id: actor?.id ?? '',
  name: actor?.name ?? 'An import',
  ...(actor?.tokenId === undefined ? {} : { tokenId: actor.tokenId }),
  roles: { isAdministrator: true, ofMaps: {} },
})

function* partsOf(missing: readonly MissingFeature[]) {
  for (let start = 0; start < missing.length; start += featuresPerPart)
    yield missing.slice(start, start + featuresPerPart).map(({ id }) => id)
}
