import { type Actor, recordActivity } from '../../activity/activity.queries.ts'
import type { Database, Extent, WriteTransaction } from '../../database/database.ts'
import type { FeatureColumns } from '../../database/tables.ts'
import { readHistoryOfChange } from '../../features/history/feature-history.queries.ts'
import { undoPartIn } from '../../features/history/undo.commands.ts'
import {
  createListedEntries,
  deleteEntriesOfImport,
  readEntries,
} from '../../features/maintenance/maintenance-entries.queries.ts'
import { followInRow } from '../../features/rows/feature-row.ts'
import { joinExtents } from '../../geometry/extents.ts'
import { type FeatureWriter, writeFeatures } from '../../thinning/write-features.queries.ts'
import { type Advice, ImportError } from '../import-error.ts'
import {
  findImports,
  findNewerImports,
  type ImportKey,
  markUndone,
  type NewerImport,
} from './imports.queries.ts'
import { personOf } from './missing-features.ts'
import { type ImportedFeature, lockImported, readImportedFeatures } from './publish.queries.ts'
import { tidyUpAfterImport } from './tidy-up.ts'

export type UndoResult = {
  mapId: string
  removed: number
  restored: number
  kept: string[]
  newer: NewerImport[]
}

type UndoOptions = {
  importId: string
  mapId?: string
  actor?: Actor | null
  /** Called if newer imports changed the same features; the default is no. */
  confirm?: (newer: readonly NewerImport[]) => Promise<boolean>
  onNotice?: (notice: Advice) => void
}

/** Later changes stay. */
export async function undoImport(
  database: Database,
  { importId, mapId, actor = null, confirm, onNotice }: UndoOptions,
): Promise<UndoResult> {
  const { engine } = database
  const key = await findImport(database, importId, mapId)
  const newer = await findNewerImports(database.read, key)
  if (newer.length > 0 && !(await confirm?.(newer)))
    throw new ImportError(`${undoFirst(newer)} Nothing was undone.`)
  const result = await database.write(async (transaction) => {
    await lockImported(transaction, engine, key)
    const newer = await findNewerImports(transaction, key)
    const undone: Undone = { removed: 0, restored: 0, kept: [], extent: null }
    await writeFeatures(transaction, engine, key, (writer) => undoRows(transaction, key, writer, undone))
    await restoreMissing(database, transaction, key, actor, undone)
    if (!(await markUndone(transaction, key))) throw new ImportError(`Import ${importId} is already undone.`)
    const { extent, kept, ...counts } = undone
    const activity = {
      mapId: key.mapId,
      action: 'features.import-undone',
      actor,
      subject: importId,
      details: { importId, ...counts, kept: kept.length },
      extent,
    } as const
    await recordActivity(transaction, activity, Date.now())
    return { mapId: key.mapId, ...counts, kept, newer }
  })
  await tidyUpAfterImport(database, result.removed + result.restored, onNotice)
  return result
}

export const undoFirst = (newer: readonly NewerImport[]) =>
  `Newer imports changed the same features, which would be skipped: ${newer
    .map((one) => `${one.id} (${describeImport(one)})`)
    .join(', ')}. Undo those imports first.`

/** 'lots-2026.csv, 2026-11-26 16:40 UTC' */
export const describeImport = ({ files, source, started_at }: NewerImport) =>
  `${files.join(', ') || source}, ${new Date(started_at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

type Undone = Pick<UndoResult, 'removed' | 'restored' | 'kept'> & { extent: Extent | null }

type FoundImport = ImportKey & { importedAt: number; changes: number }

async function undoRows(
  transaction: WriteTransaction,
  key: FoundImport,
  writer: FeatureWriter,
  undone: Undone,
) {
  for (let after = ''; ; ) {
    const features = await readImportedFeatures(transaction, key, after)
    const last = features.at(-1)
    if (!last) return
    after = last.id
    const untouched = features.filter((feature) => isUntouched(feature, key))
    const ids = untouched.map((feature) => feature.id)
    await deleteEntriesOfImport(transaction, key, ids)
    const previous = await addUserEntries(transaction, untouched.flatMap(restored))
    await writer.remove(ids)
    await writer.insert(previous)
    undone.restored += previous.length
    undone.removed += ids.length - previous.length
    undone.kept.push(...features.filter((feature) => !isUntouched(feature, key)).map(({ id }) => id))
    undone.extent = joinExtents([
      undone.extent,
      ...untouched.flatMap(({ previous, current }) => [previous, current]),
    ])
  }
}

const removedPerPage = 500

async function restoreMissing(
  database: Database,
  transaction: WriteTransaction,
  { mapId, importId }: ImportKey,
  actor: UndoOptions['actor'],
  undone: Undone,
) {
  const change = { mapId, changeId: `${importId}-undone`, undoes: importId, person: personOf(actor) }
  for (let after = ''; ; ) {
    const page = { after, limit: removedPerPage }
    const removed = await readHistoryOfChange(transaction, mapId, importId, page)
    const last = removed.at(-1)
    if (!last) return
    after = last.feature_id
    const { changed, extent } = await undoPartIn(database, transaction, change, removed)
    const restored = new Set(changed.map(({ id }) => id))
    undone.restored += restored.size
    undone.extent = joinExtents([undone.extent, extent])
    undone.kept.push(...removed.map(({ feature_id }) => feature_id).filter((id) => !restored.has(id)))
  }
}

/** A feature that the import last wrote has the time of the import. */
function isUntouched({ current }: ImportedFeature, { importId, importedAt }: FoundImport): boolean {
  return current?.importId === importId && current.updatedAt === importedAt
}

/** With a newer version, so that edits based on the import's version are refused. */
function restored({ previous, current }: ImportedFeature): FeatureColumns[] {
  return previous && current ? [{ ...previous, version: current.version + 1 }] : []
}

/** Adds maintenance entries that people wrote, and those from before the import. */
async function addUserEntries(
  transaction: WriteTransaction,
  rows: readonly FeatureColumns[],
): Promise<FeatureColumns[]> {
  const [first] = rows
  if (!first) return []
  await createListedEntries(transaction, rows)
  const ids = rows.map(({ id }) => id)
  const entries = await readEntries(transaction, first.map_id, ids)
  return rows.map((row) => {
    const rowEntries = entries.get(row.id)
    return rowEntries ? { ...row, fields: followInRow(row.fields, rowEntries) } : row
  })
}

async function findImport(
  database: Database,
  importId: string,
  mapId: string | undefined,
): Promise<FoundImport> {
  const [record] = await findImports(database.read, importId, mapId)
  if (!record || record.state === 'staging') {
    const where = mapId === undefined ? '' : ` into map "${mapId}"`
    throw new ImportError(`There is no finished import ${importId}${where}.`, { remedy: 'other-import' })
  }
  const { map_id, started_at, created_count, updated_count } = record
  return { mapId: map_id, importId, importedAt: started_at, changes: created_count + updated_count }
}
