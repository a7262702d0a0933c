import type { OwnFields } from '#domain/features/own-fields.ts'
import type { Database, WriteTransaction } from '../../database/database.ts'
import { changePartIn } from '../../features/change-features.commands.ts'
import { toFeatureRow, toNewFeature } from '../../features/feature-row.ts'
import { readRowsOf } from '../../features/features.queries.ts'
import type { ImportOptions } from '../import-options.ts'
import { type GoneFeature, readNotStaged } from './gone.queries.ts'
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
  { lastRow, now, ownFields }: { lastRow: number; now: number; ownFields: OwnFields },
): Promise<number> {
  const staging = new StagingInsert()
  const mark = { name: goneMark, value: new Date(now).toISOString().slice(0, 10) }
  let marked = 0
  for (const part of partsOf(gone)) {
    const rows = await readRowsOf(
      transaction,
      key.mapId,
      part.map(({ id }) => id),
    )
    const staged = [...rows.values()].flatMap((row) => {
      const feature = toNewFeature(row)
      if (feature.metadata.some(({ name }) => name === goneMark)) return []
      const metadata = [...feature.metadata, mark]
      const columns = toFeatureRow({ ...feature, metadata }, { now, importId: key.importId, ownFields })
      return [{ ...columns, row_number: lastRow + ++marked }]
    })
    const [first] = staged
    if (!first) continue
    const columns = Object.keys(first) as (keyof typeof first)[]
    const values = staged.flatMap((row) => columns.map((column) => row[column]))
    await staging.execute(transaction, { columns, values })
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
    removed += (await changePartIn(database, transaction, change, operations)).changed.length
  }
  return removed
}

/** The command line knows no person. */
export const whoOf = (actor: ImportOptions['actor'] | null) => ({
  id: actor?.id ?? '',
  name: actor?.name ?? 'An import',
  roles: { isAdministrator: true, ofMaps: {} },
})

function* partsOf(gone: readonly GoneFeature[]) {
  for (let start = 0; start < gone.length; start += featuresPerPart)
    yield gone.slice(start, start + featuresPerPart)
}
