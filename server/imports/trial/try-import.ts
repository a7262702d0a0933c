import type { FieldChange } from '#domain/features/history.schema.ts'
import type { Database, WriteTransaction } from '../../database/database.ts'
import { compareFeatures, describeChanges } from '../../features/changes/changed-fields.ts'
import { readOwnFieldsVersion } from '../../features/own-fields/own-fields.queries.ts'
import { toNewFeature } from '../../features/rows/feature-row.ts'
import type { ImportWatch } from '../import-watch.ts'
import { type Decided, decideStaged } from '../publishing/decide-staged.ts'
import { planForManyRows } from '../publishing/publish.queries.ts'
import {
  findMissing,
  type PublishedCounts,
  pause,
  rangesOf,
  type StagedImport,
} from '../publishing/publish-import.ts'
import type { StagedRow } from '../publishing/row-rule.ts'
import { compareStaged, readStaged, type StagedRange } from '../publishing/staged-rows.queries.ts'
import type { TrialFile, TriedRow } from './trial-file.ts'

/** Rows compared in one transaction; other writers go in between. */
const rowsPerStep = 2_000

/** Changes only the stage, and locks nothing else. */
export async function tryImport(
  database: Database,
  work: StagedImport,
  trial: TrialFile,
  watch: ImportWatch,
): Promise<PublishedCounts> {
  const { engine, dialect } = database
  const { record, options, lastRow, bytesRead, survey } = work
  const key = { mapId: record.map_id, importId: record.id }
  const own = await readOwnFieldsVersion(database.read, key.mapId)
  const context = { dialect, options, own, survey, now: record.started_at }
  const missing = await database.write(async (transaction) => {
    await planForManyRows(transaction, engine, true)
    return findMissing(database, transaction, work)
  })
  const counts = { created: 0, updated: 0, unchanged: 0, removedHere: 0, gone: missing.length, editsKept: 0 }
  for (const range of rangesOf(key, lastRow, rowsPerStep)) {
    await pause(watch)
    const rows = await database.write(async (transaction) => {
      const decided = await decideStaged(transaction, range, context)
      counts.editsKept += decided.retainedEdits.size
      return compareRows(transaction, range, decided)
    })
    trial.addRows(rows)
    for (const { outcome } of rows) counts[outcome === 'removed-here' ? 'removedHere' : outcome]++
    watch.onProgress?.({ phase: 'comparing', rows: range.last, bytesRead, totalBytes: bytesRead })
  }
  trial.addRows(
    missing.map(({ id: featureId, ...feature }, index) => ({
      ...feature,
      ...unchanged,
      rowNumber: lastRow + 1 + index,
      featureId,
      outcome: 'gone',
    })),
  )
  return counts
}

const unchanged = { geometry: null, changes: [], kept: [] }

async function compareRows(
  transaction: WriteTransaction,
  range: StagedRange,
  { removedHere, retainedEdits, entries }: Decided,
): Promise<TriedRow[]> {
  const compared = await compareStaged(transaction, range)
  const changed = compared.filter(({ is_new, is_same }) => is_new === 0 && is_same === 0)
  const numbers = changed.map(({ row_number }) => row_number)
  const staged = new Map((await readStaged(transaction, range, numbers)).map((row) => [row.rowNumber, row]))
  const addedEntries = Map.groupBy(entries, ({ featureId }) => featureId)
  const rows = compared.map(
    ({ row_number: rowNumber, id: featureId, is_new, is_same, ...row }): TriedRow => ({
      ...row,
      rowNumber,
      featureId,
      outcome: is_new === 1 ? 'created' : is_same === 1 ? 'unchanged' : 'updated',
      changes: changesOf(staged.get(rowNumber), addedEntries.get(featureId) ?? []),
      kept: retainedEdits.get(rowNumber) ?? [],
    }),
  )
  const removed = removedHere.map(({ row_number: rowNumber, id: featureId, lng, lat, name }): TriedRow => {
    const extent = { west: lng, south: lat, east: lng, north: lat }
    return { rowNumber, outcome: 'removed-here', featureId, name, lng, lat, ...extent, ...unchanged }
  })
  return [...rows, ...removed]
}

function changesOf(row: StagedRow | undefined, entries: Decided['entries']): FieldChange[] {
  if (!row?.current) return []
  const fields = describeChanges(compareFeatures(toNewFeature(row.current), toNewFeature(row.staged)))
  const added = entries.map(({ id, entry }) => ({ field: `maintenance.${id}`, before: null, after: entry }))
  return [...fields, ...added]
}
