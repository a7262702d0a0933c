import type { FeatureKind } from '#domain/definition/kinds.ts'
import type { OwnFields } from '#domain/features/own-fields.ts'
import type { MissingRule } from '#domain/imports/import-draft.schema.ts'
import type { AreaUnit, ImportLayout } from '#domain/imports/import-layout.schema.ts'
import type { Actor } from '../activity/activity.queries.ts'
import type { Advice } from './import-error.ts'
import type { FilledField, StoredColumns } from './mapping/map-columns.ts'
import type { ProjectionDefinition } from './projections/projection.ts'
import type { Survey, UnclearDates } from './reading/survey.ts'
import type { ReportedRow } from './reported-row.ts'
import type { TrialNotes } from './trial/trial-notes.ts'

/** What reading a file needs to know. */
export type ReadingOptions = {
  mapId: string
  kind: FeatureKind
  /** Name of the source, which with a record's id makes it the same feature whenever it comes again. */
  source: string
  /** Incident or asset type of all rows. */
  type?: string
  /** Column of each field that a person named. */
  columns?: ReadonlyMap<string, string>
  /** Default all. */
  kept?: StoredColumns
  /** Overrides of the layout that is detected. */
  layout?: ImportLayout
  /** What words mean, by the field: a value of it, or nothing where it is empty. */
  words?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** A file with more is refused; default any. */
  mostRows?: number
  /** Zone of local times; default UTC. */
  timeZone?: string
  /** Unit of the area column; default acres. */
  areaUnit?: AreaUnit
  /** The fields that the client has added. */
  ownFields?: OwnFields
  /** What the coordinates are in; default longitude and latitude of WGS 84. */
  projection?: ProjectionDefinition
  /** Whether the file has latitude before longitude, or y before x. */
  areCoordinatesSwapped?: boolean
  /** Rows that are not imported, by their numbers. */
  leftOut?: ReadonlySet<number>
  /** What stands in some columns of some rows instead, by the rows' numbers. */
  mended?: ReadonlyMap<number, Readonly<Record<string, string>>>
}

export type ImportOptions = ReadingOptions & {
  /** Makes the client and its map, where the map does not exist. */
  client?: { name: string; location: string }
  /** Its id, where that was decided before; else a new one. One that is done already is not done again. */
  importId?: string
  /** Whether what people changed here stays, whatever the file says; default true. */
  keepsEdits?: boolean
  /** Whether what people removed here comes back; default false. */
  bringsBack?: boolean
  /** What becomes of features that the source has made and the file does not have any more; default they stay. */
  missing?: MissingRule | undefined
  /** Of features that are there already, only these fields change. */
  onlyFields?: readonly string[] | undefined
  /** Reads and compares everything, notes it row by row, and changes nothing. */
  trial?: TrialNotes
  /** Who imports, for the activity list; without an id where nobody has signed in. */
  actor?: Actor
  /** Ends the import between two batches; nothing of it stays. */
  signal?: AbortSignal
  /** Called for each row that was refused, repaired or left out, in the file's order. */
  onRow?: (row: ReportedRow) => void
  /** Called with what a person should know and that refuses nothing. */
  onNotice?: (notice: Advice) => void
  /** Asked before anything is shown, where the file as a whole looks wrong; without it everything is imported. */
  confirm?: (doubts: readonly Advice[]) => Promise<boolean>
}

export type ImportProgress = {
  phase: 'reading' | 'comparing' | 'publishing'
  rows: number
  bytesRead: number
  totalBytes?: number
}

export type ImportResult = {
  /** Null where nothing on the map changed, so that there is nothing to undo. */
  importId: string | null
  rows: number
  created: number
  updated: number
  unchanged: number
  refused: number
  repaired: number
  /** Rows that somebody left out. */
  leftOut: number
  /** Rows of features that were removed here, and do not come back. */
  removedHere: number
  /** Features that the source has made before and the file does not have; what became of them says `missing`. */
  gone: number
  /** Features of which fields stay that somebody changed here. */
  editsKept: number
  /** Which column filled which field. */
  filled: FilledField[]
  /** Columns that fill no field and stay with the features. */
  kept: string[]
  /** Columns of dates that could be day first or month first. */
  unclearDates: UnclearDates[]
  /** What people should know, and need not confirm. */
  notes: string[]
}

export type RowCounts = Pick<ImportResult, 'rows' | 'refused' | 'repaired' | 'leftOut'>

/** What came of reading: everything but the refused rows is staged. */
export type StagedRecords = {
  counts: RowCounts
  staged: number
  /** Number of the last record. */
  lastRow: number
  bytesRead: number
  /** Ids of features whose rows are in the file and do not come in. */
  present: ReadonlySet<string>
  survey: Survey
}
