import { randomUUID } from 'node:crypto'
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { csvCell } from '#domain/exports/csv-cell.ts'
import type { CustomFields } from '#domain/features/custom-fields.ts'
import { counted, formatNumber } from '#domain/values/wording.ts'
import type { ImportsTable } from '../../database/tables.ts'
import type { ImportOptions, ImportResult } from '../import-features.ts'
import type { ReportedRow } from '../import-watch.ts'
import { fieldsOfKind } from '../mapping/fields.ts'
import type { FilledField } from '../mapping/map-columns.ts'
import { describeImport, type UndoResult } from '../publishing/undo-import.ts'
import { quoteValue } from '../quote-value.ts'

const header = 'row,line,id,outcome,reason\n'
const bufferedCharacters = 65_536

/**
 * The report of refused and repaired rows beside the input, or in the current folder if that cannot be written. It gets
 * its name when the import is done. Nothing here throws: `finish` returns the failure.
 */
export class Report {
  private readonly path: string
  private readonly unfinishedPath: string
  private file: number | undefined
  private pending = header
  private rows = 0
  private failure: string | undefined

  constructor(inputPath: string) {
    const beside = resolve(`${inputPath}.report.csv`)
    const opened = open(beside) ?? open(join(process.cwd(), `${basename(inputPath)}.report.csv`))
    this.path = opened?.path ?? beside
    this.unfinishedPath = opened?.unfinishedPath ?? ''
    this.file = opened?.file
    if (!opened) this.failure = `cannot write to ${dirname(beside)} or ${process.cwd()}`
  }

  add({ rowNumber, line, sourceId, outcome, reason }: ReportedRow) {
    this.rows++
    if (this.file === undefined) return
    this.pending += `${[rowNumber, line ?? '', sourceId ?? '', outcome, reason].map(csvCell).join(',')}\n`
    if (this.pending.length > bufferedCharacters) this.attempt((file) => this.flush(file))
  }

  finish(): { path: string | null; failure?: string } {
    const { path, unfinishedPath, rows } = this
    this.attempt((file) => {
      if (rows > 0) this.flush(file)
      this.close()
      if (rows > 0) renameSync(unfinishedPath, path)
      else for (const old of [unfinishedPath, path]) rmSync(old, { force: true })
    })
    return this.failure === undefined
      ? { path: rows > 0 ? path : null }
      : { path: null, failure: this.failure }
  }

  discard() {
    this.attempt(() => {
      this.close()
      rmSync(this.unfinishedPath, { force: true })
    })
  }

  private attempt(work: (file: number) => void) {
    if (this.file === undefined) return
    try {
      work(this.file)
    } catch (error) {
      this.failure = (error as Error).message
      try {
        this.close()
        rmSync(this.unfinishedPath, { force: true })
      } catch {
        // The disk is full or read-only.
      }
    }
  }

  private close() {
    const { file } = this
    this.file = undefined
    if (file !== undefined) closeSync(file)
  }

  private flush(file: number) {
    writeSync(file, this.pending)
    this.pending = ''
  }
}

/** Rows can contain personal data. */
const ownerOnly = 0o600

/** Two imports of one file can run at once: each has its own unfinished report. */
function open(path: string) {
  const unfinishedPath = `${path}.${randomUUID().slice(0, 8)}.partial`
  try {
    return { path, unfinishedPath, file: openSync(unfinishedPath, 'wx', ownerOnly) }
  } catch {
    return undefined
  }
}

export const shownRows = 10

type Shown = {
  options: ImportOptions
  shown: readonly ReportedRow[]
  seconds: number
  reportPath: string | null
  customFields?: CustomFields
}

export function summarizeImport(
  result: ImportResult,
  { options, shown, seconds, reportPath, customFields }: Shown,
): string {
  const { created, updated, unchanged, refused, repaired, rows, importId, filled, kept } = result
  const { removedHere, editsKept, gone } = result
  const lines = [
    `${counted(rows, 'row')} read in ${seconds.toFixed(1)} s for map "${options.mapId}":`,
    `  created    ${formatNumber(created)}`,
    `  updated    ${formatNumber(updated)}`,
    `  unchanged  ${formatNumber(unchanged)}`,
    `  skipped    ${formatNumber(refused)}`,
    `  repaired   ${formatNumber(repaired)}`,
  ]
  if (removedHere > 0)
    lines.push(`${counted(removedHere, 'row')} of features that users removed. To restore them: --bring-back`)
  if (editsKept > 0)
    lines.push(
      `${counted(editsKept, 'feature')} with edits not changed. To replace the edits: --replace-edits`,
    )
  if (gone > 0)
    lines.push(
      `${counted(gone, 'feature')} of this source not in the file: ${options.missing === 'remove' ? 'removed' : 'marked'}.`,
    )
  lines.push(...shown.map((row) => `  ${describeRow(row)}`))
  const more = refused + repaired - shown.length
  if (more > 0) lines.push(`  ... and ${formatNumber(more)} more`)
  if (reportPath) lines.push(`Skipped and repaired rows, with reasons: ${reportPath}`)
  if (refused < rows) {
    const fields = fieldsOfKind(options.kind, customFields)
    const labeled = filled.map((one) => ({ ...one, field: fields[one.field]?.label ?? one.field }))
    lines.push(...describeColumns(labeled, kept, rows - refused))
  }
  lines.push(...result.notes)
  if (rows === 0) lines.push('Nothing was imported: the file has no rows.')
  else if (refused === rows) lines.push('Nothing was imported: all rows were skipped.')
  else if (!importId) lines.push('Nothing changed: the map is already up to date.')
  return lines.join('\n')
}

export function nameImport(importId: string): string {
  return `Import ${importId} finished. To undo it: npm run import -- --undo ${importId}`
}

const namedColumns = 12

function describeColumns(filled: readonly FilledField[], kept: readonly string[], rows: number): string[] {
  const width = Math.max(...filled.map(({ field }) => field.length))
  const lines = filled.flatMap((one) => [
    `  ${one.field.padEnd(width)}  from ${one.column}${describeShare(one, rows)}`,
    ...(one.unknownRows ?? []).map(
      ({ row, value }) => `    not understood: row ${row}: ${quoteValue(value)}`,
    ),
  ])
  const names = kept.slice(0, namedColumns).join(', ')
  const others =
    kept.length > 0 ? [`Stored with the features: ${names}${kept.length > namedColumns ? ', ...' : ''}`] : []
  return [filled.length > 0 ? 'Fields:' : 'No column filled a field.', ...lines, ...others]
}

function describeShare({ rows, notUnderstood }: FilledField, all: number): string {
  const ends = [
    ...(rows < all ? [`in ${counted(rows, 'row')}`] : []),
    ...(notUnderstood > 0 ? [`not understood in ${formatNumber(notUnderstood)}`] : []),
  ]
  return ends.length > 0 ? ` (${ends.join(', ')})` : ''
}

function describeRow({ rowNumber, line, sourceId, outcome, reason }: ReportedRow): string {
  const where = [`row ${rowNumber}`, line && `line ${line}`, sourceId && `id ${sourceId}`]
    .filter(Boolean)
    .join(', ')
  return `${outcome === 'refused' ? 'skipped' : outcome}: ${where}: ${reason}`
}

export function summarizeUndo(
  importId: string,
  { mapId, removed, restored, kept, newer }: UndoResult,
): string {
  const lines = [
    `Import ${importId} into map "${mapId}" undone: ${formatNumber(removed)} removed, ${formatNumber(restored)} restored.`,
  ]
  if (kept.length > 0)
    lines.push(
      `${counted(kept.length, 'feature')} changed since and skipped: ${kept.slice(0, shownRows).join(', ')}${kept.length > shownRows ? ', ...' : ''}`,
    )
  for (const one of newer)
    lines.push(
      `${counted(one.features, 'feature')} of these changed by import ${one.id} (${describeImport(one)})`,
    )
  return lines.join('\n')
}

export function summarizeImports(mapId: string, imports: readonly ImportsTable[]): string {
  if (imports.length === 0) return `Map "${mapId}" has no imports.`
  const rows = imports.map((row) => [
    row.id,
    new Date(row.started_at).toISOString().slice(0, 16).replace('T', ' '),
    row.state === 'staging' ? 'not finished' : row.state,
    row.kind,
    `${formatNumber(row.created_count)} created`,
    `${formatNumber(row.updated_count)} updated`,
    `${formatNumber(row.refused_count)} skipped`,
    row.source,
  ])
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
