import { type Actor, recordActivity } from '../../activity/activity.queries.ts'
import type { Database, Extent, WriteTransaction } from '../../database/database.ts'
import type { FeatureColumns } from '../../database/tables.ts'
import { readHistoryOfChange } from '../../features/history/feature-history.queries.ts'
import { undoPartIn } from '../../features/history/undo.commands.ts'
import {
  deleteEntriesOfImport,
  keepSaidEntries,
  readEntries,
} from '../../features/maintenance/maintenance-entries.queries.ts'
import { followInRow } from '../../features/rows/feature-row.ts'
import { joinExtents } from '../../geometry/extents.ts'
import { type FeatureWriter, writeFeatures } from '../../thinning/write-features.queries.ts'
import { type Advice, ImportError } from '../import-error.ts'
import { whoOf } from './follow-gone.ts'
import {
  findImports,
  findNewerImports,
  type ImportKey,
  markUndone,
  type NewerImport,
} from './imports.queries.ts'
import { tidyUpAfterImport } from './tidy-up.ts'
import { holdImported, type ImportedFeature, readImportedFeatures } from './undo.queries.ts'

export type UndoResult = {
  mapId: string
  removed: number
  restored: number
  /** Ids of features that were changed or removed since, and stay as they are. */
  kept: string[]
  /** Newer imports that changed some of those. */
  newer: NewerImport[]
}

type UndoOptions = {
  importId: string
  mapId?: string
  actor?: Actor | null
  /** Called if newer imports changed the same features; the default is no. */
  confirm?: (newer: readonly NewerImport[]) => Promise<boolean>
  /** Called with notices that do not keep the undo from succeeding. */
  onNotice?: (notice: Advice) => void
}

type FoundImport = ImportKey & { importedAt: number; changes: number }

/**
 * Takes an import back: what it made goes, what it replaced returns as it was. Features that somebody changed
 * since are left alone. Without `mapId` the import is looked for on all maps.
 */
export async function undoImport(
  database: Database,
  { importId, mapId, actor = null, confirm, onNotice }: UndoOptions,
): Promise<UndoResult> {
  const key = await findImport(database, importId, mapId)
  const newer = await findNewerImports(database.read, key)
  if (newer.length > 0 && !(await confirm?.(newer)))
    throw new ImportError(`${undoFirst(newer)} Nothing was undone.`)
  const result = await database.write(async (transaction) => {
    await holdImported(transaction, database.engine, key)
    const newer = await findNewerImports(transaction, key)
    const counts = { removed: 0, restored: 0 }
    const kept: string[] = []
    let extent: Extent | null = null
    const work = async (writer: FeatureWriter) => {
      for (let after = ''; ; ) {
        const features = await readImportedFeatures(transaction, key, after)
        const last = features.at(-1)
        if (!last) return
        after = last.id
        const untouched = features.filter((feature) => isUntouched(feature, key))
        const ids = untouched.map((feature) => feature.id)
        await deleteEntriesOfImport(transaction, key, ids)
        const previous = await withTheirEntries(transaction, untouched.flatMap(restored))
        await writer.remove(ids)
        await writer.insert(previous)
        counts.restored += previous.length
        counts.removed += ids.length - previous.length
        kept.push(...features.filter((feature) => !isUntouched(feature, key)).map((feature) => feature.id))
        extent = joinExtents([extent, ...untouched.flatMap(({ previous, current }) => [previous, current])])
      }
    }
    await writeFeatures(transaction, database.engine, key, work)
    const putBack = await putBackGone(database, transaction, key, actor)
    counts.restored += putBack.restored
    kept.push(...putBack.kept)
    extent = joinExtents([extent, putBack.extent])
    if (!(await markUndone(transaction, key))) throw alreadyUndone(importId)
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
  `Newer imports changed the same features, which would stay as they are: ${newer
    .map((one) => `${one.id} (${describeImport(one)})`)
    .join(', ')}. Undo these first.`

/** 'lots-2026.csv, 2026-11-26 16:40 UTC' */
export const describeImport = ({ files, source, started_at }: NewerImport) =>
  `${files.join(', ') || source}, ${new Date(started_at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const removedPerPage = 500

/** What the import has removed, as its file did not have it, comes back; unless somebody has put it back or forgotten it. */
async function putBackGone(
  database: Database,
  transaction: WriteTransaction,
  { mapId, importId }: ImportKey,
  actor: UndoOptions['actor'],
) {
  const change = { mapId, changeId: `${importId}-undone`, undoes: importId, person: whoOf(actor) }
  const kept: string[] = []
  let [restored, extent]: [number, Extent | null] = [0, null]
  for (let after = ''; ; ) {
    const page = { after, limit: removedPerPage }
    const removed = await readHistoryOfChange(transaction, mapId, importId, page)
    const last = removed.at(-1)
    if (!last) return { restored, kept, extent }
    after = last.feature_id
    const done = await undoPartIn(database, transaction, change, removed)
    const back = new Set(done.changed.map(({ id }) => id))
    restored += back.size
    extent = joinExtents([extent, done.extent])
    kept.push(...removed.map(({ feature_id }) => feature_id).filter((id) => !back.has(id)))
  }
}

/** Whether the feature is still what the import made of it, or is that again: it carries the instant of its import. */
function isUntouched({ current }: ImportedFeature, { importId, importedAt }: FoundImport): boolean {
  return current?.importId === importId && current.updatedAt === importedAt
}

/** As it was before the import, but with a newer version: an edit that is based on the import's version is refused. */
function restored({ previous, current }: ImportedFeature): FeatureColumns[] {
  return previous && current ? [{ ...previous, version: current.version + 1 }] : []
}

/** What people wrote down of an asset's maintenance before the import stays, with what it said itself. */
async function withTheirEntries(
  transaction: WriteTransaction,
  rows: readonly FeatureColumns[],
): Promise<FeatureColumns[]> {
  const [first] = rows
  if (!first) return []
  await keepSaidEntries(transaction, rows)
  const ids = rows.map(({ id }) => id)
  const entries = await readEntries(transaction, first.map_id, ids)
  return rows.map((row) => {
    const ofRow = entries.get(row.id)
    return ofRow ? { ...row, fields: followInRow(row.fields, ofRow) } : row
  })
}

async function findImport(
  database: Database,
  importId: string,
  mapId: string | undefined,
): Promise<FoundImport> {
  const found = await findImports(database.read, importId)
  const record = found.find((row) => mapId === undefined || row.map_id === mapId)
  if (!record || record.state === 'staging') {
    const where = mapId === undefined ? '' : ` into map "${mapId}"`
    throw new ImportError(`There is no finished import ${importId}${where}.`, { remedy: 'other-import' })
  }
  const { map_id, started_at, created_count, updated_count } = record
  return { mapId: map_id, importId, importedAt: started_at, changes: created_count + updated_count }
}

function alreadyUndone(importId: string): ImportError {
  return new ImportError(`Import ${importId} has been undone already.`)
}
