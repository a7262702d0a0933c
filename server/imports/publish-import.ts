import { setImmediate } from 'node:timers/promises'
import { recordActivity } from '../activity/activity.queries.ts'
import { insertClient } from '../clients/store-clients.queries.ts'
import type { Database, Extent, WriteTransaction } from '../database/database.ts'
import type { ImportsTable } from '../database/tables.ts'
import { joinExtents } from './extents.ts'
import { ImportError } from './import-error.ts'
import type { ImportOptions, ImportProgress, ImportResult, StagedRecords } from './import-options.ts'
import { discardImport, insertImport, readMap } from './imports.queries.ts'
import {
  countChanges,
  countStaged,
  extentOfReplaced,
  extentOfStaged,
  holdFeatures,
  planForManyRows,
  publishRange,
  recordChanges,
} from './publish.queries.ts'

/**
 * Rows of one set of statements. SQLite keeps in memory what a statement touches, in case it must be undone;
 * PostgreSQL does not, and joins all rows at once in less time than part by part.
 */
const rowsPerRange = { sqlite: 2_000, postgres: Number.POSITIVE_INFINITY }

type Staged = StagedRecords & { record: ImportsTable; options: ImportOptions; isNewMap: boolean }
type Published = Pick<ImportResult, 'importId' | 'created' | 'updated' | 'unchanged'>

/** Shows what is staged, in one transaction: all of it, or nothing. */
export async function publishImport(
  database: Database,
  work: Staged,
  onProgress: (progress: ImportProgress) => void,
): Promise<Published> {
  const { engine } = database
  return database.write(async (transaction) => {
    const { record, options, staged, counts, bytesRead } = work
    const key = { mapId: record.map_id, importId: record.id }
    await planForManyRows(transaction, engine)
    await holdFeatures(transaction, engine, key)
    if ((await countStaged(transaction, key)) !== staged)
      throw new ImportError('The import took more than a day, and its rows were cleaned away meanwhile.')
    if (work.isNewMap) await makeClient(transaction, options, record.started_at)

    const extents: (Extent | undefined)[] = []
    const rows = Math.min(rowsPerRange[engine], work.lastRow)
    for (let first = 1; first <= work.lastRow; first += rows) {
      const range = { ...key, first, last: first + rows - 1 }
      options.signal?.throwIfAborted()
      await recordChanges(transaction, engine, range)
      extents.push(await extentOfReplaced(transaction, range), await extentOfStaged(transaction, range))
      await publishRange(transaction, range)
      onProgress({
        phase: 'publishing',
        rows: Math.min(range.last, counts.rows),
        bytesRead,
        totalBytes: bytesRead,
      })
      // SQLite answers at once: without a pause no signal would be heard.
      await setImmediate()
    }

    options.signal?.throwIfAborted()
    const { created, updated } = await countChanges(transaction, key)
    await discardImport(transaction, key)
    const unchanged = staged - created - updated
    if (created + updated === 0) return { importId: null, created, updated, unchanged }
    const now = Date.now()
    await insertImport(transaction, {
      ...record,
      state: 'done',
      created_count: created,
      updated_count: updated,
      refused_count: counts.refused,
      finished_at: now,
    })
    const { source, kind, actor = null } = options
    const details = { importId: key.importId, source, kind, created, updated, refused: counts.refused }
    const activity = {
      mapId: key.mapId,
      action: 'features.imported',
      actor: actor === null ? null : { id: null, name: actor },
      subject: key.importId,
      details,
    } as const
    await recordActivity(transaction, { ...activity, extent: joinExtents(extents) }, now)
    return { importId: key.importId, created, updated, unchanged }
  })
}

async function makeClient(transaction: WriteTransaction, { mapId, client }: ImportOptions, now: number) {
  // Somebody may have made it while the file was read.
  if (!client || (await readMap(transaction, mapId))) return
  await insertClient(transaction, { id: mapId, thumbnail: null, ...client }, now)
}
