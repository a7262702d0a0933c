import type { Advice } from './import-error.ts'

/** A row that is not imported as it is in the file. */
export type ReportedRow = {
  rowNumber: number
  line?: number
  sourceId?: string
  outcome: 'refused' | 'repaired' | 'left-out'
  reason: string
  /** Columns and geometry as the file has them, as JSON. Only of rows that are not imported. */
  columns?: string
  geometry?: string
  /** The id beside the columns, as JSON. */
  id?: string
  /** The feature that the row would become, if that is clear. */
  featureId?: string
}

export type ImportProgress = {
  phase: 'reading' | 'comparing' | 'publishing'
  rows: number
  bytesRead: number
  totalBytes?: number
}

/** Follows an import, and can end it. */
export type ImportWatch = {
  /** Ends the import between two batches, without a trace. */
  signal?: AbortSignal
  onProgress?: (progress: ImportProgress) => void
  /** Called for each row that was refused, repaired or left out, in the file's order. */
  onRow?: (row: ReportedRow) => void
  /** Called with notices that refuse nothing. */
  onNotice?: (notice: Advice) => void
  /** Called before anything is published if the whole file looks wrong. Without it the file is imported. */
  confirm?: (doubts: readonly Advice[]) => Promise<boolean>
}
