import { setImmediate } from 'node:timers/promises'
import { recordActivity } from '../../activity/activity.queries.ts'
import { insertClient } from '../../clients/store-clients.queries.ts'
import type { Database, Extent, WriteTransaction } from '../../database/database.ts'
import type { ImportsTable } from '../../database/tables.ts'
import { updateSearchWords } from '../../features/custom-fields/custom-fields.commands.ts'
import { readCustomFieldsVersion } from '../../features/custom-fields/custom-fields.queries.ts'
import { writeEntries } from '../../features/maintenance/maintenance-entries.queries.ts'
import { joinExtents } from '../../geometry/extents.ts'
import { countAllFeatures } from '../../thinning/read-totals.queries.ts'
import { shouldRankWholeMap } from '../../thinning/write-features.queries.ts'
import { ImportError } from '../import-error.ts'
import type { ImportWatch } from '../import-watch.ts'
import { decideStaged } from './decide-staged.ts'
import { readNotStaged } from './earlier-changes.queries.ts'
import { discardImport, type ImportKey, insertImport, readMap } from './imports.queries.ts'
import { removeMissing, stageMarked } from './missing-features.ts'
import {
  deleteRestoredRemovals,
  extentOfReplaced,
  extentOfStaged,
  lockReplaced,
  planForManyRows,
  publishOneByOne,
  publishRows,
  rankWithStaged,
  recordChanges,
  setVersions,
} from './publish.queries.ts'
import type { PublishingOptions } from './publishing-options.ts'
import type { StagedRecords } from './stage-records.ts'
import { countStaged, deleteUnchanged, readStagedReport, type StagedRange } from './staged-rows.queries.ts'

/** PostgreSQL joins all rows at once in less time than part by part. */
const rowsPerJoin = { sqlite: 100_000, postgres: Number.POSITIVE_INFINITY }
/** SQLite keeps a journal of all rows that a statement changes, and writes its word index with each statement. */
const rowsPerPublishing = { sqlite: 100_000, postgres: 2_000 }
/** Rows published one by one are read into memory with their geometries. */
const rowsOneByOne = 2_000

/** The index in the order of the lists: features that are close on the ground are far apart in it. */
const scatteredIndex = 'features_in_order'

export type StagedImport = StagedRecords & {
  record: ImportsTable
  options: PublishingOptions
  isNewMap: boolean
  customFieldsVersion: number
}

export type PublishedCounts = {
  created: number
  updated: number
  unchanged: number
  removedHere: number
  gone: number
  editsKept: number
}

type Publishing = {
  database: Database
  transaction: WriteTransaction
  key: ImportKey
  work: StagedImport
  watch: ImportWatch
  own: Awaited<ReturnType<typeof readCustomFieldsVersion>>
}

/** Publishes all staged rows or none, in one transaction. The id is null if nothing on the map changed. */
export async function publishImport(
  database: Database,
  work: StagedImport,
  watch: ImportWatch,
): Promise<PublishedCounts & { importId: string | null }> {
  return database.write(async (transaction) => {
    const { engine } = database
    const { record, options, isNewMap } = work
    const key = { mapId: record.map_id, importId: record.id }
    await planForManyRows(transaction, engine, true)
    if ((await countStaged(transaction, key)) !== work.staged)
      throw new ImportError('The import was stopped because it took more than a day.')
    const own = await readCustomFieldsVersion(transaction, key.mapId)
    const publishing = { database, transaction, key, work, watch, own }
    const rule = options.missing ?? 'keep'
    const missing = rule === 'keep' ? [] : await findMissing(database, transaction, work)
    const {
      lastRow,
      record: { started_at: now },
    } = work
    const marked = rule === 'mark' ? await stageMarked(transaction, key, missing, { lastRow, now }) : 0
    await lockReplaced(transaction, engine, key)
    await refuseReports(transaction, key)
    if (isNewMap) await createClient(transaction, options, now)
    const removed =
      rule === 'remove' ? await removeMissing(database, transaction, key, missing, options.actor) : 0
    const decided = await decideAll(publishing, lastRow + marked)
    const { changed, updated, removedHere, editsKept } = decided
    await deleteRestoredRemovals(transaction, key)
    await moveRows(publishing, { ...decided, lastRow: lastRow + marked })
    watch.signal?.throwIfAborted()
    // A manager changed the custom fields while the file was read.
    if (own.version !== work.customFieldsVersion) await updateSearchWords(database, transaction, key.mapId)
    await discardImport(transaction, engine, key)
    const counts = {
      created: changed - updated,
      updated,
      unchanged: work.staged + marked - removedHere - changed,
      removedHere,
      gone: missing.length,
      editsKept,
    }
    if (changed + removed === 0) return { importId: null, ...counts }
    const extent = joinExtents([decided.replaced, decided.added, ...missing])
    await recordImport(transaction, work, { counts, removed, extent })
    return { importId: key.importId, ...counts }
  })
}

/** The id of a report is free for its incident. Removed incidents may return. */
async function refuseReports(transaction: WriteTransaction, key: ImportKey) {
  const id = await readStagedReport(transaction, key)
  if (id !== undefined)
    throw new ImportError(
      `${id} is the id of a report that is not on the map. Publish the report instead, and remove the row from the file.`,
    )
}

export async function findMissing(
  { engine }: Database,
  transaction: WriteTransaction,
  { record, options, inFile }: StagedImport,
) {
  const key = { mapId: record.map_id, importId: record.id }
  const missing = await readNotStaged(transaction, engine, key, options)
  return missing.filter(({ id }) => !inFile.has(id))
}

async function decideAll({ database, transaction, key, work, watch, own }: Publishing, lastRow: number) {
  const { engine, dialect } = database
  const { options, survey, record } = work
  const context = { dialect, options, own, survey, now: record.started_at }
  const replaced: (Extent | undefined)[] = []
  const added: (Extent | undefined)[] = []
  const counts = { changed: 0, updated: 0, removedHere: 0, editsKept: 0 }
  for (const range of rangesOf(key, lastRow, rowsPerJoin[engine])) {
    await pause(watch)
    // Rows that mark missing features are final.
    const ofFile = { ...range, last: Math.min(range.last, work.lastRow) }
    const { removedHere, retainedEdits, entries } = await decideStaged(transaction, ofFile, context)
    counts.removedHere += removedHere.length
    counts.editsKept += retainedEdits.size
    await writeEntries(transaction, key.mapId, entries)
    await deleteUnchanged(transaction, range)
    counts.changed += await recordChanges(transaction, engine, range, work.lastRow)
    added.push(await extentOfStaged(transaction, range))
    const updated = await setVersions(transaction, range)
    if (updated > 0) replaced.push(await extentOfReplaced(transaction, range))
    counts.updated += updated
  }
  return { ...counts, replaced: joinExtents(replaced), added: joinExtents(added) }
}

type Decided = Awaited<ReturnType<typeof decideAll>>

/** Moves a few one by one, many with their ranks computed at once. */
async function moveRows(
  { database, transaction, key, work, watch }: Publishing,
  { changed, updated, replaced, added, lastRow }: Decided & { lastRow: number },
) {
  const { engine, dialect, maintenance } = database
  const isReplacing = updated > 0
  const isAtOnce = await shouldRankWholeMap(transaction, key.mapId, changed)
  const isMost = changed > (await countAllFeatures(transaction))
  const many = isAtOnce ? await rankWithStaged(transaction, key, { lastRow, isReplacing }) : undefined
  await planForManyRows(transaction, engine, false)
  const total = many?.rows.length ?? lastRow
  const step = many ? rowsPerPublishing[engine] : rowsOneByOne
  const publish = async () => {
    for (let done = 0; done < total; done += step) {
      await pause(watch)
      const end = Math.min(done + step, total)
      if (many) {
        const rows = many.rows.subarray(done, end)
        await publishRows(transaction, dialect, key, { rows, arrivals: many.arrivals, isReplacing })
      } else await publishOneByOne(transaction, engine, { ...key, first: done + 1, last: end })
      const { bytesRead } = work
      watch.onProgress?.({ phase: 'publishing', rows: end, bytesRead, totalBytes: bytesRead })
    }
  }
  if (isMost)
    await maintenance.withoutIndex(transaction, scatteredIndex, () =>
      maintenance.packingPlaces(transaction, publish),
    )
  else await publish()
  await many?.arrivals.finish({ added, replaced })
}

async function recordImport(
  transaction: WriteTransaction,
  { record, options, counts: { refused } }: StagedImport,
  {
    counts: { created, updated },
    removed,
    extent,
  }: { counts: PublishedCounts; removed: number; extent: Extent | null },
) {
  const finishedAt = Date.now()
  const { map_id: mapId, id: importId } = record
  await insertImport(transaction, {
    ...record,
    state: 'done',
    created_count: created,
    updated_count: updated,
    refused_count: refused,
    finished_at: finishedAt,
  })
  const { source, kind, actor = null } = options
  const details = { importId, source, kind, created, updated, refused, removed }
  const activity = { mapId, action: 'features.imported', actor, subject: importId, details, extent } as const
  await recordActivity(transaction, activity, finishedAt)
}

export function* rangesOf(key: ImportKey, lastRow: number, rowsPerRange: number): Generator<StagedRange> {
  const rows = Math.min(rowsPerRange, lastRow)
  for (let first = 1; first <= lastRow; first += rows) yield { ...key, first, last: first + rows - 1 }
}

/** SQLite is synchronous: without a pause Node would handle no signal. */
export async function pause({ signal }: ImportWatch) {
  await setImmediate()
  signal?.throwIfAborted()
}

async function createClient(
  transaction: WriteTransaction,
  { mapId, client }: PublishingOptions,
  now: number,
) {
  // Another import may have created it while the file was read.
  if (!client || (await readMap(transaction, mapId))) return
  await insertClient(transaction, { id: mapId, thumbnail: null, ...client }, now)
}
