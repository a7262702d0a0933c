import type { FieldChange } from '#domain/features/history.schema.ts'
import type { TrialOutcome } from '#domain/imports/import-trial.schema.ts'
import type { Extent } from '../../database/database.ts'
import type { ReportedRow } from '../reported-row.ts'

/** What an import would make of a row that can become a feature, and the box around that. */
export type TriedRow = Extent & {
  rowNumber: number
  outcome: Extract<TrialOutcome, 'created' | 'updated' | 'unchanged' | 'removed-here' | 'gone'>
  featureId: string
  name: string
  lng: number
  lat: number
  /** GeoJSON, as text; null where it is too long to be shown. */
  geometry: string | null
  changes: readonly FieldChange[]
  /** Fields that stay as somebody changed them here. */
  kept: readonly string[]
}

/** Where a trial writes down what would become of each row. */
export type TrialNotes = {
  /** Of a row that is repaired it comes before the row. */
  noteReported(row: ReportedRow): void
  noteRows(rows: readonly TriedRow[]): void
}
