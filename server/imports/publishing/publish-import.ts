import { setImmediate } from 'node:timers/promises'
import { recordActivity } from '../../activity/activity.queries.ts'
import { insertClient } from '../../clients/store-clients.queries.ts'
import type { Database, Extent, WriteTransaction } from '../../database/database.ts'
import type { ImportsTable } from '../../database/tables.ts'
import { writeEntries } from '../../features/maintenance/maintenance-entries.queries.ts'
import { updateSearchWords } from '../../features/own-fields/own-fields.commands.ts'
import { readOwnFieldsVersion } from '../../features/own-fields/own-fields.queries.ts'
import { joinExtents } from '../../geometry/extents.ts'
import { countAllFeatures } from '../../thinning/read-totals.queries.ts'
import { isBetterAtOnce } from '../../thinning/write-features.queries.ts'
import { ImportError } from '../import-error.ts'
import type { ImportOptions, ImportProgress, ImportResult, StagedRecords } from '../import-options.ts'
import { decideStaged } from './decide-staged.ts'
import { findGone, removeGone, stageMarked } from './follow-gone.ts'
import { discardImport, type ImportKey, insertImport, readMap } from './imports.queries.ts'
import {
  carryHistoryOn,
  countStaged,
  extentOfReplaced,
  extentOfStaged,
  forgetReturning,
  leaveOutUnchanged,
  lockFeatures,
  planForManyRows,
  recordChanges,
  type StagedRange,
} from './publish.queries.ts'
import { publishOneByOne, publishRows, rankWithStaged } from './publish-staged.queries.ts'

/** Rows of one set of statements: PostgreSQL joins all rows at once in less time than part by part. */
const rowsPerJoin = { sqlite: 100_000, postgres: Number.POSITIVE_INFINITY }
/** SQLite keeps a journal of all rows that a statement changes, and writes its word index with each statement. */
const rowsPerPublishing = { sqlite: 100_000, postgres: 2_000 }
/** Up to so many rows are published one by one: they are read into memory with their geometries. */
const rowsOneByOne = 2_000

/** The index in the order of the lists: features that are close on the ground are far apart in it. */
const scatteredIndex = 'features_in_order'

export type Staged = StagedRecords & {
  record: ImportsTable
  options: ImportOptions
  isNewMap: boolean
  /** Of the client's own fields, when the file was read. */
  ownFieldsVersion: number
}
export type Published = Pick<
  ImportResult,
  'importId' | 'created' | 'updated' | 'unchanged' | 'removedHere' | 'gone' | 'editsKept'
>

/** Shows what is staged, in one transaction: all of it, or nothing. */
export async function publishImport(
  database: Database,
  work: Staged,
  onProgress: (progress: ImportProgress) => void,
): Promise<Published> {
  const { engine, dialect, maintenance } = database
  return database.write(async (transaction) => {
    const { record, options, counts, bytesRead } = work
    const { missing = 'keep' } = options
    const key = { mapId: record.map_id, importId: record.id }
    await planForManyRows(transaction, engine, true)
    if ((await countStaged(transaction, key)) !== work.staged)
      throw new ImportError('The import took more than a day, and its rows were cleaned away meanwhile.')
    const now = record.started_at
    const own = await readOwnFieldsVersion(transaction, key.mapId)
    const gone = missing === 'keep' ? [] : await findGone(transaction, engine, key, work)
    const marked =
      missing === 'mark' ? await stageMarked(transaction, key, gone, { lastRow: work.lastRow, now }) : 0
    const [staged, lastRow] = [work.staged + marked, work.lastRow + marked]
    await lockFeatures(transaction, engine, key)
    if (work.isNewMap) await makeClient(transaction, options, now)
    const removed =
      missing === 'remove' ? await removeGone(database, transaction, key, gone, options.actor) : 0

    const replacedExtents: (Extent | undefined)[] = []
    const stagedExtents: (Extent | undefined)[] = []
    let [changed, updated, removedHere, editsKept] = [0, 0, 0, 0]
    for (const range of rangesOf(key, lastRow, rowsPerJoin[engine])) {
      await pause(options)
      const decided = await decideStaged(transaction, ofFile(range, work.lastRow), {
        options,
        own,
        survey: work.survey,
        now,
      })
      removedHere += decided.removedHere.length
      editsKept += decided.kept.size
      await writeEntries(transaction, key.mapId, decided.entries)
      await leaveOutUnchanged(transaction, range)
      changed += await recordChanges(transaction, engine, range, work.lastRow)
      stagedExtents.push(await extentOfStaged(transaction, range))
      const replacing = await carryHistoryOn(transaction, range)
      if (replacing > 0) replacedExtents.push(await extentOfReplaced(transaction, range))
      updated += replacing
    }
    await forgetReturning(transaction, key)
    const [replaced, added] = [joinExtents(replacedExtents), joinExtents(stagedExtents)]
    const counted = {
      created: changed - updated,
      updated,
      unchanged: staged - removedHere - changed,
      removedHere,
      gone: gone.length,
      editsKept,
    }
    const isReplacing = updated > 0
    const isAtOnce = await isBetterAtOnce(transaction, key.mapId, changed)
    const isMost = changed > (await countAllFeatures(transaction))
    const many = isAtOnce ? await rankWithStaged(transaction, key, { lastRow, isReplacing }) : undefined
    await planForManyRows(transaction, engine, false)
    const total = many?.rows.length ?? lastRow
    const publish = async () => {
      const step = many ? rowsPerPublishing[engine] : rowsOneByOne
      for (let done = 0; done < total; done += step) {
        await pause(options)
        const end = Math.min(done + step, total)
        if (many)
          await publishRows(transaction, dialect, key, {
            rows: many.rows.subarray(done, end),
            arrivals: many.arrivals,
            isReplacing,
          })
        else await publishOneByOne(transaction, engine, { ...key, first: done + 1, last: end })
        onProgress({ phase: 'publishing', rows: end, bytesRead, totalBytes: bytesRead })
      }
    }
    if (isMost) await maintenance.withoutIndex(transaction, scatteredIndex, publish)
    else await publish()
    await many?.arrivals.finish({ added, replaced })

    options.signal?.throwIfAborted()
    // A manager has changed the fields while the file was read.
    if (own.version !== work.ownFieldsVersion) await updateSearchWords(database, transaction, key.mapId)
    await discardImport(transaction, engine, key)
    if (changed + removed === 0) return { importId: null, ...counted }
    const finishedAt = Date.now()
    await insertImport(transaction, {
      ...record,
      state: 'done',
      created_count: counted.created,
      updated_count: updated,
      refused_count: counts.refused,
      finished_at: finishedAt,
    })
    const { source, kind, actor = null } = options
    const { created } = counted
    const details = {
      importId: key.importId,
      source,
      kind,
      created,
      updated,
      refused: counts.refused,
      removed,
    }
    const activity = {
      mapId: key.mapId,
      action: 'features.imported',
      actor,
      subject: key.importId,
      details,
    } as const
    await recordActivity(
      transaction,
      { ...activity, extent: joinExtents([replaced, added, ...gone]) },
      finishedAt,
    )
    return { importId: key.importId, ...counted }
  })
}

/** What is staged after the rows of the file is as it is to be. */
const ofFile = (range: StagedRange, lastRow: number): StagedRange => ({
  ...range,
  last: Math.min(range.last, lastRow),
})

export function* rangesOf(key: ImportKey, lastRow: number, rowsPerRange: number): Generator<StagedRange> {
  const rows = Math.min(rowsPerRange, lastRow)
  for (let first = 1; first <= lastRow; first += rows) yield { ...key, first, last: first + rows - 1 }
}

/** SQLite answers synchronously: without a pause Node would handle no signal. */
export async function pause({ signal }: ImportOptions) {
  await setImmediate()
  signal?.throwIfAborted()
}

async function makeClient(transaction: WriteTransaction, { mapId, client }: ImportOptions, now: number) {
  // Somebody may have made it while the file was read.
  if (!client || (await readMap(transaction, mapId))) return
  await insertClient(transaction, { id: mapId, thumbnail: null, ...client }, now)
}
