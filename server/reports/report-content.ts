import type { ReadDatabase } from '../database/database.ts'
import type { FilesTable, ReportsTable } from '../database/tables.ts'
import { readFilesOf } from '../files/files.queries.ts'
import { reporterOf } from './reports.commands.ts'

type Row = Pick<ReportsTable, 'map_id' | 'id' | 'state' | 'duplicate_of'>

/** The incident that the report is about. */
export const incidentOf = ({ id, duplicate_of }: Row) => duplicate_of ?? id

/** Whether its reporter follows an incident on the map: that of the report, or one reported before. */
export const isFollowing = ({ state, duplicate_of }: Row) =>
  state === 'accepted' || state === 'duplicate' || (state === 'new' && duplicate_of !== null)

/** Those on the report. Once it is merged, those that its reporter sent. */
export async function readFilesOfReport(read: ReadDatabase, row: Row): Promise<FilesTable[]> {
  const isMerged = row.state === 'duplicate'
  const files = await readFilesOf(read, row.map_id, isMerged ? incidentOf(row) : row.id)
  const { id } = reporterOf(row.id)
  return files.filter((file) => file.removed_at === null && (!isMerged || file.added_by_id === id))
}
