import { sql } from 'kysely'
import type { WriteTransaction } from '../../database/database.ts'
import type { Source } from './edits.queries.ts'
import type { ImportKey } from './imports.queries.ts'

const featuresPerPage = 2_000

export type GoneFeature = {
  id: string
  name: string
  lng: number
  lat: number
  west: number
  south: number
  east: number
  north: number
}

/**
 * Features that imports of the source have made or changed and that are not staged, after an id and in the order of their ids; a page of
 * them. Call it while all rows of the file are staged.
 */
export async function readNotStaged(
  transaction: WriteTransaction,
  { importId }: ImportKey,
  { mapId, source, kind }: Source,
  after: string,
): Promise<GoneFeature[]> {
  const { rows } = await sql<GoneFeature>`
    select id, name, lng, lat, west, south, east, north from features
    where map_id = ${mapId} and id > ${after}
      and exists (
        select 1 from imports
        inner join import_changes
          on import_changes.map_id = imports.map_id and import_changes.import_id = imports.id
        where imports.map_id = ${mapId} and imports.source = ${source} and imports.kind = ${kind}
          and imports.state = 'done' and import_changes.id = features.id
      )
      and not exists (
        select 1 from staged_features
        where staged_features.map_id = ${mapId} and staged_features.import_id = ${importId}
          and staged_features.id = features.id
      )
    order by id limit ${featuresPerPage}`.execute(transaction)
  return rows
}
