import { renameSync, rmSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { FieldChange } from '#domain/features/history.schema.ts'
import { type Box, GatheredBoxes } from '#domain/geometry/box.ts'
import { type TrialOutcome, trialOutcomes } from '#domain/imports/trial-outcome.ts'
import type { Database, Extent, WriteTransaction } from '../../database/database.ts'
import { compareFeatures, describeChanges } from '../../features/changes/changed-fields.ts'
import { readCustomFieldsVersion } from '../../features/custom-fields/custom-fields.queries.ts'
import { toNewFeature } from '../../features/rows/feature-row.ts'
import type { ImportWatch, ReportedRow } from '../import-watch.ts'
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

// The rows of a preview are a separate SQLite file, on either engine: it may be as large as the imported file, is read
// page by page and by place, and can be made again.

export type TriedRow = Extent & {
  rowNumber: number
  outcome: Extract<TrialOutcome, 'created' | 'updated' | 'unchanged' | 'removed-here' | 'gone'>
  featureId: string
  name: string
  lng: number
  lat: number
  /** GeoJSON; null if it is too long to be shown. */
  geometry: string | null
  changes: readonly FieldChange[]
  kept: readonly string[]
}

/** Each level has a quarter of the rows of the one below it. */
export const levels = 11

const tables = `
  pragma journal_mode = off;
  pragma synchronous = off;
  create table rows (
    row_number integer primary key,
    outcome text,
    reason text,
    line integer,
    source_id text,
    feature_id text,
    name text,
    lng real,
    lat real,
    geometry text,
    changes text,
    kept text,
    columns text,
    id text
  );
  create virtual table places using rtree (row_number, west, east, south, north, outcome, outcome_end, level, level_end);
  begin;`

export class TrialFile {
  private readonly boxes = new GatheredBoxes()
  private readonly path: string
  private readonly connection: DatabaseSync
  private readonly insertReported: StatementSync
  private readonly insertRow: StatementSync
  private readonly insertPlace: StatementSync

  constructor(path: string) {
    this.path = path
    rmSync(unfinished(path), { force: true })
    this.connection = new DatabaseSync(unfinished(path))
    this.connection.exec(tables)
    this.insertReported = this.connection.prepare(
      `insert into rows (row_number, outcome, reason, line, source_id, name, columns, geometry, id)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.insertRow = this.connection.prepare(
      `insert into rows (row_number, outcome, feature_id, name, lng, lat, geometry, changes, kept)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict (row_number) do update set outcome = excluded.outcome, feature_id = excluded.feature_id,
        name = excluded.name, lng = excluded.lng, lat = excluded.lat, geometry = excluded.geometry,
        changes = excluded.changes, kept = excluded.kept`,
    )
    this.insertPlace = this.connection.prepare(`insert into places values (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  }

  /** A repaired row is reported before it is added. */
  addReported({ rowNumber, outcome, reason, ...row }: ReportedRow) {
    const { line = null, sourceId = null, name = null, columns = null, geometry = null, id = null } = row
    const finalOutcome = outcome === 'repaired' ? null : outcome
    this.insertReported.run(rowNumber, finalOutcome, reason, line, sourceId, name, columns, geometry, id)
  }

  get extent(): Box | null {
    return this.boxes.around()
  }

  addRows(rows: readonly TriedRow[]) {
    for (const row of rows) {
      const { rowNumber, outcome, featureId, name, lng, lat, geometry, changes, kept } = row
      const json = (list: readonly unknown[]) => (list.length === 0 ? null : JSON.stringify(list))
      this.insertRow.run(rowNumber, outcome, featureId, name, lng, lat, geometry, json(changes), json(kept))
      const { west, east, south, north } = row
      this.boxes.add(row)
      const kind = numberOf(outcome)
      const level = levelOf(rowNumber)
      this.insertPlace.run(rowNumber, west, east, south, north, kind, kind, level, level)
    }
  }

  finish() {
    this.connection.exec(`commit; create index rows_by_outcome on rows (outcome, row_number);`)
    this.connection.close()
    renameSync(unfinished(this.path), this.path)
  }

  discard() {
    this.connection.close()
    rmSync(unfinished(this.path), { force: true })
  }
}

const unfinished = (path: string) => `${path}.unfinished`

export const numberOf = (outcome: TrialOutcome) => trialOutcomes.indexOf(outcome)

/** Scatters the rows of each level evenly and reproducibly. */
function levelOf(rowNumber: number): number {
  const scattered = Math.imul(rowNumber, 0x9e3779b1) >>> 0
  return Math.min(levels - 1, Math.floor(Math.clz32(scattered) / 2))
}

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
  const own = await readCustomFieldsVersion(database.read, key.mapId)
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
    ({ row_number: rowNumber, id: featureId, type, is_new, is_same, ...row }): TriedRow => ({
      ...row,
      rowNumber,
      featureId,
      outcome: is_new === 1 ? 'created' : is_same === 1 ? 'unchanged' : 'updated',
      changes:
        is_new === 1 ? typeOfNew(type) : changesOf(staged.get(rowNumber), addedEntries.get(featureId) ?? []),
      kept: retainedEdits.get(rowNumber) ?? [],
    }),
  )
  const removed = removedHere.map(({ row_number: rowNumber, id: featureId, lng, lat, name }): TriedRow => {
    const extent = { west: lng, south: lat, east: lng, north: lat }
    return { rowNumber, outcome: 'removed-here', featureId, name, lng, lat, ...extent, ...unchanged }
  })
  return [...rows, ...removed]
}

/** Not all values: the preview of a large file would take as long as its import. */
const typeOfNew = (type: string | null): FieldChange[] =>
  type === null ? [] : [{ field: 'type', before: null, after: type }]

function changesOf(row: StagedRow | undefined, entries: Decided['entries']): FieldChange[] {
  if (!row?.current) return []
  const fields = describeChanges(compareFeatures(toNewFeature(row.current), toNewFeature(row.staged)))
  const added = entries.map(({ id, entry }) => ({ field: `maintenance.${id}`, before: null, after: entry }))
  return [...fields, ...added]
}
