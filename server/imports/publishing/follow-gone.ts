import type { Metadata } from '#domain/values/common.schema.ts'
import type { Database, WriteTransaction } from '../../database/database.ts'
import { changePartIn } from '../../features/changes/change-features.commands.ts'
import { readRowsOf } from '../../features/rows/feature-rows.queries.ts'
import type { ImportOptions } from '../import-options.ts'
import { featureColumns } from './feature-columns.ts'
import { type GoneFeature, noteRemovals, readNotStaged } from './gone.queries.ts'
import { type ImportKey, StagingInsert } from './imports.queries.ts'

/** What a marked feature says among its further data, with the day. */
export const goneMark = 'No longer in the file'

const featuresPerPart = 500

/** Features that the source has made before and whose rows are in the file no more. Call it while all its rows are staged. */
export async function findGone(
  transaction: WriteTransaction,
  engine: Database['engine'],
  key: ImportKey,
  { options, present }: { options: ImportOptions; present: ReadonlySet<string> },
): Promise<GoneFeature[]> {
  const missing = await readNotStaged(transaction, engine, key, options)
  return missing.filter(({ id }) => !present.has(id))
}

/** Stages the features as they are, but for a mark; returns how many. One that is marked already stays as it is. */
export async function stageMarked(
  transaction: WriteTransaction,
  key: ImportKey,
  gone: readonly GoneFeature[],
  { lastRow, now }: { lastRow: number; now: number },
): Promise<number> {
  const staging = new StagingInsert()
  const mark = { name: goneMark, value: new Date(now).toISOString().slice(0, 10) }
  const columns = [...featureColumns, 'row_number'] as const
  let marked = 0
  for (const part of partsOf(gone)) {
    const rows = await readRowsOf(transaction, key.mapId, idsOf(part))
    const values = [...rows.values()].flatMap((row) => {
      const metadata: Metadata = JSON.parse(row.metadata)
      if (metadata.some(({ name }) => name === goneMark)) return []
      const said = { metadata: JSON.stringify([...metadata, mark]), import_id: key.importId, updated_at: now }
      const staged = { ...row, ...said, row_number: lastRow + ++marked }
      return columns.map((column) => staged[column])
    })
    if (values.length > 0) await staging.execute(transaction, { columns, values })
  }
  return marked
}

/** Removes the features as a person does, so that each can be put back. Returns how many. */
export async function removeGone(
  database: Database,
  transaction: WriteTransaction,
  key: ImportKey,
  gone: readonly GoneFeature[],
  actor: ImportOptions['actor'],
): Promise<number> {
  const change = { mapId: key.mapId, changeId: key.importId, person: whoOf(actor) }
  let removed = 0
  for (const part of partsOf(gone)) {
    const operations = part.map(({ id }) => ({ action: 'remove' as const, id, isExpected: () => true }))
    const { changed } = await changePartIn(database, transaction, change, operations)
    await noteRemovals(transaction, key, idsOf(changed))
    removed += changed.length
  }
  return removed
}

/** The command line knows no person. */
export const whoOf = (actor: ImportOptions['actor'] | null) => ({
  id: actor?.id ?? '',
  name: actor?.name ?? 'An import',
  ...(actor?.tokenId === undefined ? {} : { tokenId: actor.tokenId }),
  roles: { isAdministrator: true, ofMaps: {} },
})

const idsOf = (features: readonly { id: string }[]) => features.map(({ id }) => id)

function* partsOf(gone: readonly GoneFeature[]) {
  for (let start = 0; start < gone.length; start += featuresPerPart)
    yield gone.slice(start, start + featuresPerPart)
}
