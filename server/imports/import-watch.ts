import type { Advice } from './import-error.ts'

export type ReportedRow = {
  rowNumber: number
  line?: number
  sourceId?: string
  name?: string
  outcome: 'refused' | 'repaired' | 'left-out'
  reason: string
  /** Columns and geometry as the file has them, as JSON. Only of rows that are not imported. */
  columns?: string
  geometry?: string
  id?: string
  featureId?: string
}

export type ImportProgress = {
  phase: 'reading' | 'comparing' | 'publishing'
  rows: number
  bytesRead: number
  totalBytes?: number
}

export type ImportWatch = {
  signal?: AbortSignal
  onProgress?: (progress: ImportProgress) => void
  onRow?: (row: ReportedRow) => void
  onNotice?: (notice: Advice) => void
  /** Called before publishing if the whole file looks wrong. Without it the file is imported. */
  confirm?: (doubts: readonly Advice[]) => Promise<boolean>
}
