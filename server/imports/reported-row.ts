/** What is told of a row that does not come in as it is. */
export type ReportedRow = {
  rowNumber: number
  line?: number
  sourceId?: string
  outcome: 'refused' | 'repaired' | 'left-out'
  reason: string
  /** JSON of the columns of a row that does not come in, names and values; and of its geometry, as the file has them. */
  columns?: string
  geometry?: string
  /** JSON of its own id, where it stands beside the columns. */
  id?: string
  /** The feature that it would be, as far as that is known. */
  featureId?: string
}
