import type { ReadDatabase } from '../database/database.ts'

type Query = { mapId: string; since: number; limit: number }
type Changed = { id: string; name: string; kind: string }

const selectRecords = (read: ReadDatabase, { mapId, limit }: Query) =>
  read.selectFrom('features').select(['id', 'name', 'kind']).where('map_id', '=', mapId).limit(limit)

/** Incidents that were added, newest first. */
export const listNewIncidents = (read: ReadDatabase, query: Query): Promise<Changed[]> =>
  selectRecords(read, query)
    .where('kind', '=', 'incident')
    .where('is_general', '=', 0)
    .where('created_at', '>', query.since)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

/** Records that were there before and changed, last changed first. */
export const listChangedRecords = (read: ReadDatabase, query: Query): Promise<Changed[]> =>
  selectRecords(read, query)
    .where('updated_at', '>', query.since)
    .where('created_at', '<=', query.since)
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .execute()
