import type { ReadDatabase } from '../database/database.ts'

type Query = { mapId: string; since: number; limit: number }
type Changed = { id: string; name: string; kind: string }

/** Incidents that were added, newest first. */
export const listNewIncidents = (read: ReadDatabase, { mapId, since, limit }: Query): Promise<Changed[]> =>
  read
    .selectFrom('features')
    .select(['id', 'name', 'kind'])
    .where('map_id', '=', mapId)
    .where('kind', '=', 'incident')
    .where('is_general', '=', 0)
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Records that were there before and changed, last changed first. */
export const listChangedRecords = (read: ReadDatabase, { mapId, since, limit }: Query): Promise<Changed[]> =>
  read
    .selectFrom('features')
    .select(['id', 'name', 'kind'])
    .where('map_id', '=', mapId)
    .where('updated_at', '>', since)
    .where('created_at', '<=', since)
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
