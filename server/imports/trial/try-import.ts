import type { FieldChange } from '#domain/features/history.schema.ts'
import type { Database, WriteTransaction } from '../../database/database.ts'
import { compareFeatures, tellChanges } from '../../features/changes/changed-fields.ts'
import { readOwnFieldsVersion } from '../../features/own-fields/own-fields.queries.ts'
import { toNewFeature } from '../../features/rows/feature-row.ts'
import { readRowsOf } from '../../features/rows/feature-rows.queries.ts'
import type { ImportProgress } from '../import-options.ts'
import { type Decided, decideStaged } from '../publishing/decide-staged.ts'
import { findGone } from '../publishing/follow-gone.ts'
import { planForManyRows, type StagedRange } from '../publishing/publish.queries.ts'
import { type Published, pause, rangesOf, type Staged } from '../publishing/publish-import.ts'
import { readCompared, readStaged } from './differences.queries.ts'
import type { TrialNotes, TriedRow } from './trial-notes.ts'

/** So many rows are compared at once: others write in between. */
const rowsPerStep = 2_000

/** What publishing the stage would do, row by row. It holds nothing that others wait for, and changes nothing but the stage. */
export async function tryImport(
  database: Database,
  { record, options, lastRow, bytesRead, present, survey }: Staged,
  trial: TrialNotes,
  onProgress: (progress: ImportProgress) => void,
): Promise<Omit<Published, 'importId'>> {
  const key = { mapId: record.map_id, importId: record.id }
  const own = await readOwnFieldsVersion(database.read, key.mapId)
  const circumstances = { options, own, survey, now: record.started_at }
  const count = { created: 0, updated: 0, unchanged: 0, removedHere: 0, gone: 0, editsKept: 0 }
  const gone = await database.write(async (transaction) => {
    await planForManyRows(transaction, database.engine, true)
    return findGone(transaction, database.engine, key, { options, present })
  })
  for (const range of rangesOf(key, lastRow, rowsPerStep)) {
    await pause(options)
    const rows = await database.write(async (transaction) => {
      const decided = await decideStaged(transaction, range, circumstances)
      count.editsKept += decided.kept.size
      return compare(transaction, range, decided)
    })
    trial.noteRows(rows)
    for (const { outcome } of rows) count[outcome === 'removed-here' ? 'removedHere' : outcome]++
    onProgress({ phase: 'comparing', rows: range.last, bytesRead, totalBytes: bytesRead })
  }
  trial.noteRows(
    gone.map(({ id: featureId, ...feature }, index) => ({
      ...feature,
      ...untold,
      rowNumber: lastRow + 1 + index,
      featureId,
      outcome: 'gone',
    })),
  )
  return { ...count, gone: gone.length }
}

const untold = { geometry: null, changes: [], kept: [] }

async function compare(
  transaction: WriteTransaction,
  range: StagedRange,
  { removedHere, kept, entries }: Decided,
): Promise<TriedRow[]> {
  const compared = await readCompared(transaction, range)
  const changed = compared.filter(({ is_there, is_same }) => is_there === 1 && is_same === 0)
  const staged = await readStagedRows(
    transaction,
    range,
    changed.map(({ row_number }) => row_number),
  )
  const there = await readRowsOf(
    transaction,
    range.mapId,
    changed.map(({ id }) => id),
  )
  const arriving = Map.groupBy(entries, ({ featureId }) => featureId)
  const changesOf = (rowNumber: number, id: string): FieldChange[] => {
    const [next, former] = [staged.get(rowNumber), there.get(id)]
    if (!next || !former) return []
    const said = tellChanges(compareFeatures(toNewFeature(former), toNewFeature(next)))
    const told = (arriving.get(id) ?? []).map(({ id: entryId, entry }) => ({
      field: `maintenance.${entryId}`,
      before: null,
      after: entry,
    }))
    return [...said, ...told]
  }
  const rows = compared.map(
    ({ row_number: rowNumber, id: featureId, is_there, is_same, ...said }): TriedRow => ({
      ...said,
      rowNumber,
      featureId,
      outcome: is_there === 0 ? 'created' : is_same === 1 ? 'unchanged' : 'updated',
      changes: changesOf(rowNumber, featureId),
      kept: kept.get(rowNumber) ?? [],
    }),
  )
  const removed = removedHere.map(
    ({ row_number: rowNumber, id: featureId, name, lng, lat }): TriedRow => ({
      rowNumber,
      outcome: 'removed-here',
      featureId,
      name,
      lng,
      lat,
      west: lng,
      south: lat,
      east: lng,
      north: lat,
      ...untold,
    }),
  )
  return [...rows, ...removed]
}

async function readStagedRows(
  transaction: WriteTransaction,
  range: StagedRange,
  rowNumbers: readonly number[],
) {
  const rows = rowNumbers.length === 0 ? [] : await readStaged(transaction, range, rowNumbers)
  return new Map(rows.map((row) => [row.row_number, row]))
}
